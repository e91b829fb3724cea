"""Errors of the spatial reasoner: one tree, in which each error carries its data.

SpatialError
├── SceneError      a scene: which entity, which field
│   ├── PathRefused     a path that leaves the scene's folder
│   └── MeshRefused     a mesh or a URDF that is unreadable, too large or not allowed
├── FrameError      a percept frame: which field
├── SettingError    settings that contradict each other
└── NoRenderer      the requested renderer is not available
"""

from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

__all__ = [
    "FrameError",
    "MeshRefused",
    "NoRenderer",
    "PathRefused",
    "SceneError",
    "SettingError",
    "SpatialError",
    "like",
    "shown",
]

_LONGEST: Final = 60
"""Characters of a value in an error at most."""
_ALIKE: Final = 0.65
"""The least similarity of a name that an error suggests, from 0 to 1."""


class SpatialError(Exception):
    """Base of all errors here: `code` names the kind, `detail` holds the data."""

    code = "spatial_error"

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class SceneError(SpatialError):
    """Invalid content of a scene: `where` names the entity and the field."""

    code = "bad_scene"

    def __init__(self, where: str, message: str, **detail: object) -> None:
        super().__init__(f"{where}: {message}" if where else message, where=where, **detail)


class PathRefused(SceneError):
    """A path leads out of the scene's folder."""

    code = "path_refused"


class MeshRefused(SceneError):
    """A mesh or a URDF that is unreadable or too large."""

    code = "bad_mesh"


class FrameError(SpatialError):
    """Invalid content of a percept frame: `where` names the field."""

    code = "bad_frame"

    def __init__(self, where: str, message: str, **detail: object) -> None:
        super().__init__(f"{where}: {message}" if where else message, where=where, **detail)


class SettingError(SpatialError):
    """Settings that contradict each other."""

    code = "bad_setting"


class NoRenderer(SpatialError):
    """The requested renderer is not available on this machine."""

    code = "no_renderer"


def shown(value: object) -> str:
    """A value as an error shows it: short, and on one line."""
    written = repr(value)
    return written if len(written) <= _LONGEST else written[: _LONGEST - 1] + "…"


def like(wanted: object, known: Collection[str]) -> str:
    """The end of an error message: a question with similar known names, or nothing.

    >>> like("bal", ["ball", "box"])
    '; did you mean ball?'
    """
    lower = {each.lower(): each for each in known}
    close = [lower[each] for each in get_close_matches(str(wanted).lower(), lower, 3, _ALIKE)]
    return f"; did you mean {' or '.join(close)}?" if close else ""
