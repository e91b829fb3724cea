"""The scene's folder: the only access to files that a scene, or a file of the scene, names.

Files outside the folder are refused for any form of the name: `..`, an absolute path, a symbolic
link, `file://`, `package://`. The danger: the libraries that read meshes follow all of these. So
they never get a path, only bytes that were read here.
"""

import os
import re
import stat
from pathlib import Path
from typing import Final

from spatial_reasoner.errors import MeshRefused, PathRefused
from spatial_reasoner.tolerances.cavities import USUAL, CavityTolerances

__all__ = ["Folder"]

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LARGEST: Final = 64 * 2**20
"""Bytes of a file at most."""


class Folder:
    """A folder and all below it.

    Names are relative to `path` and must not leave `fence`. The two are equal, except for names in
    a file in a subfolder (see `beside`). `tolerances` are those by which its meshes are read.
    """

    def __init__(
        self,
        path: Path | str,
        fence: Path | str | None = None,
        tolerances: CavityTolerances = USUAL,
    ) -> None:
        self.tolerances: Final = tolerances.cavities
        self.path: Final = Path(os.path.realpath(path))
        self.fence: Final = self.path if fence is None else Path(os.path.realpath(fence))

    def beside(self, name: str, where: str) -> "Folder":
        """The folder for names inside a file: the folder of that file, with the same fence."""
        return Folder(self.resolve(name, where).parent, self.fence, self.tolerances)

    def resolve(self, name: str, where: str) -> Path:
        """The real path of a file below the folder; `where` is the entity and the field.

        Raises PathRefused for a name that leads elsewhere, whether or not the file exists.
        """
        if not name or "\0" in name or len(name) > 1000:
            raise PathRefused(where, "must be the path of a file in the scene's folder", path=name)
        if _SCHEME.match(name) or "\\" in name:
            raise PathRefused(
                where, f"{name!r} is not a plain path; write it with / and no scheme", path=name
            )
        if name.startswith("/"):
            raise PathRefused(where, f"{name!r} is absolute; it must be relative", path=name)
        real = Path(os.path.realpath(self.path / name))
        if not real.is_relative_to(self.fence):
            raise PathRefused(where, f"{name!r} leaves the scene's folder", path=name)
        return real

    def read(self, name: str, where: str, largest: int = _LARGEST) -> bytes:
        """The bytes of a file below the folder.

        Raises PathRefused, and MeshRefused for a file that does not exist or is too large.
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
    """The bytes of a regular file; it does not follow a link put in its place or wait on a pipe."""
    handle = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("is no plain file")
        content = file.read(largest + 1)
    if len(content) > largest:
        raise ValueError(f"is larger than {largest} bytes")
    return content
