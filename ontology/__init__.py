"""The common-sense ontology: what the robot takes for granted, as Turtle files by subject.

>>> [path.stem for path in files()]
['upper', 'things', 'qualities', 'space', 'mind', 'action']
"""

from pathlib import Path
from typing import Final

__all__ = ["files"]

_SUBJECTS: Final = ("upper", "things", "qualities", "space", "mind", "action")


def files() -> tuple[Path, ...]:
    """The Turtle files that together are the ontology, the most general subject first."""
    return tuple(Path(__file__).with_name(f"{subject}.ttl") for subject in _SUBJECTS)
