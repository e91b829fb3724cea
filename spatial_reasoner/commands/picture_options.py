"""The options of pictures, evaluated."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from kb_server.program import CommandFailed, UsageError
from spatial_reasoner.commands.opening import opened_sight
from spatial_reasoner.percepts.percepts import PerceptSettings
from spatial_reasoner.pictures.overview import Painter
from spatial_reasoner.pictures.picture_data import minds_of
from spatial_reasoner.pictures.picture_folder import PictureFolder, PicturingReasoner
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.delta import Reasons

__all__ = ["opened_pictured", "pictured_minds"]

_ALL: Final = "all"
_MOST: Final = 24
"""Minds on a sheet; with more, the panels are too small to read."""


@contextmanager
def opened_pictured(
    args: argparse.Namespace,
    scene: Scene,
    tolerances: Tolerances | None = None,
    settings: PerceptSettings | None = None,
) -> Iterator[Reasons]:
    """A reasoner on the scene that writes pictures; the animation is written at the end."""
    models = pictured_minds(args.render_minds, scene)
    picture_folder = _picture_folder(args.render)
    with (
        opened_sight(args.sight) as sight,
        closing(SpatialReasoner(scene, sight, tolerances, settings)) as reasons,
    ):
        painter = Painter(sight, scene.name, models, args.render_size)
        yield PicturingReasoner(reasons, painter, picture_folder, models, args.render_every)
    if args.gif:
        picture_folder.film()
    count = f"{len(picture_folder)} picture{'' if len(picture_folder) == 1 else 's'}"
    print(f"{count} in {args.render}", file=sys.stderr)


def _picture_folder(folder: Path) -> PictureFolder:
    try:
        return PictureFolder(folder)
    except OSError as reason:
        raise CommandFailed(f"{folder} can't be written: {reason.strerror}") from None


def pictured_minds(asked: str | None, scene: Scene) -> Sequence[str]:
    """The minds to draw, in the order given; raises UsageError for unknown ones or too many."""
    if asked is None or asked == _ALL:
        models = minds_of(scene, 1 if asked is None else None)
    else:
        known = set(minds_of(scene))
        models = list(dict.fromkeys(one.strip() for one in asked.split(",")))
        for model in models:
            if model not in known:
                raise UsageError(
                    f"the scene has no mind {model!r}; it has {', '.join(sorted(known))}"
                )
    if len(models) > _MOST:
        raise UsageError(f"{len(models)} minds are too many; select up to {_MOST}: --render-minds")
    return models
