"""Which model answers: the choice, its key, and the model made from both."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.core.errors import AssistantError, ConfigError, InvalidInputError
from assistant.models.choice import ModelChoice
from assistant.models.presets import preset

if TYPE_CHECKING:
    from assistant.config.secrets import SecretStore
    from assistant.config.settings_keeper import SettingsKeeper
    from assistant.models.base import ChatModel, ModelInfo
    from assistant.models.endpoint import Endpoint
    from assistant.models.probe import ConnectionReport, FoundServer

_log = logging.getLogger(__name__)

LOCAL = "local"


class ModelSource(Protocol):
    """Makes models and asks endpoints; given by the composition root."""

    def remote(self, endpoint: Endpoint, model: str) -> ChatModel:
        """A model at an endpoint."""
        ...

    def local(self, gguf_path: str) -> ChatModel:
        """The model in a file on this computer; empty for the trial model."""
        ...

    async def list_models(self, endpoint: Endpoint) -> list[ModelInfo]: ...

    async def test_connection(self, endpoint: Endpoint, model: str) -> ConnectionReport: ...

    async def find_local_servers(self) -> Sequence[FoundServer]: ...


class Switchboard:
    """Keeps the chosen model in the settings and its key in the key store.

    Args:
        settings: where the choice is kept.
        open_secrets: opens the key store, once, at first need.
        source: makes models.
    """

    def __init__(
        self,
        settings: SettingsKeeper,
        open_secrets: Callable[[], Awaitable[SecretStore]],
        source: ModelSource,
    ) -> None:
        self._settings = settings
        self._open_secrets = open_secrets
        self._source = source
        self._secrets: SecretStore | None = None
        self._opening = asyncio.Lock()
        self._making = asyncio.Lock()
        self._model: ChatModel | None = None
        self._made_for: ModelChoice | None = None

    @property
    def choice(self) -> ModelChoice:
        """What is chosen now; an empty preset_id when nothing is."""
        s = self._settings.current
        return ModelChoice(
            preset_id=s.endpoint,
            base_url=s.base_url,
            model=s.model,
            gguf_path=s.gguf_path,
            ca_file=s.ca_file,
            proxy=s.proxy,
        )

    @property
    def destination(self) -> tuple[str, str, bool]:
        """For people: the model's name, the host that messages go to, whether that is this computer.

        All empty when no model is chosen.
        """
        choice = self.choice
        if not choice.preset_id:
            return "", "", True
        if choice.preset_id == LOCAL:
            return (
                preset(LOCAL).name if not choice.gguf_path else _stem(choice.gguf_path),
                "this computer",
                True,
            )
        try:
            endpoint = self.endpoint(choice, "")
        except (ConfigError, InvalidInputError):
            return choice.model, choice.base_url, False
        return choice.model, endpoint.host, endpoint.locality == "this computer"

    async def model(self) -> ChatModel | None:
        """The model that is chosen, None when none is. Made once and kept until the choice changes.

        Raises:
            ConfigError, InvalidInputError: the choice can't be used.
            SecretsError: the key can't be read.
        """
        async with self._making:
            choice = self.choice
            if not choice.preset_id:
                return None
            if self._model is None or choice != self._made_for:
                await self._drop()
                self._model = await self._make(choice)
                self._made_for = choice
            return self._model

    async def warm_up(self) -> None:
        """Do the slow part of the first reply now. A failure is left to the reply, which tells it."""
        from assistant.models.base import WarmsUp

        try:
            model: object = await self.model()
            if isinstance(model, WarmsUp):
                await model.warmup()
        except AssistantError as exc:
            _log.info("the model is not ready: %s", exc.title)

    async def use(self, choice: ModelChoice) -> None:
        """Take this choice from now on; a typed key goes to the key store first.

        Raises:
            ConfigError, InvalidInputError, SecretsError, StorageError: nothing was changed, except that the key
                may be stored already.
        """
        await self.check(choice)
        if choice.preset_id != LOCAL and choice.api_key:
            secrets = await self.secrets()
            netloc = self.endpoint(choice, choice.api_key).netloc
            await secrets.set(choice.preset_id, choice.api_key, host=netloc)
        self._settings.change(
            endpoint=choice.preset_id,
            base_url=choice.base_url,
            model=choice.model,
            gguf_path=choice.gguf_path,
            ca_file=choice.ca_file,
            proxy=choice.proxy,
        )
        async with self._making:
            await self._drop()

    async def check(self, choice: ModelChoice, *, named: bool = True) -> None:
        """Look at a choice without connecting anywhere.

        Args:
            named: whether it has to name a model.

        Raises:
            ConfigError, InvalidInputError: it can't be used.
            SecretsError: the key store can't be asked.
        """
        if choice.preset_id == LOCAL:
            return
        self.endpoint(choice, choice.api_key)
        known = preset(choice.preset_id)
        if known.needs_key and not choice.api_key and not await self.key_is_stored(choice):
            raise InvalidInputError(f"{known.name} needs a key.", hint="Paste it into the Key field.")
        if named and not choice.model:
            raise InvalidInputError("No model is named.", hint="Choose one from the list, or type its name.")

    async def test(self, choice: ModelChoice) -> ConnectionReport:
        """Try a choice with its typed key, or the stored one.

        Raises:
            ConfigError, InvalidInputError, SecretsError: it can't even be tried.
        """
        return await self._source.test_connection(await self._with_key(choice), choice.model)

    async def models(self, choice: ModelChoice) -> list[str]:
        """Names of the models at that endpoint.

        Raises:
            ModelError, ConfigError, InvalidInputError, SecretsError: the list can't be had.
        """
        return [info.id for info in await self._source.list_models(await self._with_key(choice))]

    async def find_servers(self) -> Sequence[FoundServer]:
        """Model servers that answer on this computer."""
        return await self._source.find_local_servers()

    async def secrets(self) -> SecretStore:
        """The key store, opened at the first call."""
        async with self._opening:
            if self._secrets is None:
                self._secrets = await self._open_secrets()
            return self._secrets

    async def key_is_stored(self, choice: ModelChoice) -> bool:
        """Whether a key is kept for that endpoint."""
        return bool(await self._stored_key(choice))

    async def forget_key(self, choice: ModelChoice) -> bool:
        """Remove the key that is kept for that endpoint; False when there was none."""
        secrets = await self.secrets()
        gone = await secrets.delete(choice.preset_id, host=self.endpoint(choice, "").netloc)
        async with self._making:
            await self._drop()
        return gone

    async def close(self) -> None:
        """Close the model. Safe to call twice."""
        async with self._making:
            await self._drop()

    @staticmethod
    def endpoint(choice: ModelChoice, key: str) -> Endpoint:
        """The endpoint of a choice.

        Raises:
            ConfigError, InvalidInputError: an address, file or proxy that can't be used.
        """
        # Not before it is needed: the first frame needs no address.
        from assistant.models.endpoint import Endpoint

        return Endpoint(
            choice.preset_id,
            choice.base_url,
            key,
            Path(choice.ca_file) if choice.ca_file else None,
            choice.proxy or None,
        )

    async def _make(self, choice: ModelChoice) -> ChatModel:
        if choice.preset_id == LOCAL:
            return self._source.local(choice.gguf_path)
        return self._source.remote(await self._with_key(choice), choice.model)

    async def _with_key(self, choice: ModelChoice) -> Endpoint:
        key = choice.api_key or await self._stored_key(choice)
        return self.endpoint(choice, key)

    async def _stored_key(self, choice: ModelChoice) -> str:
        netloc = self.endpoint(choice, "").netloc
        secrets = await self.secrets()
        return await secrets.get(choice.preset_id, host=netloc) or ""

    async def _drop(self) -> None:
        model, self._model, self._made_for = self._model, None, None
        if model is not None:
            await model.close()


def _stem(path: str) -> str:
    return Path(path).stem
