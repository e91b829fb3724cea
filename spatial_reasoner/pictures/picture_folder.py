"""A folder of pictures of a replay, one a tick, and an animation of them.

`PicturingReasoner` wraps a reasoner and renders a picture after each tick that is to be kept. So a
replay does not depend on pictures.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from PIL import Image

from spatial_reasoner.pictures.overview import Painter
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.action_recognition import ActionKind
from spatial_reasoner.values.delta import BeliefDelta, BelievedPose, Look
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.likelihood import Likelihood, Meant, Said

__all__ = ["PictureFolder", "PicturingReasoner"]

_NAME: Final = re.compile(r"\d{6}_t-?\d+\.\d{3}\.png")
_FILM: Final = "replay.gif"
_SHORTEST: Final = 0.1
_LONGEST: Final = 1.5
_END: Final = 2.0
"""Seconds that a picture of the animation stays: least, most, and for the last one."""
_MOST: Final = 300
"""Pictures in an animation, for the sake of memory."""


class PictureFolder:
    """The pictures in a folder, which is created; pictures of an earlier replay are deleted.

    File names sort by time. Raises OSError if the folder can't be created or written.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder: Final = folder
        self._kept: Final[list[tuple[float, Path]]] = []
        for old in sorted(folder.iterdir()):
            if old.name == _FILM or _NAME.fullmatch(old.name):
                old.unlink()

    def __len__(self) -> int:
        return len(self._kept)

    def save(self, image: Image.Image, t: float) -> Path:
        """Writes one more picture; returns its file."""
        file = self._folder / f"{len(self._kept):06d}_t{t:.3f}.png"
        image.save(file)
        self._kept.append((t, file))
        return file

    def film(self) -> Path | None:
        """Writes the pictures as an animation, at the pace of the recording within limits.

        All its pictures are in memory at once, a megabyte each. So a long album is thinned out
        evenly.
        """
        if not self._kept:
            return None
        kept = self._kept[:: -(-len(self._kept) // _MOST)]
        times = [t for t, _ in kept]
        stays = [min(max(b - a, _SHORTEST), _LONGEST) for a, b in pairwise(times)]
        first, *rest = (_shown(file) for _, file in kept)
        film = self._folder / _FILM
        lengths = [round(1000 * each) for each in [*stays, _END]]
        first.save(film, save_all=True, append_images=rest, duration=lengths, loop=0)
        return film


def _shown(file: Path) -> Image.Image:
    """A picture with the 256 colours of a GIF; the default method would lose rare colours."""
    with Image.open(file) as image:
        return image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


class PicturingReasoner:
    """A reasoner with an album: a picture at each change of some models, or every Nth tick.

    `models` are those whose changes count; with `every`, every Nth tick is kept instead. The first
    and the last tick are always kept.
    """

    def __init__(
        self,
        reasons: SpatialReasoner,
        painter: Painter,
        picture_folder: PictureFolder,
        models: Collection[str],
        every: int | None = None,
    ) -> None:
        self._reasons: Final = reasons
        self._painter: Final = painter
        self._picture_folder: Final = picture_folder
        self._models: Final = frozenset(models)
        self._every: Final = every
        self._moments = 0
        self._is_kept = True
        self._looked: object = None

    @property
    def now(self) -> float:
        return self._reasons.now

    @property
    def models(self) -> tuple[str, ...]:
        return self._reasons.models

    def name_actions(self, prefix: str, after: Mapping[ActionKind, int]) -> None:
        self._reasons.name_actions(prefix, after)

    def tick(self, frame: Frame) -> list[BeliefDelta]:
        deltas = self._reasons.tick(frame)
        self._after(deltas)
        return deltas

    def finish(self) -> list[BeliefDelta]:
        deltas = self._reasons.finish()
        self._after(deltas)
        if not self._is_kept:
            self._save()
        return deltas

    def placed(self, model: str) -> Mapping[str, BelievedPose]:
        return self._reasons.placed(model)

    def moved(self, model: str) -> Mapping[str, BelievedPose]:
        return self._reasons.moved(model)

    def looks(self) -> Mapping[str, Look]:
        return self._reasons.looks()

    def changed_looks(self) -> Mapping[str, Look | None]:
        return self._reasons.changed_looks()

    def computed(
        self, model: str, predicate: str, subject: str | None, value: str | None
    ) -> list[str]:
        return self._reasons.computed(model, predicate, subject, value)

    async def weighed(
        self,
        model: str,
        predicate: str,
        subject: str | None,
        value: str | None,
        about: Meant | None = None,
    ) -> list[str]:
        return await self._reasons.weighed(model, predicate, subject, value, about)

    async def likely(self, model: str, said: Said) -> Likelihood | None:
        return await self._reasons.likely(model, said)

    def _after(self, deltas: Sequence[BeliefDelta]) -> None:
        """Keeps the tick that has just ended, if there was one and it counts."""
        seen = self._reasons.mind(MYSELF).seen  # a new object after each tick
        if seen is self._looked:
            return
        self._looked = seen
        self._is_kept = False
        counts = self._moments % self._every == 0 if self._every else self._tells(deltas)
        if counts or self._moments == 0:
            self._save()
        self._moments += 1

    def _tells(self, deltas: Sequence[BeliefDelta]) -> bool:
        return any(one.model in self._models and one.memory != "short_term" for one in deltas)

    def _save(self) -> None:
        self._picture_folder.save(self._painter.sheet(self._reasons).image, self._reasons.now)
        self._is_kept = True
