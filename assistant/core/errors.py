"""The error tree.

* AssistantError                 title, message, hint: ready to be shown
  - InvalidInputError            what the caller gave can't be used
    - InvalidTextError           text that is not valid Unicode
  - ConfigError                  settings or paths
    - SettingsVersionError       written by a newer version
  - SecretsError                 the key store
  - StorageError                 the disk or a database
    - StoreDamagedError          a file is not what it should be
    - StoreVersionError          a database of a newer version
    - StoreInUseError            another process has it open
    - StoreClosedError           used after close
    - StoreFullError             no space, or read only
  - EmbeddingError               the embedding model
    - EmbeddingModelError        missing or damaged weights
  - ModelError                   the chat model
    - UnreachableError           nobody answers at the address
    - CertificateError           the server's certificate is not trusted
    - WrongKeyError              401, 403
    - NoSuchModelError           404
    - ContextTooLongError        413, or the server says so
    - RateLimitedError           429, with its wait
    - ModelServerError           5xx, or an answer that is none
    - ReplyCutError              the connection ended in mid-reply; has the partial text
    - HostNotAllowedError        the guard refused the host
    - LocalModelError            the local server can't start
  - MemoryStoreError             long-term memory
    - MemoryIsolationError       no owner, no memory
  - GuardrailError               a check refuses what is sent or shown
  - ConversationError
    - NoSuchConversationError    absent, or another owner's
"""

from __future__ import annotations

from pathlib import Path


class AssistantError(Exception):
    """Base of all errors that Keepsake raises on purpose.

    Attributes:
        title: a few words, fit for a dialog's heading.
        message: what happened and what is safe, in plain words.
        hint: what the user can do; empty when there is nothing to do.
        detail: technical text for the "Details" button; must not hold keys.
    """

    title = "Something went wrong"

    def __init__(self, message: str, *, title: str | None = None, hint: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        if title is not None:
            self.title = title
        self.hint = hint
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InvalidInputError(AssistantError, ValueError):
    """An argument is outside what the function accepts."""

    title = "This can't be used"


class InvalidTextError(InvalidInputError):
    """Text holds a lone surrogate, which no file and no server can store."""

    title = "This text can't be stored"


class ConfigError(AssistantError):
    title = "Settings"


class SettingsVersionError(ConfigError):
    title = "Settings from a newer version"


class SecretsError(AssistantError):
    title = "Key store"


class StorageError(AssistantError):
    """The disk or a database failed.

    Attributes:
        path: the file that it is about, None when there is no single one.
    """

    title = "Storage"

    def __init__(
        self,
        message: str,
        *,
        title: str | None = None,
        hint: str = "",
        detail: str = "",
        path: Path | None = None,
    ) -> None:
        super().__init__(message, title=title, hint=hint, detail=detail)
        self.path = path


class StoreDamagedError(StorageError):
    title = "A file is damaged"


class StoreVersionError(StorageError):
    title = "Data from a newer version"


class StoreInUseError(StorageError):
    title = "Already in use"


class StoreClosedError(StorageError):
    title = "Closed"


class StoreFullError(StorageError):
    title = "Can't write"


class EmbeddingError(AssistantError):
    title = "Search by meaning"


class EmbeddingModelError(EmbeddingError):
    title = "The embedding model can't be used"


class ModelError(AssistantError):
    """The chat model could not answer."""

    title = "No answer"


class UnreachableError(ModelError):
    title = "No connection"


class CertificateError(ModelError):
    title = "Certificate not trusted"


class WrongKeyError(ModelError):
    title = "Key not accepted"


class NoSuchModelError(ModelError):
    title = "No such model"


class ContextTooLongError(ModelError):
    """A prompt is larger than the model reads.

    Attributes:
        tokens, limit: what must be sent and what may be; None when nobody says.
        assumed: nobody knows the limit; the model may read more.
    """

    title = "Too long for this model"

    def __init__(
        self,
        message: str,
        *,
        title: str | None = None,
        hint: str = "",
        detail: str = "",
        tokens: int | None = None,
        limit: int | None = None,
        assumed: bool = False,
    ) -> None:
        super().__init__(message, title=title, hint=hint, detail=detail)
        self.tokens = tokens
        self.limit = limit
        self.assumed = assumed


class RateLimitedError(ModelError):
    """The server asks to wait.

    Attributes:
        retry_after: seconds until the next try makes sense, None when not said.
    """

    title = "Too many requests"

    def __init__(
        self, message: str, *, retry_after: float | None = None, hint: str = "", detail: str = ""
    ) -> None:
        super().__init__(message, hint=hint, detail=detail)
        self.retry_after = retry_after


class ModelServerError(ModelError):
    title = "The model server failed"


class ReplyCutError(ModelError):
    """The connection ended before the reply did.

    Attributes:
        partial: the text that had arrived; the caller keeps it.
    """

    title = "The reply was cut off"

    def __init__(self, message: str, *, partial: str = "", hint: str = "", detail: str = "") -> None:
        super().__init__(message, hint=hint, detail=detail)
        self.partial = partial


class HostNotAllowedError(ModelError):
    title = "Connection refused by Keepsake"


class LocalModelError(ModelError):
    title = "The local model did not start"


class MemoryStoreError(AssistantError):
    title = "Memory"


class MemoryIsolationError(MemoryStoreError):
    """A call on a per-user memory named no owner."""

    title = "Whose memory?"


class GuardrailError(AssistantError):
    """A guardrail refuses a text, or could not look at it."""

    title = "Stopped by a check"


class ConversationError(AssistantError):
    title = "Conversation"


class NoSuchConversationError(ConversationError):
    title = "No such conversation"
