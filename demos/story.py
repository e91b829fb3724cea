"""What a story is: values that say what happens, and what is to come out of it.

A story has cases: the main one first, and beside it controls in which the false belief must not
arise. A case is told in steps. In each something is acted, by a choreography; then some beliefs
are expected, and some questions asked of the board. What is expected is compared with what the
board answers, and is told to nobody else.
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
    """That some patterns hold together in a model at the end of a step, or that they don't."""

    model: str
    patterns: tuple[str, ...]
    is_held: bool = True


def holds(model: str, *facts: str) -> tuple[Belief, ...]:
    """A mind is expected to hold each of these.

    >>> holds("sally", "ball isIn basket")
    (Belief(model='sally', patterns=('ball isIn basket',), is_held=True),)
    """
    return tuple(Belief(model, (fact,)) for fact in facts)


def lacks(model: str, *facts: str) -> tuple[Belief, ...]:
    """A mind is expected to hold none of these."""
    return tuple(Belief(model, (fact,), False) for fact in facts)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a model, and the answer that is right for it.

    With a variable in the patterns the answers are its values (those of the first one), sorted;
    without any the answer is `yes` or `no`. What is explained is the first pattern, answered.
    Where the patterns have no answer, `otherwise` is asked in their place, if there is any. `then`
    is the number of a past step: it is asked of the model as it was at that step's end.
    With `clarifies` the answer is the property that best tells apart what the patterns may mean,
    or none where nothing is to be told apart.
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
        """The question that is asked when this one has no answer."""
        return replace(self, patterns=self.otherwise, otherwise=()) if self.otherwise else None

    @property
    def variable(self) -> str | None:
        """What is asked for: the first variable of the patterns."""
        words = (word for pattern in self.patterns for word in pattern.split())
        return next((word for word in words if word.startswith("?")), None)

    def answered(self, bindings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
        """The answer that some bindings come to.

        >>> where = Question("Where is it?", "myself", ("ball isIn ?where",), ("box",))
        >>> where.answered([{"where": "box"}]), where.answered([])
        (('box',), ())
        """
        if self.variable is None:
            return ("yes" if bindings else "no",)
        name = self.variable.removeprefix("?")
        return tuple(sorted({each[name] for each in bindings}))

    def facts(self, bindings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
        """The facts that the first pattern stands for, answered so."""
        return tuple(dict.fromkeys(filled_in(self.patterns[0], each) for each in bindings))


@dataclass(frozen=True, slots=True)
class Table:
    """What several minds hold of the same: a column for each (`columns`: headings by model).

    A row is a pattern such as `ball isIn ?where`; what a mind holds of it stands in its column.
    """

    title: str
    columns: Mapping[str, str]
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a case: what is told, what is acted, and what each mind then holds."""

    title: str
    says: str
    act: Act
    beliefs: tuple[Belief, ...] = ()
    questions: tuple[Question, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which a story goes."""

    name: str
    about: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A story: its scene is a file in the folder of the scenes, and its main case the first.

    `models` are the minds that are shown, `things` what is shown of them (of all that can move,
    unless it is said). `ontology` are files beside the scene that the board is to know as well.
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
        """The case of that name, or the main one; KeyError when there is none such."""
        return self.cases[0] if name is None else {each.name: each for each in self.cases}[name]

    def files(self) -> Iterator[Path]:
        """The files of its ontology."""
        return (SCENES / name for name in self.ontology)


def filled_in(pattern: str, bindings: Mapping[str, str]) -> str:
    """A pattern with values for its variables."""
    words = pattern.split()
    return " ".join(bindings.get(word.removeprefix("?"), word) if word[0] == "?" else word
                    for word in words)  # fmt: skip
