"""What the ways to draw have in common that stand on Bullet: whose it is."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from spatial_reasoner.bullet import Bullet
from spatial_reasoner.sight import Eye, Picture, Scenery

__all__ = ["BulletSight"]


class BulletSight(ABC):
    """Draws by a Bullet of its own unless it is given one to share."""

    def __init__(self, bullet: Bullet | None = None) -> None:
        self._own: Final = bullet is None
        self._bullet: Final = bullet or Bullet()

    @abstractmethod
    def look(self, eye: Eye, scenery: Scenery) -> Picture:
        """Which row shows at each point; what is in front hides what is behind."""

    def looks(self, eyes: Sequence[Eye], sceneries: Sequence[Scenery]) -> list[Picture]:
        """The same for many eyes, each with what there is for it: one after the other."""
        return [self.look(*each) for each in zip(eyes, sceneries, strict=True)]

    def close(self) -> None:
        """Gives back what it holds; a Bullet that it was given stays open."""
        if self._own:
            self._bullet.close()
