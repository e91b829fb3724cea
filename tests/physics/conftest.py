"""The stage of the plays in which things fall."""

from tests.plays.conftest import made, sight, staged

__all__ = ["made", "sight", "staged"]
