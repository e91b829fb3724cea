"""The wanted facts, the facts asserted on the board, and the difference; pure, without a board.

The difference is between the wanted facts and the last asserted ones; there is no queue of changes.
So nothing is lost while the board is unreachable, and nothing is asserted twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from spatial_reasoner.values.delta import BeliefDelta, BelievedPose, Memory

__all__ = ["Ledger", "ModelLedger", "Sayings"]

_MOST: Final = 2000
"""Statements of short-lived memories that are stored for an unreachable board; the oldest go."""


@dataclass(frozen=True, slots=True)
class Sayings:
    """Statements to retract and to assert, each in order."""

    retract: tuple[str, ...] = ()
    add: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.retract or self.add)

    def __add__(self, later: "Sayings") -> "Sayings":
        return Sayings(self.retract + later.retract, self.add + later.add)


@dataclass(slots=True)
class ModelLedger:
    """One model: the wanted facts, and those that the board holds; None if these are unknown."""

    wanted: set[str] = field(default_factory=set)
    on_board: set[str] | None = None
    open: set[str] = field(default_factory=set)
    """Facts that may differ: the cost of a difference follows the changes, not all facts."""
    passing: dict[Memory, Sayings] = field(default_factory=dict)
    """Statements to assert once, by memory; they expire by themselves."""
    is_new: bool = True
    """Whether the facts on the board were never read."""
    poses: dict[str, BelievedPose | None] = field(default_factory=dict)
    """Poses to publish; None for an object that is gone."""
    published: set[str] = field(default_factory=set)

    def take(self, delta: BeliefDelta) -> None:
        """Applies a delta to the wanted facts."""
        if delta.memory != "long_term":
            before = self.passing.get(delta.memory, Sayings())
            both = before + Sayings(delta.retract, delta.add)
            self.passing[delta.memory] = Sayings(both.retract[-_MOST:], both.add[-_MOST:])
        else:
            self.wanted.difference_update(delta.retract)
            self.wanted.update(delta.add)
            self.open.update(delta.retract, delta.add)

    def move(
        self, moved: Mapping[str, BelievedPose], all_there: Iterable[str] | None = None
    ) -> None:
        """Queues poses; with `all_there`, published objects that are not there are marked as
        gone."""
        self.poses.update(moved)
        if all_there is not None:
            gone = self.published.difference(all_there)
            self.poses.update(dict.fromkeys(sorted(gone)))

    def set_held(self, held: Iterable[str], episodes: Iterable[str] = ()) -> None:
        """Stores the facts that the board holds; `episodes` of an earlier run are to be retracted.

        Otherwise new actions with the same names would be mixed up with them.
        """
        self.on_board = set(held)
        self.open = self.on_board ^ self.wanted
        if self.is_new:
            said = self.passing.get("episodic", Sayings())
            left = Sayings(tuple(sorted(episodes))) + said
            self.passing |= {"episodic": left} if left else {}
        self.is_new = False

    def difference(self) -> Sayings:
        """The statements that make the board hold the wanted facts.

        Raises ValueError if the facts on the board are unknown.
        """
        on_board = self.on_board
        if on_board is None:
            raise ValueError("what the board holds is not known")
        self.open = {each for each in self.open if (each in on_board) != (each in self.wanted)}
        return Sayings(
            tuple(sorted(each for each in self.open if each in on_board)),
            tuple(sorted(each for each in self.open if each not in on_board)),
        )

    def accept(self, sayings: Sayings) -> None:
        """Notes that the board accepted statements; the wanted facts may have changed meanwhile."""
        if self.on_board is not None:
            self.on_board.difference_update(sayings.retract)
            self.on_board.update(sayings.add)

    def doubt(self) -> None:
        """Marks the facts on the board as unknown."""
        self.on_board = None

    def take_passing(self) -> Mapping[Memory, Sayings]:
        """Returns the statements to assert once, and removes them."""
        passing, self.passing = self.passing, {}
        return passing

    def restore_passing(self, passing: Mapping[Memory, Sayings]) -> None:
        """Puts statements that the board did not get back, before those that came since."""
        for memory, unheard in passing.items():
            self.passing[memory] = unheard + self.passing.get(memory, Sayings())

    def take_poses(self) -> Mapping[str, BelievedPose | None]:
        """Returns the poses to publish, and notes them as published."""
        poses, self.poses = self.poses, {}
        self.published.update(name for name, placed in poses.items() if placed is not None)
        self.published.difference_update(name for name, placed in poses.items() if placed is None)
        return poses


class Ledger:
    """The pages of all models, parents before nested ones."""

    def __init__(self) -> None:
        self._pages: dict[str, ModelLedger] = {}

    def __getitem__(self, model: str) -> ModelLedger:
        return self._pages[model]

    def __contains__(self, model: str) -> bool:
        return model in self._pages

    @property
    def models(self) -> Sequence[str]:
        return tuple(self._pages)

    def open(self, models: Iterable[str]) -> None:
        """Creates a page for each of the models, in their order; drops all others."""
        self._pages = {model: self._pages.get(model) or ModelLedger() for model in models}

    def take(self, deltas: Iterable[BeliefDelta]) -> None:
        """Applies deltas to their pages, in order."""
        for delta in deltas:
            self._pages[delta.model].take(delta)

    def doubt(self) -> None:
        """Marks the facts on the board as unknown for all models."""
        for page in self._pages.values():
            page.doubt()
