"""The scene's folder: the one way to a file that a scene, or a file of the scene, names.

What is outside stays outside, whatever the name looks like: `..`, an absolute path, a symbolic
link, `file://`, `package://`. The libraries that read meshes follow all of these, so they never
get a path, only bytes that were read here.
"""

import os
import re
import stat
from pathlib import Path
from typing import Final

from spatial_reasoner.errors import MeshRefused, PathRefused

__all__ = ["Folder"]

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LARGEST: Final = 64 * 2**20


class Folder:
    """A folder, and what lies below it.

    `path` is where names start from, `fence` what they must not leave; they are the same but for
    the names in a file that lies deeper (see `beside`).
    """

    def __init__(self, path: Path | str, fence: Path | str | None = None) -> None:
        self.path: Final = Path(os.path.realpath(path))
        self.fence: Final = self.path if fence is None else Path(os.path.realpath(fence))

    def beside(self, name: str, where: str) -> "Folder":
        """The folder that the names inside a file start from: its own, with the same fence."""
        return Folder(self.resolve(name, where).parent, self.fence)

    def resolve(self, name: str, where: str) -> Path:
        """The real path of a file below the folder; `where` is the entity and the field.

        Raises PathRefused for what leads elsewhere, whether or not there is something.
        """
        if not name or "\0" in name or len(name) > 1000:
            raise PathRefused(where, "is the path of a file, below the scene's folder", path=name)
        if _SCHEME.match(name) or "\\" in name:
            raise PathRefused(
                where, f"{name!r} is no plain path: write it with / and without a scheme", path=name
            )
        if name.startswith("/"):
            raise PathRefused(where, f"{name!r} is absolute; it must be relative", path=name)
        real = Path(os.path.realpath(self.path / name))
        if not real.is_relative_to(self.fence):
            raise PathRefused(where, f"{name!r} leaves the scene's folder", path=name)
        return real

    def read(self, name: str, where: str, largest: int = _LARGEST) -> bytes:
        """The bytes of a file below the folder.

        Raises PathRefused, and MeshRefused for a file that isn't there or is too large.
        """
        real = self.resolve(name, where)
        try:
            return _read(real, largest)
        except ValueError as error:
            raise MeshRefused(where, f"{name!r} {error}", path=name) from None
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise MeshRefused(where, f"{name!r} can't be read: {reason}", path=name) from None


def _read(real: Path, largest: int) -> bytes:
    """The bytes of a plain file; a link put in its place isn't followed, a pipe not awaited."""
    handle = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("is no plain file")
        content = file.read(largest + 1)
    if len(content) > largest:
        raise ValueError(f"is larger than {largest} bytes")
    return content
