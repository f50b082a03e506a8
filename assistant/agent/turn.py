"""One turn: recall, inject as quoted data, stream, save."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from contextvars import Context
from typing import Any

from assistant.agent.answers import Situation, TurnAnswers
from assistant.agent.events import (
    MemoryProposed,
    MemorySaved,
    Recalled,
    ReplyReasoning,
    ReplyText,
    TurnDone,
    TurnEvent,
    TurnResult,
    TurnStarted,
    memory_events,
)
from assistant.agent.guardrails import Guards
from assistant.agent.history import Summary
from assistant.agent.learning import TurnLearning, TurnLesson
from assistant.agent.pacing import PacedReply, joined_events
from assistant.agent.prompting import assembled, plain_prompt
from assistant.agent.remembering import Recollection, TurnMemory
from assistant.agent.summaries import end_of_left_out, quoted_summary
from assistant.agent.transcript import Transcript
from assistant.agent.turn_notes import context_notes, error_notes, memory_notes
from assistant.agent.turn_options import EndedTurn, Prompt, TurnOptions, TurnTask
from assistant.agent.waiting import closed_meanwhile
from assistant.cache.base import CachedAnswer
from assistant.context.engine import ContextEngine
from assistant.context.reports import Assembly, ContextReport
from assistant.conversation.base import MessageState
from assistant.core.errors import AssistantError, GuardrailError, ModelError, ReplyCutError
from assistant.core.tasks import Supervisor
from assistant.core.text import drop_lone_surrogates
from assistant.core.types import Message
from assistant.models.base import ChatModel, Finished, ModelEvent, ReasoningDelta, TextDelta


class Turn:
    """Runs once. Nothing was stored, recalled or sent before `run` is iterated.

    Args:
        task: what is to be answered.
        model: answers.
        memory: recalls.
        learning: keeps what is worth keeping.
        answers: gives and keeps answers that can be given again.
        guards: what is sent and shown passes them.
        transcript: where the conversation is stored, None for nowhere.
        options: see TurnOptions.
        tasks: owns what runs beside the turn.
        context: context variables that the code of model, memory and store sees.
    """

    def __init__(
        self,
        task: TurnTask,
        *,
        model: ChatModel,
        memory: TurnMemory,
        learning: TurnLearning,
        answers: TurnAnswers,
        guards: Guards,
        transcript: Transcript | None,
        options: TurnOptions,
        tasks: Supervisor,
        context: Context,
    ) -> None:
        self._task = task
        self._model = model
        self._memory = memory
        self._lesson = TurnLesson(learning, task, transcript, context)
        self._sent_to: str | None = None
        self._answers = answers
        self._guards = guards
        self._transcript = transcript
        self._options = options
        self._tasks = tasks
        self._context = context
        self._messages: Sequence[Message] = task.messages
        self._user_message_id: str | None = None
        self._recollection = Recollection("none")
        self._note = ""
        self._assembly: Assembly | None = None
        self._summary: Summary | None = None
        self._left_out = -1
        self._report: ContextReport | None = None
        self._held: list[str] = []
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._finished: Finished | None = None
        self._cached = False
        self._paced: PacedReply | None = None
        self._stopped = False

    async def run(self) -> AsyncGenerator[TurnEvent, None]:
        """Take the turn, event by event. Closing the iterator, or cancelling, stops the reply and keeps it."""
        since = self._answers.moment()
        for message in self._task.messages:
            # Before anything is stored: what is refused leaves no trace.
            if message.role == "user":
                await self._guards.checked_input(message.content)
        try:
            history = await self._begin()
            self._lesson.hold()
            yield self._started()
            await self._recall(history)
            yield Recalled(
                self._recollection.memories,
                self._recollection.status,
                self._recollection.note,
                self._recollection.items,
            )
            situation, prompt = await self._situation(self._prompt(history), since)
            async with aclosing(self._reply(situation, prompt)) as reply:
                async for event in reply:
                    yield event
            await self._finish()
            await self._keep_answer(situation)
        except (asyncio.CancelledError, GeneratorExit) as stopped:
            self._lesson.learn_later(self._sent_to, stopped)
            await self._give_up("stopped", {})
            raise
        except AssistantError as error:
            await self._give_up("cut" if isinstance(error, ReplyCutError) else "failed", error_notes(error))
            if isinstance(error, ModelError):
                # Keeping what was asked to be kept needs no model.
                for kept in await self._learn():
                    yield kept
            else:
                self._lesson.learn_later(self._sent_to, error)
            raise
        except BaseException as error:
            self._lesson.learn_later(self._sent_to, error)
            await self._give_up("failed", {})
            raise
        for kept in await self._learn():
            yield kept
        yield TurnDone(self._result())

    async def stop(self, grace: float) -> None:
        """End the reply from outside, as stopped, and keep what there is of it.

        Args:
            grace: seconds to wait for a write that is under way.
        """
        self._stopped = True
        if self._paced is not None:
            await self._paced.stop()
        if self._transcript is not None:
            await self._transcript.stop(grace)

    @property
    def ended(self) -> EndedTurn | None:
        """What it leaves for the time after it; None when nothing is stored."""
        transcript, owner = self._transcript, self._task.owner
        if transcript is None or owner is None:
            return None
        summarised = -1 if self._summary is None else self._summary.last
        return EndedTurn(
            transcript.session_id, owner, transcript.is_temporary, self._left_out, summarised, self._context
        )

    async def _begin(self) -> list[Message]:
        """Store what the user said and open the reply; returns the earlier messages."""
        transcript = self._transcript
        if transcript is None:
            return []
        notes = {"model": self._model.name, "host": self._model.host}
        wanted = self._options.history_messages
        if self._task.answer_to is None:
            earlier, self._user_message_id = await transcript.begin(
                self._task.messages, history=wanted, notes=notes, instead_of=self._task.instead_of
            )
            return earlier
        earlier, question = await transcript.begin_again(self._task.answer_to, history=wanted, notes=notes)
        self._user_message_id, self._messages = self._task.answer_to, (question,)
        return earlier

    def _started(self) -> TurnStarted:
        transcript = self._transcript
        if transcript is None:
            return TurnStarted(None, None, None)
        return TurnStarted(transcript.session_id, self._user_message_id, transcript.reply_id)

    async def _recall(self, history: Sequence[Message]) -> None:
        question = self._messages[-1].content
        self._recollection = await self._memory.recall(
            question,
            self._task.owner,
            self._context,
            history=[*history, *self._messages[:-1]],
            session_id=None if self._transcript is None else self._transcript.session_id,
        )
        self._note = self._recollection.note
        self._check_going_on()
        if self._options.context_engine is not None:
            # Before anybody is told what was recalled: not all of it may fit.
            await self._assemble(self._options.context_engine, history)
        notes: dict[str, Any] = {}
        if self._recollection.items:
            notes["recalled"] = [memory_notes(item) for item in self._recollection.items]
        if self._note:
            notes["memory_note"] = self._note
        if notes and self._transcript is not None:
            await self._transcript.note(notes)

    async def _assemble(self, engine: ContextEngine, history: Sequence[Message]) -> None:
        if self._transcript is not None and self._options.summaries:
            self._summary = await self._transcript.summary(history)
        self._assembly, self._recollection = await assembled(
            engine.for_turn(self._model, reply_limit=self._options.chat.max_tokens),
            instructions=self._options.instructions,
            given=self._messages,
            history=history,
            recollection=self._recollection,
            summary=self._summary,
        )
        self._report = self._assembly.report
        self._left_out = end_of_left_out(history, self._assembly.fallen_out)

    def _prompt(self, history: Sequence[Message]) -> list[Message]:
        if self._assembly is not None:
            return list(self._assembly)
        return plain_prompt(self._options, self._messages, history, self._recollection.message)

    async def _situation(self, prompt: list[Message], since: int) -> tuple[Situation, list[Message]]:
        """The prompt as the guardrails let it pass, and what its answer depends on."""
        memories = self._recollection.message
        quoted = None if memories is None or memories not in prompt else prompt.index(memories)
        checked = await self._guards.checked_prompt(prompt, memories, quoted_summary(self._summary))
        said_at = self._answers.places(self._recollection.memories)
        asked_before = {} if self._transcript is None else await self._transcript.asked_before(said_at)
        situation = self._answers.situation(
            checked,
            self._recollection,
            quoted=quoted,
            model=self._model,
            instructions=self._options.instructions,
            options=self._options.chat,
            context=self._context,
            since=since,
            asked_before=asked_before,
            session_id=None if self._transcript is None else self._transcript.session_id,
        )
        return situation, checked

    async def _reply(
        self, situation: Situation, prompt: Sequence[Message]
    ) -> AsyncGenerator[TurnEvent, None]:
        """The answer that was given before in this situation, else the model's. Asked again, it is the model's."""
        found = None
        if self._task.answer_to is None:
            found = await self._answers.find(situation, self._context)
        if found is None and self._task.on_prompt is not None:
            self._task.on_prompt(Prompt(tuple(prompt), self._report))
        events = self._stream(prompt) if found is None else self._again(situation, found)
        async with aclosing(events):
            async for event in events:
                yield event

    async def _again(self, situation: Situation, found: CachedAnswer) -> AsyncGenerator[TurnEvent, None]:
        self._check_going_on()
        try:
            text = await self._guards.checked_reply(found.answer)
        except GuardrailError:
            await self._answers.discard(situation, found, self._context)
            raise
        # It was sent there when the answer was given that is given again.
        self._cached, self._sent_to = True, self._model.host
        if self._transcript is not None:
            await self._transcript.note({"cached": True})
        yield await self._show(text)
        self._finished = Finished("stop")

    async def _keep_answer(self, situation: Situation) -> None:
        lasting = self._transcript is None or not self._transcript.is_temporary
        if lasting and not self._cached and self._finished is not None:
            await self._answers.keep(situation, "".join(self._text), self._finished.reason, self._context)

    async def _stream(self, prompt: Sequence[Message]) -> AsyncGenerator[TurnEvent, None]:
        self._check_going_on()
        self._sent_to = self._model.host
        self._paced = PacedReply(
            self._model.stream(prompt, options=self._options.chat), self._tasks, self._context
        )
        try:
            async with aclosing(self._paced.handfuls()) as handfuls:
                async for events in handfuls:
                    for event in joined_events(events):
                        async for shown in self._take(event):
                            yield shown
                    if self._finished is not None:
                        return
        finally:
            await self._paced.stop()
        self._check_going_on()
        raise ReplyCutError("The model ended its reply in the middle.", partial="".join(self._text))

    async def _take(self, event: ModelEvent) -> AsyncGenerator[TurnEvent, None]:
        match event:
            case TextDelta(text):
                text = drop_lone_surrogates(text)
                if self._guards.look_at_replies:
                    self._held.append(text)
                    return
                yield await self._show(text)
            case ReasoningDelta(text):
                if self._guards.look_at_replies:
                    # A thought is no reply, and a guardrail looks at whole replies.
                    return
                text = drop_lone_surrogates(text)
                self._reasoning.append(text)
                yield ReplyReasoning(text)
            case Finished():
                if self._held:
                    yield await self._show(await self._guards.checked_reply("".join(self._held)))
                self._finished = event

    async def _show(self, text: str) -> ReplyText:
        if self._transcript is not None:
            await self._transcript.extend(text)
        self._text.append(text)
        return ReplyText(text)

    async def _finish(self) -> None:
        if self._finished is None:
            return
        usage = self._finished.usage
        if self._options.context_engine is not None and self._assembly is not None and not self._cached:
            self._report = self._options.context_engine.learn(self._assembly, usage)
        if self._transcript is None:
            return
        self._keep_said()
        notes: dict[str, Any] = {
            "finish": self._finished.reason,
            "usage": {
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.completion_tokens,
            },
        }
        await self._transcript.finish("complete", notes | context_notes(self._report) | self._thoughts())

    async def _give_up(self, state: MessageState, notes: Mapping[str, Any]) -> None:
        if self._transcript is not None:
            self._keep_said()
            await self._transcript.give_up(state, dict(notes) | self._thoughts())

    def _keep_said(self) -> None:
        if self._transcript is not None and not self._transcript.is_temporary:
            said = self._transcript.said("".join(self._text))
            self._memory.keep_said(said, self._task.owner, self._context)

    def _thoughts(self) -> dict[str, Any]:
        return {"reasoning": "".join(self._reasoning)} if self._reasoning else {}

    async def _learn(self) -> list[MemorySaved | MemoryProposed]:
        learned, note = await self._lesson.learn(self._sent_to)
        if note:
            self._note = f"{self._note} {note}".strip()
            if self._transcript is not None:
                await self._transcript.note({"memory_note": self._note})
        await self._answers.outdated(learned, self._context)
        return memory_events(learned)

    def _check_going_on(self) -> None:
        if self._stopped:
            raise closed_meanwhile()

    def _result(self) -> TurnResult:
        assert self._finished is not None
        reply = Message("assistant", "".join(self._text))
        return TurnResult(
            messages=[*self._messages, reply],
            recalled=list(self._recollection.memories),
            memory_status="failed" if self._note else self._recollection.status,
            memory_note=self._note,
            cached=self._cached,
            usage=self._finished.usage,
            finish=self._finished.reason,
            session_id=None if self._transcript is None else self._transcript.session_id,
            context=self._report,
        )
