"""The interface of a source of percepts, and the lookup of a source by name.

To add a source `NAME`, here or in a package of your own:

1. `spatial_reasoner/sources/NAME.py`: a class with the members of `PerceptSource`, and a function
   `make(settings: Mapping[str, object], around: Surroundings) -> PerceptSource`. The settings are
   plain JSON data. For invalid ones it raises SceneError with `spot(name)` as the place.
2. `pyproject.toml`: a row of the entry points `mindboard.percept_sources`. Then install again.
3. `tests/live/test_sources.py`: valid settings in `test_sources_are_found_by_their_names`, invalid
   ones in the test below it.
4. `docs/percepts.md`: a row of the table of `--percepts`. `CHANGELOG.md`: a line.

One kind of source may be made twice with different settings, such as a left and a right gripper.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoints, entry_points
from typing import Final, Protocol

from spatial_reasoner.errors import SceneError, like
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.scene.fields import Spot
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.values.rendering import Sight

__all__ = ["GROUP", "MakeSource", "PerceptSource", "Surroundings", "source_of", "spot"]

GROUP: Final = "mindboard.percept_sources"


class PerceptSource(Protocol):
    """A source of percepts; `name` is for messages."""

    @property
    def name(self) -> str:
        """The name of the source in messages."""

    async def run(self, feed: Feed) -> None:
        """Puts frames into the feed until there are no more, or until it is cancelled.

        A source that awaits the future of each frame before it puts the next one loses none.
        SpatialError or OSError ends this source and is logged; the other sources continue.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """Resources for a source: the scene, and a function that makes a renderer."""

    scene: Scene
    sight: Callable[[], Sight]


MakeSource = Callable[[Mapping[str, object], Surroundings], PerceptSource]


def spot(name: str) -> Spot:
    """The place of the settings of a source, for errors in them."""
    return Spot(name, SceneError)


def source_of(
    name: str,
    settings: Mapping[str, object],
    around: Surroundings,
    known: EntryPoints | None = None,
) -> PerceptSource:
    """Makes the source of that name; raises SceneError for an unknown name or invalid settings."""
    found = entry_points(group=GROUP) if known is None else known
    if name not in found.names:
        there = like(name, found.names) or f"; there is {', '.join(sorted(found.names)) or 'none'}"
        raise SceneError("percepts", f"{name!r} is not a source of percepts{there}")
    make: MakeSource = found[name].load()
    return make(settings, around)
