"""The stage of the plays in which things fall."""

from tests.minds.conftest import made, sight, staged

__all__ = ["made", "sight", "staged"]
