"""Errors of the spatial reasoner: one tree, in which each error carries its data.

    SpatialError
    ├── SceneError      a scene: which entity, which field
    │   ├── PathRefused     a path that leaves the scene's folder
    │   └── MeshRefused     a mesh or a URDF that is unreadable, too large or not allowed
    ├── FrameError      a percept frame: which field
    ├── SettingError    settings that contradict each other
    └── NoRenderer      the requested renderer is not available
"""

__all__ = [
    "FrameError",
    "MeshRefused",
    "NoRenderer",
    "PathRefused",
    "SceneError",
    "SettingError",
    "SpatialError",
]


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
