"""Queries the board at the end of each step: what each mind believes, and why.

Nothing here knows what was acted. Whether a ball was seen, moved or missed is read from the
histories of the models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from demos.story import Belief, Question, Step, Story, Table
from demos.tabulated import Cells, filled
from kb_server import AsyncBlackboard
from kb_server.client.calls.values import HistoryLine, Proof

__all__ = [
    "PLACES",
    "Answered",
    "Asking",
    "Difference",
    "Moment",
    "Reasons",
    "StepResult",
    "agent_of",
]

PLACES: Final = ("isIn", "isOn", "isInHand")
"""The predicates that give the place of an object."""
_OWN: Final = "myself"


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of the story, its step, and the board's `seq` of that time."""

    t: float
    step: int
    seq: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What a mind believes about the place of an object, and what its reference believes.

    The reference of Sally's mind is the robot's own. The reference of Anne's model of Sally is
    Sally's mind.
    """

    model: str
    reference: str
    thing: str
    here: tuple[str, ...]
    there: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a mind believes a fact: since when, what its agent saw last, and what the agent
    missed."""

    model: str
    fact: str
    proof: Proof
    since: Moment | None = None
    sees: bool = False
    """Whether the agent sees the object now."""
    saw: Moment | None = None
    """When the agent last saw it, if not now."""
    perceives: bool = False
    """For an agent who never saw the object: whether the agent perceives it now."""
    perceived: Moment | None = None
    """When the agent last perceived it, if not now."""
    other: str = ""
    """Another source that asserted the fact; then no percept is needed."""
    reference: str = ""
    missed: Moment | None = None
    """When the fact ceased, unseen by the agent."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, its answer, and the reasons for it.

    `asked` is the question that gave the answer: the original one, or the one it falls back on.
    `seq` is set for a question about a past state. Such an answer has no reasons, because the board
    explains only present facts.
    """

    question: Question
    asked: Question
    answer: tuple[str, ...]
    reasons: tuple[Reasons, ...] = ()
    seq: int | None = None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a question that clarifies: the candidates, each with its values of the property."""

    @property
    def is_right(self) -> bool:
        return self.answer == tuple(sorted(self.question.expected))


@dataclass(frozen=True, slots=True)
class StepResult:
    """The results of a step, as read from the board."""

    n: int
    step: Step
    seq: int
    t: float
    facts: Mapping[str, tuple[str, ...]]
    """The asserted facts of each model, in order."""
    places: Mapping[str, tuple[str, ...]]
    """Those facts that give the places of the story's objects."""
    differences: tuple[Difference, ...]
    failed: tuple[Belief, ...]
    """Expected beliefs that did not hold."""
    answered: tuple[Answered, ...]
    cells: Cells = ()
    """The content of the step's table, if it has one."""

    @property
    def is_right(self) -> bool:
        return not self.failed and all(each.is_right for each in self.answered)


def agent_of(model: str) -> str:
    """The agent whose beliefs a model describes: `sally` for `anne.sally`."""
    return model.rpartition(".")[2]


def _reference(model: str) -> str:
    """The model to compare with: `sally` for `anne.sally`, the robot's own for `sally`.

    >>> _reference("anne.sally"), _reference("sally")
    ('sally', 'myself')
    """
    return model.partition(".")[2] or _OWN


