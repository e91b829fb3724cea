"""What the ways to draw have in common that stand on Bullet: whose it is."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.values.sight import Eye, Part, Picture, Scenery

__all__ = ["BulletSight"]


class BulletSight(ABC):
    """Draws by a Bullet of its own unless it is given one to share."""

    def __init__(self, bullet: Bullet | None = None) -> None:
        self._own: Final = bullet is None
        self._bullet: Final = bullet or Bullet()

    @abstractmethod
    def look(self, eye: Eye, scenery: Scenery) -> Picture:
        """Which row shows at each point; what is in front hides what is behind."""

    def looks(
        self, eyes: Sequence[Eye], sceneries: Sequence[Scenery], parts: Sequence[Part]
    ) -> list[Picture]:
        """Parts of the pictures of many eyes: one after the other, each drawn whole."""
        return [
            self.look(eye, scenery)[part.top : part.bottom, part.left : part.right]
            for eye, scenery, part in zip(eyes, sceneries, parts, strict=True)
        ]

    def close(self) -> None:
        """Gives back what it holds; a Bullet that it was given stays open."""
        if self._own:
            self._bullet.close()
