"""The definition of stories: what happens, and which beliefs are expected.

A story has cases: the main one first, then controls in which the false belief must not arise. A
case is a sequence of steps. Each step acts a choreography, then checks expected beliefs and asks
questions. Expectations are only compared with the answers of the board; they never reach the
reasoner.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from demos.choreography import Choreography

__all__ = [
    "SCENES",
    "Act",
    "Belief",
    "Case",
    "Question",
    "Step",
    "Story",
    "Table",
    "filled_in",
    "holds",
    "lacks",
]

SCENES: Final = Path(__file__).parent / "scenes"
Act = Callable[[Choreography], object]


@dataclass(frozen=True, slots=True)
class Belief:
    """Patterns that hold together in a model at the end of a step, or that must not hold."""

    model: str
    patterns: tuple[str, ...]
    is_held: bool = True


def holds(model: str, *facts: str) -> tuple[Belief, ...]:
    """A mind is expected to believe each of these facts.

    >>> holds("sally", "ball isIn basket")
    (Belief(model='sally', patterns=('ball isIn basket',), is_held=True),)
    """
    return tuple(Belief(model, (fact,)) for fact in facts)


def lacks(model: str, *facts: str) -> tuple[Belief, ...]:
    """A mind is expected to believe none of these facts."""
    return tuple(Belief(model, (fact,), False) for fact in facts)


@dataclass(frozen=True, slots=True)
class Question:
    """A query of a model, and its right answer.

    - With a variable in the patterns, the answer is the sorted values of the first variable;
      without one, it is `yes` or `no`. The explanation is of the first pattern.
    - If the patterns have no answer, `otherwise` is asked instead, if given.
    - `then` is the number of a past step: the query is about the end of that step.
    - With `clarifies`, the answer is the property that best distinguishes the candidates, or none
      if there is only one.
    """

    ask: str
    model: str
    patterns: tuple[str, ...]
    expected: tuple[str, ...]
    otherwise: tuple[str, ...] = ()
    then: int | None = None
    clarifies: bool = False

    @property
    def instead(self) -> "Question | None":
        """The question to ask if this one has no answer."""
        return replace(self, patterns=self.otherwise, otherwise=()) if self.otherwise else None

    @property
    def variable(self) -> str | None:
        """The first variable of the patterns."""
        words = (word for pattern in self.patterns for word in pattern.split())
        return next((word for word in words if word.startswith("?")), None)

    def answered(self, bindings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
        """The answer that the bindings give.

        >>> where = Question("Where is it?", "myself", ("ball isIn ?where",), ("box",))
        >>> where.answered([{"where": "box"}]), where.answered([])
        (('box',), ())
        """
        if self.variable is None:
            return ("yes" if bindings else "no",)
        name = self.variable.removeprefix("?")
        return tuple(sorted({each[name] for each in bindings}))

    def facts(self, bindings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
        """The facts of the first pattern with the values of the answer."""
        return tuple(dict.fromkeys(filled_in(self.patterns[0], each) for each in bindings))


@dataclass(frozen=True, slots=True)
class Table:
    """What several minds believe about the same patterns; `columns` are headings by model.

    A row is a pattern such as `ball isIn ?where`; each cell shows the facts of one mind.
    """

    title: str
    columns: Mapping[str, str]
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a case: its text, its choreography, and the beliefs expected at its end."""

    title: str
    says: str
    act: Act
    beliefs: tuple[Belief, ...] = ()
    questions: tuple[Question, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One variant of a story."""

    name: str
    about: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A story: its scene is a file in the folder of scenes; its first case is the main one.

    `models` are the minds to show, `things` the objects to show (default: all that can move).
    `ontology` are files beside the scene that the board needs in addition.
    """

    name: str
    title: str
    about: str
    scene: str
    models: tuple[str, ...]
    cases: tuple[Case, ...]
    things: tuple[str, ...] = ()
    ontology: tuple[str, ...] = field(default=())

    def case(self, name: str | None) -> Case:
        """The case of that name, or the main one; raises KeyError for an unknown name."""
        return self.cases[0] if name is None else {each.name: each for each in self.cases}[name]

    def files(self) -> Iterator[Path]:
        """The files of its ontology."""
        return (SCENES / name for name in self.ontology)


def filled_in(pattern: str, bindings: Mapping[str, str]) -> str:
    """A pattern with values instead of its variables."""
    words = pattern.split()
    return " ".join(bindings.get(word.removeprefix("?"), word) if word[0] == "?" else word
                    for word in words)  # fmt: skip