class Asking:
    """Queries one board about one story, after a `seq`; `ends` are the end times of the steps."""

    def __init__(
        self,
        kb: AsyncBlackboard,
        story: Story,
        things: Sequence[str],
        source: str,
        begin: int,
        ends: Sequence[float],
    ) -> None:
        self._kb: Final = kb
        self._story: Final = story
        self._things: Final = things
        self._source: Final = source
        self._begin: Final = begin
        self._ends: Final = ends
        self._seqs: Final[list[int]] = []
        self._there: frozenset[str] = frozenset()
        """The existing models; an agent who was never present has none."""

    async def result(self, n: int, step: Step, t: float) -> StepResult:
        """The results of a step that has just ended."""
        self._seqs.append(await latest(self._kb))
        self._there = frozenset([each.id for each in await self._kb.models()])
        models = [m for m in self._story.models if self._there.issuperset((m, _reference(m)))]
        facts = {model: await self._facts(model) for model in models}
        places = {model: self._placing(held) for model, held in facts.items()}
        return StepResult(
            n,
            step,
            self._seqs[-1],
            t,
            facts,
            places,
            tuple([each for model in models for each in await self._differences(model)]),
            tuple([each for each in step.beliefs if not await self._comes_out(each)]),
            tuple([await self._answered(each) for each in step.questions]),
            () if step.table is None else await self._filled(step.table),
        )

    async def _facts(self, model: str) -> tuple[str, ...]:
        held = self._kb.facts(model, source=self._source, kind="asserted")
        return tuple([each.fact async for each in held if each.memory == "long_term"])

    def _placing(self, facts: Sequence[str]) -> tuple[str, ...]:
        """The facts that give the places of the objects, by object."""
        found = [fact for fact in facts if self._places(fact)]
        return tuple(sorted(found, key=lambda fact: self._things.index(fact.split()[0])))

    def _places(self, fact: str) -> bool:
        subject, predicate, _ = fact.split(maxsplit=2)
        return predicate in PLACES and subject in self._things

    async def _differences(self, model: str) -> list[Difference]:
        if model == _OWN:
            return []
        reference = _reference(model)
        found = await self._kb.divergence(model, reference)
        here, there = self._placing(found.only_here), self._placing(found.only_there)
        return [
            Difference(model, reference, thing, _of(thing, here), _of(thing, there))
            for thing in self._things
            if _of(thing, here) or _of(thing, there)
        ]

    async def _comes_out(self, belief: Belief) -> bool:
        is_there = belief.model in self._there
        holds = is_there and await self._kb.check(belief.model, *belief.patterns)
        return holds == belief.is_held

    async def _answered(self, question: Question) -> Answered:
        if question.clarifies:
            return await self._clarified(question)
        seq = None if question.then is None else self._seqs[question.then - 1]
        asked, bindings = await self._asked(question, seq)
        facts = asked.facts(bindings) if seq is None else ()
        reasons = [await self._reasons(question.model, fact) for fact in facts]
        return Answered(question, asked, asked.answered(bindings), tuple(reasons), seq)

    async def _asked(
        self, question: Question, seq: int | None
    ) -> tuple[Question, list[dict[str, str]]]:
        """The first question of a chain of fallbacks with an answer, and this answer."""
        if question.model not in self._there:
            return question, []
        bindings = await self._kb.find(question.model, *question.patterns, at=seq)
        if bindings or question.instead is None:
            return question, bindings
        return await self._asked(question.instead, seq)

    async def _clarified(self, question: Question) -> Answered:
        assert question.variable is not None
        found = await self._kb.clarify(
            question.model, *question.patterns, variable=question.variable
        )
        best = found.discriminant
        values = {each: best.values.get(each, ()) for each in found.candidates}
        answer = () if best.property is None else (best.property,)
        return Answered(question, question, answer, values=values)

    async def _filled(self, table: Table) -> Cells:
        held = {
            (model, row): await self._kb.find(model, row)
            for model in table.columns
            for row in table.rows
        }
        return filled(table, lambda model, row: held[model, row])

    async def _reasons(self, model: str, fact: str) -> Reasons:
        thing, reference = fact.split()[0], _reference(model)
        proof = await self._kb.explain(model, fact)
        other = await self._other(model, fact)
        if other:
            return Reasons(model, fact, proof, other=other)
        began = await self._last(model, fact, "became_true")
        sight = f"{agent_of(model)} sees {thing}"
        sees, saw = await self._now_or_last(model, sight)
        perceives, perceived = sees, saw
        if not sees and saw is None:
            perceives, perceived = await self._now_or_last(model, f"{thing} isPerceived true")
        missed = None if model == _OWN else await self._missed(model, fact, sight)
        return Reasons(
            model, fact, proof, began, sees, saw, perceives, perceived, "", reference, missed
        )

    async def _other(self, model: str, fact: str) -> str:
        """The source of a fact, if it is not this demonstration."""
        s, p, o = fact.split(maxsplit=2)
        said = self._kb.facts(model, s=s, p=p, o=o, kind="asserted")
        sources = [each.source or "somebody" async for each in said]
        return sources[0] if sources and sources[0] != self._source else ""

    async def _now_or_last(self, model: str, fact: str) -> tuple[bool, Moment | None]:
        """Whether a fact holds; if not, when it last ceased."""
        holds = await self._kb.check(model, fact)
        return holds, None if holds else await self._last(model, fact, "ceased")

    async def _missed(self, model: str, fact: str, sight: str) -> Moment | None:
        """When a fact ceased, if the outer mind did not see that."""
        reference, outer = _reference(model), model.rpartition(".")[0] or _OWN
        if await self._kb.check(reference, fact):
            return None
        ceased = await self._last(reference, fact, "ceased")
        if ceased is None or await self._kb.check(outer, sight, at=ceased.seq):
            return None
        return ceased

    async def _last(self, model: str, fact: str, op: str) -> Moment | None:
        """When a fact last began or ceased in a model, during this demonstration."""
        s, p, o = fact.split(maxsplit=2)
        lines = await self._kb.history(model, s=s, p=p, o=o)
        found = [each for each in lines if each.op == op and each.seq > self._begin]
        return self._moment(found[-1]) if found else None

    def _moment(self, line: HistoryLine) -> Moment | None:
        if line.source_t is None:
            return None
        step = next((n for n, end in enumerate(self._ends, 1) if line.source_t <= end), 0)
        return Moment(line.source_t, step or len(self._ends) + 1, line.seq)


async def latest(kb: AsyncBlackboard) -> int:
    """The `seq` of the newest delta of a board."""
    return max((each.seq for each in await kb.models()), default=0)


def _of(thing: str, facts: Sequence[str]) -> tuple[str, ...]:
    return tuple(fact for fact in facts if fact.split()[0] == thing)
