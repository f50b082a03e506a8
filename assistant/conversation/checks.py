"""What every store refuses, in the same words."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from assistant.conversation.base import MessageState
from assistant.core.errors import InvalidInputError, NoSuchConversationError, StoreClosedError
from assistant.core.text import check_text

_log = logging.getLogger(__name__)

CLOSING_STATES = frozenset(get_args(MessageState)) - {"streaming"}


def check_owner(user_id: str) -> str:
    """Return the owner's id.

    Raises:
        InvalidInputError: empty; without an owner nothing is kept or shown.
        InvalidTextError: not valid Unicode.
    """
    if not isinstance(user_id, str) or not user_id:
        raise InvalidInputError("A conversation needs an owner; none was given.")
    return check_text(user_id)


def check_new_id(session_id: str) -> str:
    """Return an id that a caller has chosen for a new conversation.

    Raises:
        InvalidInputError: empty.
        InvalidTextError: not valid Unicode.
    """
    if not isinstance(session_id, str) or not session_id:
        raise InvalidInputError("The id of a conversation must not be empty.")
    return check_text(session_id)


def check_state(state: str) -> None:
    """Raise InvalidInputError for a state that ends no reply."""
    if state not in CLOSING_STATES:
        raise InvalidInputError(
            f"A reply can't end as {state!r}; use one of {', '.join(sorted(CLOSING_STATES))}."
        )


def encode_metadata(metadata: Mapping[str, Any] | None) -> str:
    """A JSON object as text.

    Raises:
        InvalidInputError: it is not JSON.
        InvalidTextError: it holds a lone surrogate.
    """
    try:
        encoded = json.dumps(dict(metadata or {}), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as exc:
        raise InvalidInputError(
            "The metadata of a message must be a JSON object.", detail=f"{type(exc).__name__}: {exc}"
        ) from exc
    return check_text(encoded)


def decode_metadata(encoded: str) -> Mapping[str, Any]:
    """The object again, read-only; empty when a byte of it is damaged, because the message is worth more."""
    return MappingProxyType(_decoded(encoded))


def merge_metadata(encoded: str, metadata: Mapping[str, Any] | None) -> str:
    """`metadata` over what is kept. Raises as encode_metadata."""
    if not metadata:
        return encoded
    return encode_metadata({**_decoded(encoded), **json.loads(encode_metadata(metadata))})


def _decoded(encoded: str) -> dict[str, Any]:
    try:
        found = json.loads(encoded)
    except ValueError as exc:
        _log.warning("the metadata of a message is damaged: %s", exc)
        return {}
    return found if isinstance(found, dict) else {}


def no_such_conversation() -> NoSuchConversationError:
    return NoSuchConversationError("This conversation does not exist any more.", hint="Choose another one.")


def conversation_over() -> NoSuchConversationError:
    return NoSuchConversationError(
        "This temporary conversation is over. Nothing of it was kept.", hint="Begin a new one."
    )


def no_such_message() -> NoSuchConversationError:
    return NoSuchConversationError(
        "This message does not exist any more.", title="No such message", hint="Open the conversation again."
    )


def id_taken() -> InvalidInputError:
    return InvalidInputError("There is a conversation with this id already.")


def no_disk_wanted() -> InvalidInputError:
    return InvalidInputError("This store has only a disk, and a temporary conversation must not touch it.")


def not_streaming() -> InvalidInputError:
    return InvalidInputError("This reply is finished, so nothing can be added to it.")


def store_closed() -> StoreClosedError:
    return StoreClosedError("The conversations are closed.")
