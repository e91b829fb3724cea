"""What a source of percepts is, and how one is found by its name.

A source is an entry point of the group `mindboard.percept_sources`, under its own name. It loads to
a function that makes one from its settings, plain data as JSON has them:

    def make(settings: Mapping[str, object], around: Surroundings) -> PerceptSource: ...

What it says wrong of its settings is a SceneError with `spot(name)` as its place. The same kind of
source may be made twice, with other settings: a left gripper and a right one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoints, entry_points
from typing import Final, Protocol

from spatial_reasoner.errors import SceneError
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.scene.fields import Spot, like
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.values.sight import Sight

__all__ = ["GROUP", "MakeSource", "PerceptSource", "Surroundings", "source_of", "spot"]

GROUP: Final = "mindboard.percept_sources"


class PerceptSource(Protocol):
    """Something that perceives; `name` is for messages."""

    @property
    def name(self) -> str:
        """What people call it."""

    async def run(self, feed: Feed) -> None:
        """Puts its frames into the feed until it has no more, or is cancelled.

        Awaiting the future of each before the next is put, as who reads a file does, none of them
        is dropped. SpatialError or OSError ends it and is told; the other sources go on.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What a source may use: the scene, and a way to make pictures of it."""

    scene: Scene
    sight: Callable[[], Sight]


MakeSource = Callable[[Mapping[str, object], Surroundings], PerceptSource]


def spot(name: str) -> Spot:
    """Where the settings of a source are, for what is wrong with them."""
    return Spot(name, SceneError)


def source_of(
    name: str,
    settings: Mapping[str, object],
    around: Surroundings,
    known: EntryPoints | None = None,
) -> PerceptSource:
    """The source of that name, made; SceneError for a name or settings that mean nothing."""
    found = entry_points(group=GROUP) if known is None else known
    if name not in found.names:
        there = like(name, found.names) or f"; there is {', '.join(sorted(found.names)) or 'none'}"
        raise SceneError("percepts", f"{name!r} is no source of percepts{there}")
    make: MakeSource = found[name].load()
    return make(settings, around)
