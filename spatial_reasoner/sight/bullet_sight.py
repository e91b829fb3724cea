"""The common base of the renderers that use Bullet."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.values.rendering import Eye, Picture, PixelRectangle, Scenery

__all__ = ["BulletSight"]


class BulletSight(ABC):
    """A renderer with its own Bullet client, or with one that it is given and shares."""

    def __init__(self, bullet: Bullet | None = None) -> None:
        self._own: Final = bullet is None
        self._bullet: Final = bullet or Bullet()

    @abstractmethod
    def render(self, eye: Eye, scenery: Scenery) -> Picture:
        """The visible row at each pixel."""

    def looks(
        self, eyes: Sequence[Eye], sceneries: Sequence[Scenery], parts: Sequence[PixelRectangle]
    ) -> list[Picture]:
        """Parts of the pictures of many eyes, which are rendered in whole, one after the other."""
        return [
            self.render(eye, scenery)[part.top : part.bottom, part.left : part.right]
            for eye, scenery, part in zip(eyes, sceneries, parts, strict=True)
        ]

    def close(self) -> None:
        """Closes its own Bullet client; a shared one stays open."""
        if self._own:
            self._bullet.close()
