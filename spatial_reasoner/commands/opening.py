"""Opens what `replay` and `perceive` need: a scene, a renderer and a reasoner."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from kb_server import Blackboard
from spatial_reasoner.percepts.percepts import PerceptSettings
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import read_scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.renderers import chosen_sight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.delta import Reasons

__all__ = ["opened_reasons", "opened_scene", "opened_sight"]

_log: Final = logging.getLogger(__name__)


def opened_scene(
    file: Path,
    url: str | None,
    token: str | None,
    tolerances: Tolerances,
    ontology: Sequence[Path] = (),
) -> Scene:
    """Reads the scene of a file; the properties of its classes come from the board's ontology.

    Without a board they come from the common-sense ontology and the given files.
    """
    with Blackboard.local(ontology=ontology) if url is None else Blackboard(url, token) as kb:
        return read_scene(file, BoardKnowledge(kb), tolerances)


@contextmanager
def opened_sight(name: str) -> Iterator[CloseUpSight]:
    """A renderer, closed at the end of the block."""
    sight = chosen_sight(name, _log.info)
    try:
        yield sight
    finally:
        sight.close()


@contextmanager
def opened_reasons(
    scene: Scene, sight: str, tolerances: Tolerances, settings: PerceptSettings
) -> Iterator[Reasons]:
    """A reasoner on the scene; all its resources are closed at the end of the block."""
    with (
        opened_sight(sight) as drawn,
        closing(SpatialReasoner(scene, drawn, tolerances, settings)) as reasons,
    ):
        yield reasons
