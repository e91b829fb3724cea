"""The stage of the plays, for tests of what minds believe."""

from tests.plays.conftest import made, sight, staged

__all__ = ["made", "sight", "staged"]
