"""The stage of the plays in which things fall, slide and are carried: that of all plays."""

from tests.plays.conftest import made, sight, staged

__all__ = ["made", "sight", "staged"]
