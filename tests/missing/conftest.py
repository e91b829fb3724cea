"""The plays of what is missing are staged as all others are."""

from tests.plays.conftest import made, sight, staged

__all__ = ["made", "sight", "staged"]
