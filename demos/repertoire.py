"""All stories: a new one is a row here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from demos import director, ice_cream, sally_anne, smarties, table
from demos.story import Story

__all__ = ["STORIES"]

STORIES: Final[Mapping[str, Story]] = MappingProxyType(
    {each.STORY.name: each.STORY for each in (sally_anne, ice_cream, smarties, director, table)}
)
"""By name, in the order of the list."""
