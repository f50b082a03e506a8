"""What a caller hands to a turn, checked before anything else happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.core.errors import InvalidInputError
from assistant.core.types import Message

TurnInput = Mapping[str, Any]
"""A mapping with `messages`: messages, or mappings with `role` and `content`."""


def checked_messages(turn_input: TurnInput | None, *, only_new: bool) -> list[Message]:
    """The messages of an input; the last one is what the user says.

    Args:
        only_new: earlier messages come from a conversation store, so that all of these are the user's.

    Raises:
        InvalidInputError: no messages, a message that is none, the last one blank or not the user's.
        InvalidTextError: a message is not valid Unicode.
    """
    messages = [Message.of(value) for value in _values(turn_input)]
    if not messages:
        raise InvalidInputError("There is no message to answer.", hint="Write something first.")
    if messages[-1].role != "user":
        raise InvalidInputError("The last message must be the user's.")
    if not messages[-1].content.strip():
        raise InvalidInputError("An empty message can't be answered.", hint="Write something first.")
    if only_new and any(message.role != "user" for message in messages):
        raise InvalidInputError(
            "Earlier messages of a stored conversation come from its store; pass the user's new ones only."
        )
    return messages


def check_nothing_new(turn_input: TurnInput | None) -> None:
    """Check the input of a turn that answers a stored message again.

    Raises:
        InvalidInputError: it brings messages.
    """
    if turn_input is not None and _values(turn_input):
        raise InvalidInputError("Answering a message again takes no new messages.")


def _values(turn_input: TurnInput | None) -> Sequence[Any]:
    if not isinstance(turn_input, Mapping):
        raise InvalidInputError('A turn takes a mapping: {"messages": [{"role": "user", "content": "…"}]}.')
    values = turn_input.get("messages")
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise InvalidInputError('"messages" is a list of messages.')
    return values
