"""The plays of actions stand on the stage of the minds."""

from tests.plays.conftest import made, sight, staged

__all__ = ["made", "sight", "staged"]
