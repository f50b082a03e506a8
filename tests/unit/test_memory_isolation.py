"""Whatever happens in whatever order: nobody ever sees, changes or removes a memory of somebody else."""

from __future__ import annotations

from tempfile import TemporaryDirectory

from assistant.memory import BrowsableMemory, ChromaProvider, InMemoryProvider, MemoryScope
from assistant.memory.ledger import open_memory
from tests.memory_fixtures import HashEmbedder
from tests.memory_isolation import Isolation, isolation_settings


class InMemoryIsolation(Isolation):
    def provider(self) -> BrowsableMemory:
        return InMemoryProvider(MemoryScope.PER_USER)


class EphemeralChromaIsolation(Isolation):
    def provider(self) -> BrowsableMemory:
        return ChromaProvider(scope=MemoryScope.PER_USER, embedder=HashEmbedder())


class OnDisk(Isolation):
    """A provider in a folder of its own, which goes with it."""

    def provider(self) -> BrowsableMemory:
        self.folder = TemporaryDirectory()
        return self.provider_in(self.folder.name)

    def provider_in(self, folder: str) -> BrowsableMemory:
        raise NotImplementedError

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


class PersistentChromaIsolation(OnDisk):
    def provider_in(self, folder: str) -> BrowsableMemory:
        return ChromaProvider(persist_directory=folder, scope=MemoryScope.PER_USER, embedder=HashEmbedder())


class ChromaProcessIsolation(OnDisk):
    def provider_in(self, folder: str) -> BrowsableMemory:
        return ChromaProvider(
            persist_directory=folder,
            scope=MemoryScope.PER_USER,
            embedder=HashEmbedder(),
            own_process=True,
        )


class LedgerIsolation(OnDisk):
    def provider_in(self, folder: str) -> BrowsableMemory:
        return self.run(open_memory(folder, embedder=HashEmbedder()))


TestInMemoryIsolation = InMemoryIsolation.TestCase
TestInMemoryIsolation.settings = isolation_settings(examples=40, steps=30)
TestEphemeralChromaIsolation = EphemeralChromaIsolation.TestCase
TestEphemeralChromaIsolation.settings = isolation_settings(examples=6, steps=25)
TestPersistentChromaIsolation = PersistentChromaIsolation.TestCase
TestPersistentChromaIsolation.settings = isolation_settings(examples=4, steps=20)
TestChromaProcessIsolation = ChromaProcessIsolation.TestCase
TestChromaProcessIsolation.settings = isolation_settings(examples=2, steps=20)
TestLedgerIsolation = LedgerIsolation.TestCase
TestLedgerIsolation.settings = isolation_settings(examples=4, steps=20)
