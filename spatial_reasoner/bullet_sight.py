"""What the ways to draw have in common that stand on Bullet: whose it is."""

from typing import Final

from spatial_reasoner.bullet import Bullet

__all__ = ["BulletSight"]


class BulletSight:
    """Draws by a Bullet of its own unless it is given one to share."""

    def __init__(self, bullet: Bullet | None = None) -> None:
        self._own: Final = bullet is None
        self._bullet: Final = bullet or Bullet()

    def close(self) -> None:
        """Gives back what it holds; a Bullet that it was given stays open."""
        if self._own:
            self._bullet.close()
