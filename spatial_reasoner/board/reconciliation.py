"""What the board is to hold of us, what it holds, and the difference: all of it without a board.

The difference is always between what is wanted now and what was told last, never a queue of
changes. So nothing is lost when the board is away for a while, and nothing is said twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from spatial_reasoner.values.delta import Delta, Memory, Placed

__all__ = ["Ledger", "Page", "Sayings"]

_MOST: Final = 2000
"""Statements that pass: of those that a board that is away can't be told the oldest go."""


@dataclass(frozen=True, slots=True)
class Sayings:
    """Statements to withdraw and to assert, each in order."""

    retract: tuple[str, ...] = ()
    add: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.retract or self.add)

    def __add__(self, later: "Sayings") -> "Sayings":
        return Sayings(self.retract + later.retract, self.add + later.add)


@dataclass(slots=True)
class Page:
    """One model: what it should hold, and what it was told; None when that is not known."""

    wanted: set[str] = field(default_factory=set)
    told: set[str] | None = None
    open: set[str] = field(default_factory=set)
    """What may have to be said: the cost of a difference follows what happened, not what holds."""
    passing: dict[Memory, Sayings] = field(default_factory=dict)
    """What is said once and not kept up, by memory: it ends by itself."""
    is_new: bool = True
    """Whether nobody has looked yet at what the board holds."""
    poses: dict[str, Placed | None] = field(default_factory=dict)
    """What moved and was not published yet; None for what is gone."""
    published: set[str] = field(default_factory=set)

    def take(self, delta: Delta) -> None:
        """Wants what a delta says."""
        if delta.memory != "long_term":
            before = self.passing.get(delta.memory, Sayings())
            both = before + Sayings(delta.retract, delta.add)
            self.passing[delta.memory] = Sayings(both.retract[-_MOST:], both.add[-_MOST:])
        else:
            self.wanted.difference_update(delta.retract)
            self.wanted.update(delta.add)
            self.open.update(delta.retract, delta.add)

    def move(self, moved: Mapping[str, Placed], all_there: Iterable[str] | None = None) -> None:
        """Wants poses published; with `all_there`, what was published and isn't there, gone."""
        self.poses.update(moved)
        if all_there is not None:
            gone = self.published.difference(all_there)
            self.poses.update(dict.fromkeys(sorted(gone)))

    def look(self, held: Iterable[str], episodes: Iterable[str] = ()) -> None:
        """This is what the board holds; `episodes` of an earlier life are to go.

        Ours would have the same names, and be mixed up with them.
        """
        self.told = set(held)
        self.open = self.told ^ self.wanted
        if self.is_new:
            said = self.passing.get("episodic", Sayings())
            left = Sayings(tuple(sorted(episodes))) + said
            self.passing |= {"episodic": left} if left else {}
        self.is_new = False

    def difference(self) -> Sayings:
        """What to say so that the board holds what is wanted; what it holds must be known."""
        told = self.told
        if told is None:
            raise ValueError("what the board holds is not known")
        self.open = {each for each in self.open if (each in told) != (each in self.wanted)}
        return Sayings(
            tuple(sorted(each for each in self.open if each in told)),
            tuple(sorted(each for each in self.open if each not in told)),
        )

    def said(self, sayings: Sayings) -> None:
        """The board has heard; what is wanted may have changed meanwhile."""
        if self.told is not None:
            self.told.difference_update(sayings.retract)
            self.told.update(sayings.add)

    def doubt(self) -> None:
        """What the board holds is no longer known."""
        self.told = None

    def take_passing(self) -> Mapping[Memory, Sayings]:
        """What is to be said once; it is not said again."""
        passing, self.passing = self.passing, {}
        return passing

    def say_again(self, passing: Mapping[Memory, Sayings]) -> None:
        """What was taken to be said once has not been heard: it comes before what came since."""
        for memory, unheard in passing.items():
            self.passing[memory] = unheard + self.passing.get(memory, Sayings())

    def take_poses(self) -> Mapping[str, Placed | None]:
        """The poses to publish; they count as published from now on."""
        poses, self.poses = self.poses, {}
        self.published.update(name for name, placed in poses.items() if placed is not None)
        self.published.difference_update(name for name, placed in poses.items() if placed is None)
        return poses


class Ledger:
    """The pages of all models, parents before what lies in them."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}

    def __getitem__(self, model: str) -> Page:
        return self._pages[model]

    def __contains__(self, model: str) -> bool:
        return model in self._pages

    @property
    def models(self) -> Sequence[str]:
        return tuple(self._pages)

    def open(self, models: Iterable[str]) -> None:
        """Has a page for each of the models, in their order."""
        self._pages = {model: self._pages.get(model) or Page() for model in models}

    def take(self, deltas: Iterable[Delta]) -> None:
        """Wants what some deltas say, one after the other."""
        for delta in deltas:
            self._pages[delta.model].take(delta)

    def doubt(self) -> None:
        """What the board holds is no longer known of any model."""
        for page in self._pages.values():
            page.doubt()
