"""Values that cross package borders."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

from assistant.core.errors import InvalidInputError
from assistant.core.text import check_text

Role = Literal["system", "user", "assistant", "tool"]
MemoryStatus = Literal["ok", "none", "failed"]

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. Its content is never parsed back into roles.

    Attributes:
        role: who speaks.
        content: plain text (Markdown for assistants); valid Unicode.
        metadata: anything the caller wants to keep with it; not sent to a model.
    """

    role: Role
    content: str
    metadata: Mapping[str, Any] = field(default_factory=lambda: _EMPTY, compare=False)

    @classmethod
    def of(cls, value: Message | Mapping[str, Any]) -> Message:
        """Accept a message, or a mapping with `role` and `content`.

        Raises:
            InvalidInputError: an unknown role, content that is not text, a missing field.
            InvalidTextError: content with a lone surrogate.
        """
        if isinstance(value, Message):
            check_text(value.content)
            return value
        if not isinstance(value, Mapping):
            raise InvalidInputError(
                f"A message is a mapping with role and content, not {type(value).__name__}."
            )
        role, content = value.get("role"), value.get("content")
        if not isinstance(role, str) or role not in get_args(Role):
            raise InvalidInputError(f"Unknown role {role!r}; use one of {', '.join(get_args(Role))}.")
        if not isinstance(content, str):
            raise InvalidInputError(
                f"A message's content is text; got {type(content).__name__}.",
                hint="Images and lists as content are not supported.",
            )
        check_text(content)
        return cls(role=cast(Role, role), content=content, metadata=dict(value.get("metadata") or {}))


@dataclass(frozen=True, slots=True)
class CallerContext:
    """Who a turn is for.

    Attributes:
        user_id: non-empty id of the person; must not start with NUL.
        tenant_id: an organisation that separates equal user ids, or None.
        roles: free labels, not interpreted by the memory stack.
        metadata: free data, not interpreted.
    """

    user_id: str
    tenant_id: str | None = None
    roles: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=lambda: _EMPTY, compare=False)

    def __post_init__(self) -> None:
        for name, value in (("user_id", self.user_id), ("tenant_id", self.tenant_id)):
            if value is None and name == "tenant_id":
                continue
            if not isinstance(value, str) or not value:
                raise InvalidInputError(f"{name} must be a non-empty text.")
            check_text(value)
            if value.startswith("\0"):
                raise InvalidInputError(f"{name} must not start with a NUL character.")

    @property
    def owner(self) -> str:
        """The id under which this caller's memories and conversations are kept.

        Injective: without a tenant it is the user id itself; with one it starts with NUL, which no plain
        user id may, and carries the tenant's length.
        """
        if self.tenant_id is None:
            return self.user_id
        return f"\0{len(self.tenant_id)}:{self.tenant_id}{self.user_id}"


current_caller: ContextVar[CallerContext | None] = ContextVar("keepsake_caller", default=None)
"""The caller of the running turn, for code that is called deep inside one (guardrails, tools)."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call.

    Attributes:
        prompt_tokens, completion_tokens: counts as reported by the server, or None when it said nothing.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
