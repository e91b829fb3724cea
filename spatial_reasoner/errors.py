"""What can be wrong with what the spatial reasoner is given: one tree, each error with its data.

    SpatialError
    ├── SceneError      a scene: which entity, which field
    │   ├── PathRefused     a path that leaves the scene's folder
    │   └── MeshRefused     a mesh or URDF that can't be read or must not be
    ├── FrameError      a frame of percepts: which field
    ├── SettingError    settings that can't work together
    └── NoRenderer      the renderer that was asked for can't be had
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
    """Something is wrong; `code` names the kind, `detail` holds the data."""

    code = "spatial_error"

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class SceneError(SpatialError):
    """A scene says what it can't: `where` is the entity and the field."""

    code = "bad_scene"

    def __init__(self, where: str, message: str, **detail: object) -> None:
        super().__init__(f"{where}: {message}" if where else message, where=where, **detail)


class PathRefused(SceneError):
    """A path leads out of the scene's folder."""

    code = "path_refused"


class MeshRefused(SceneError):
    """A mesh or a URDF that can't be read, or that is too large."""

    code = "bad_mesh"


class FrameError(SpatialError):
    """A frame of percepts says what it can't: `where` is the field."""

    code = "bad_frame"

    def __init__(self, where: str, message: str, **detail: object) -> None:
        super().__init__(f"{where}: {message}" if where else message, where=where, **detail)


class SettingError(SpatialError):
    """Settings that can't work together."""

    code = "bad_setting"


class NoRenderer(SpatialError):
    """The renderer that was asked for can't be had here."""

    code = "no_renderer"
