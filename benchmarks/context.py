"""Whether what is sent fits, and nothing is lost that must not be; counts against a second implementation.

Random conversations go through `assemble` and are judged by other code than assembled them: tokens by bpe-openai
and the formula for chats, groups by identity, fences by counting lines.

    python -m benchmarks.context [--conversations N] [--texts N] [--seed N] [--json FILE]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence

from assistant.context import Assembly, ContextEngine, ContextTooLongError
from assistant.context.counting import EncodingCounter, texts_of
from assistant.context.windows import Encoding
from assistant.core.types import Message
from benchmarks.random_conversations import Case, random_case
from benchmarks.report import Row, add_json_option, report
from benchmarks.script_texts import WORDS, script_texts

MODELS: dict[str, Encoding] = {"openai:gpt-5-mini": "o200k_base", "openai:gpt-4": "cl100k_base"}
ENCODINGS: tuple[Encoding, ...] = ("o200k_base", "cl100k_base")
RUNS = 15


def second_counter(encoding: Encoding) -> Callable[[str], int]:
    """Counts tokens with an implementation that the assistant does not use."""
    import bpe_openai

    other = bpe_openai.get_encoding(encoding)
    return lambda text: len(other.encode_ordinary(text))


def cost(messages: Sequence[Message], count: Callable[[str], int]) -> int:
    """Tokens of a chat: three for each message, its role, its texts, and three to begin the reply."""
    return 3 + sum(3 + count(each.role) + sum(map(count, texts_of(each))) for each in messages)


def engine_for(case: Case, model: str) -> ContextEngine:
    """The engine with the layers of a case."""
    engine = ContextEngine(model, window=case.window, response_reserve=case.reserve)
    engine.add_layer("identity", content=case.identity)
    engine.add_layer("document", priority=7, content=case.document, trim="cut" if case.document else "drop")
    engine.add_layer("inbox", content=case.inbox)
    engine.add_layer("memory", content=case.memories)
    engine.add_layer("strategies", content=case.strategies)
    engine.add_layer("conversation", content=case.conversation)
    engine.add_layer("user message", content=case.user_message)
    return engine


def judge(case: Case, model: str, count: Callable[[str], int], seen: Counter[str]) -> None:
    """Assemble a case and add what went wrong to `seen`."""
    budget = case.window - case.reserve
    try:
        prompt = engine_for(case, model).assemble()
    except ContextTooLongError:
        required = [Message("system", case.identity)] if case.identity else []
        too_long = cost([*required, Message("user", case.user_message)], count) > budget
        seen["refused" if too_long else "user_message_lost"] += 1
        return
    tokens = cost(prompt, count)
    seen["over_budget"] += tokens > budget
    seen["miscounted"] += tokens != prompt.report.tokens
    seen["user_message_lost"] += (prompt[-1].role, prompt[-1].content) != ("user", case.user_message)
    seen["trimmed"] += bool(prompt.report.trimmed)
    there = {id(message) for message in prompt}
    for group in case.groups:
        seen["groups"] += 1
        seen["groups_split"] += len({id(message) in there for message in group}) > 1
    seen["fences_lost"] += sum(map(open_fences, (message.content for message in prompt)))
    seen["cut_exchanges"] += not is_end_of(prompt, case.conversation)


def open_fences(text: str) -> bool:
    """Whether a fence of some length and kind stands in a text an odd number of times."""
    fences = Counter(
        line.removesuffix("python") for line in text.split("\n") if line.startswith(("```", "~~~"))
    )
    return any(times % 2 for times in fences.values())


def is_end_of(prompt: Assembly, conversation: Sequence[Message]) -> bool:
    """Whether what is left of a conversation is its end, unchanged, and begins with the user."""
    there = {id(message) for message in prompt}
    kept = [message for message in conversation if id(message) in there]
    whole = kept == list(conversation[len(conversation) - len(kept) :])
    return whole and (not kept or kept[0].role == "user")


def mismatches(texts: int, seed: int) -> int:
    """How many texts the two implementations count differently, in either encoding."""
    wrong = 0
    for encoding in ENCODINGS:
        written = [text for _, text in script_texts(texts, random.Random(seed))]
        other = second_counter(encoding)
        wrong += sum(
            ours != other(text)
            for text, ours in zip(written, EncodingCounter(encoding).counts(written), strict=True)
        )
    return wrong


def assembling_ms(source: random.Random) -> tuple[float, float, float]:
    """Median milliseconds to add and assemble 2,000 messages that all fit: never seen texts, the processor's time of
    that, and the same texts again."""
    first: list[float] = []
    again: list[float] = []
    busy: list[float] = []
    words = WORDS["Latin"].split(" ")
    for _ in range(RUNS):
        conversation = [
            Message(("user", "assistant")[number % 2], " ".join(source.choices(words, k=60)))
            for number in range(2000)
        ]
        engine = ContextEngine("openai:gpt-5-mini")
        for times in (first, again):
            started, worked = time.perf_counter(), time.process_time()
            engine.add_layer("identity", content="Be brief.")
            engine.add_layer("conversation", content=conversation)
            engine.add_layer("user message", content="And now?")
            prompt = engine.assemble()
            times.append((time.perf_counter() - started) * 1000)
            if times is first:
                busy.append((time.process_time() - worked) * 1000)
            if len(prompt) != 2002:
                raise SystemExit("The 2,000 messages were meant to fit.")
    return statistics.median(first), statistics.median(busy), statistics.median(again)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.context", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--conversations", type=int, default=1000)
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    add_json_option(parser)
    options = parser.parse_args(argv)
    source, seen = random.Random(options.seed), Counter[str]()
    first, busy, again = assembling_ms(source)
    counters = {model: second_counter(encoding) for model, encoding in MODELS.items()}
    for number in range(options.conversations):
        model = list(MODELS)[number % len(MODELS)]
        judge(random_case(source), model, counters[model], seen)
    wrong = mismatches(options.texts, options.seed)
    some = f"{seen['refused']} refused before the call, {seen['trimmed']} trimmed"
    rows = [
        Row("prompts over their budget", "over_budget", seen["over_budget"], at_most=0, note=some),
        Row("user's messages lost", "user_message_lost", seen["user_message_lost"], at_most=0),
        Row("tool groups split", "groups_split", seen["groups_split"], at_most=0, note=f"of {seen['groups']}"),
        Row("closing fences lost", "fences_lost", seen["fences_lost"], at_most=0),
        Row("exchanges cut", "exchanges_cut", seen["cut_exchanges"], at_most=0),
        Row("prompts whose count is not the second one's", "prompts_miscounted", seen["miscounted"], at_most=0),
        Row(
            "texts counted differently", "count_mismatches", wrong, at_most=0,
            note=f"{options.texts} texts, {len(WORDS)} scripts, {len(ENCODINGS)} encodings",
        ),
        Row(
            "assembling 2,000 new messages", "assemble_2000_ms", first, "ms", at_most=15,
            note=f"medians of {RUNS}; {busy:.1f} ms of processor time",
        ),
        Row("assembling them again", "assemble_2000_again_ms", again, "ms"),
    ]  # fmt: skip
    return report(f"Context, {options.conversations} random conversations", rows, options.json)


if __name__ == "__main__":
    sys.exit(main())
