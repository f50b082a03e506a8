"""What of a conversation belongs together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from assistant.core.types import Message

TOOL_CALLS = "tool_calls"
"""Metadata of an assistant's message: the calls, each a mapping with an `id`."""

TOOL_CALL_ID = "tool_call_id"
"""Metadata of a tool's message: the id of the call that it answers."""


def exchanges(messages: Sequence[Message]) -> list[range]:
    """The messages as groups of neighbours that are kept or dropped together, oldest first.

    A group is a user's message with all that answered it. A tool's result that comes after the user has gone
    on speaking ties the groups from its call to itself into one. What stands before the first user's message
    is a group, too.

    Returns:
        Positions in `messages`; together they cover it.
    """
    starts: list[int] = []
    group_of_call: dict[str, int] = {}
    answered = False
    for position, message in enumerate(messages):
        if message.role == "user" or not starts:
            starts.append(position)
            answered = False
        if message.role == "assistant":
            answered = True
            if message.metadata:
                for call in called(message):
                    group_of_call[call] = len(starts) - 1
        elif message.role == "tool":
            asked = group_of_call.get(str(message.metadata.get(TOOL_CALL_ID, "")))
            if asked is None and not answered and len(starts) > 1:
                # A result without an id answers whatever was called last.
                asked = len(starts) - 2
            if asked is not None and asked < len(starts) - 1:
                del starts[asked + 1 :]
                group_of_call = {call: min(group, asked) for call, group in group_of_call.items()}
                answered = True
    return [range(start, stop) for start, stop in pairwise([*starts, len(messages)])]


def called(message: Message) -> list[str]:
    """Ids of the tool calls that a message makes."""
    calls: Any = message.metadata.get(TOOL_CALLS)
    if not isinstance(calls, Sequence) or isinstance(calls, str):
        return []
    return [str(call["id"]) for call in calls if isinstance(call, Mapping) and call.get("id")]
