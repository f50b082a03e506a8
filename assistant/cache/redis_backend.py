"""Answers on a Redis server, shared by processes. The client is imported when it is first used."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from assistant.cache.base import AnswerKeys, KeptAnswer, Limits
from assistant.core.errors import ConfigError, InvalidInputError, StorageError, StoreClosedError

Redis = Any
LAYOUT = "1"
_GISTS = 8
"""Answers of one gist that are looked at; older ones are let go."""
_BATCH = 500


class RedisBackend:
    """A CacheBackend on a Redis server.

    Answers are values with a time to live of their own. What finds them (by gist, owner, age, memory) are sorted
    sets and sets, each bounded, so that no call looks at more than one owner's answers. Every key begins with the
    namespace, the layout and the fingerprint: another version, or another encryption key, sees none of them.

    Args:
        url: redis://, rediss:// or unix://.
        namespace: before every key.
        timeout: seconds for one call, connecting included.
    """

    def __init__(self, url: str, *, namespace: str = "keepsake", timeout: float = 0.5) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("redis", "rediss", "unix"):
            raise InvalidInputError(
                "The address of a Redis server begins with redis://, rediss:// or unix://."
            )
        self._url = url
        self._place = parts.path if parts.scheme == "unix" else f"{parts.hostname}:{parts.port or 6379}"
        self._namespace = namespace
        self._prefix = ""
        self._timeout = timeout
        self._client: Redis | None = None
        self._closed = False

    async def open(self, fingerprint: str) -> None:
        self._prefix = f"{self._namespace}:{LAYOUT}:{fingerprint}:"
        self._connected()

    async def find(self, shelf: str, exact: str, gist: str, *, now: int, limit: int) -> Sequence[KeptAnswer]:
        async with self._talking() as client:
            names = [exact]
            if gist:
                others = await client.zrevrange(self._key("gist", shelf, gist), 0, _GISTS - 1)
                names += [name for raw in others if (name := raw.decode()) != exact]
            values = await client.mget([self._key("answer", shelf, name) for name in names])
        found = [kept for value in values if (kept := _unpacked(value)) is not None]
        valid = [kept for kept in found if kept.expires is None or kept.expires > now]
        return valid[:limit]

    async def put(self, answer: KeptAnswer, *, limits: Limits, now: int) -> None:
        keys = answer.keys
        member, lives = _member(keys), None
        if answer.expires is not None:
            lives = max(1, (answer.expires - now) // 1000)
        score = {member: answer.created}
        place = self._key("answer", keys.shelf, keys.exact)
        async with self._talking() as client:
            replaced = _unpacked(await client.get(place))
            if replaced is not None:
                await self._drop(client, [_member(replaced.keys)])
            async with client.pipeline(transaction=True) as batch:
                batch.set(place, _packed(answer), px=lives)
                gist = self._key("gist", keys.shelf, keys.gist)
                batch.zadd(gist, {keys.exact: answer.created})
                batch.zremrangebyrank(gist, 0, -_GISTS - 1)
                batch.zadd(self._key("owner", keys.owner), score)
                batch.zadd(self._key("all"), score)
                for memory in answer.memories:
                    batch.sadd(self._key("memory", memory), member)
                if lives is not None:
                    for found_by in (gist, *(self._key("memory", memory) for memory in answer.memories)):
                        batch.pexpire(found_by, lives)
                await batch.execute()
            if answer.expires is not None:
                await self._drop_older(client, keys.owner, now - (answer.expires - answer.created))
            await self._drop_beyond(client, self._key("owner", keys.owner), limits.per_owner)
            await self._drop_beyond(client, self._key("all"), limits.total)

    async def remove(self, keys: AnswerKeys) -> None:
        async with self._talking() as client:
            await self._drop(client, [_member(keys)])

    async def remove_owner(self, owner: str) -> int:
        removed = 0
        place = self._key("owner", owner)
        while True:
            async with self._talking() as client:
                members = await client.zrange(place, 0, _BATCH - 1)
                if not members:
                    return removed
                removed += await self._drop(client, [member.decode() for member in members])

    async def remove_memories(self, memories: Sequence[str]) -> int:
        removed = 0
        for memory in memories:
            place = self._key("memory", memory)
            async with self._talking() as client:
                while members := await client.srandmember(place, _BATCH):
                    removed += await self._drop(client, [member.decode() for member in members])
                    await client.srem(place, *members)
        return removed

    async def count(self, owner: str | None = None) -> int:
        async with self._talking() as client:
            return int(await client.zcard(self._key("all") if owner is None else self._key("owner", owner)))

    async def close(self) -> None:
        self._closed = True
        client, self._client = self._client, None
        if client is not None:
            try:
                async with asyncio.timeout(self._timeout):
                    await client.aclose()
            except (TimeoutError, OSError):
                # The connection is gone with this process at the latest.
                pass

    async def _drop_older(self, client: Redis, owner: str, before: int) -> None:
        expired = await client.zrangebyscore(self._key("owner", owner), "-inf", before, start=0, num=_BATCH)
        await self._drop(client, [member.decode() for member in expired])

    async def _drop_beyond(self, client: Redis, place: str, limit: int) -> None:
        surplus = await client.zcard(place) - limit
        if surplus > 0:
            oldest = await client.zrange(place, 0, min(surplus, _BATCH) - 1)
            await self._drop(client, [member.decode() for member in oldest])

    async def _drop(self, client: Redis, members: Sequence[str]) -> int:
        """Remove answers with all that finds them; how many there were."""
        if not members:
            return 0
        keys = [AnswerKeys(*member.split(":")) for member in members]
        names = [self._key("answer", key.shelf, key.exact) for key in keys]
        values = await client.mget(names)
        async with client.pipeline(transaction=True) as batch:
            batch.delete(*names)
            batch.zrem(self._key("all"), *members)
            for member, key, value in zip(members, keys, values, strict=True):
                batch.zrem(self._key("owner", key.owner), member)
                batch.zrem(self._key("gist", key.shelf, key.gist), key.exact)
                kept = _unpacked(value)
                for memory in () if kept is None else kept.memories:
                    batch.srem(self._key("memory", memory), member)
            await batch.execute()
        return sum(value is not None for value in values)

    def _key(self, *parts: str) -> str:
        return self._prefix + ":".join(parts)

    def _connected(self) -> Redis:
        if self._closed:
            raise StoreClosedError("The answer cache was closed.")
        if self._client is None:
            self._client = _client(self._url, self._timeout)
        return self._client

    @asynccontextmanager
    async def _talking(self) -> AsyncIterator[Redis]:
        client = self._connected()
        from redis.exceptions import RedisError

        try:
            async with asyncio.timeout(self._timeout):
                yield client
        except (RedisError, OSError, TimeoutError, ValueError) as error:
            # The error's own text may hold the address with its password.
            raise StorageError(
                f"The Redis server at {self._place} did not answer as it should.",
                hint="Chats go on without cached answers.",
                detail=type(error).__name__,
            ) from None


def _client(url: str, timeout: float) -> Redis:
    try:
        from redis.asyncio import Redis as Client
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError:
        raise ConfigError(
            "The answer cache is set to Redis, and its client is not installed.",
            hint="Install keepsake-assistant[redis], or choose another place for cached answers.",
        ) from None
    return Client.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
        health_check_interval=0,
    )


def _member(keys: AnswerKeys) -> str:
    return ":".join((keys.owner, keys.shelf, keys.exact, keys.gist))


def _packed(answer: KeptAnswer) -> bytes:
    keys = answer.keys
    head: dict[str, Any] = {
        "keys": [keys.owner, keys.shelf, keys.exact, keys.gist],
        "memories": list(answer.memories),
        "created": answer.created,
        "expires": answer.expires,
    }
    return json.dumps(head).encode() + b"\n" + answer.body


def _unpacked(value: bytes | None) -> KeptAnswer | None:
    """The answer that `value` is, None when it is none."""
    if value is None:
        return None
    first, _, body = value.partition(b"\n")
    try:
        head = json.loads(first)
        keys = AnswerKeys(*head["keys"])
        return KeptAnswer(keys, body, tuple(head["memories"]), head["created"], head["expires"])
    except (ValueError, KeyError, TypeError):
        return None
