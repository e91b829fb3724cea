"""Nothing outside a scene's folder is opened, however it is named."""

import os
from pathlib import Path

import pytest

from spatial_reasoner.errors import MeshRefused, PathRefused
from spatial_reasoner.scene.folder import Folder

WHERE = "entities.mug.mesh"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder with files of its own, beside a secret."""
    inside = tmp_path / "scene"
    (inside / "sub").mkdir(parents=True)
    (tmp_path / "secret.obj").write_text("secret")
    (tmp_path / "scene2").mkdir()
    (tmp_path / "scene2" / "near.obj").write_text("near")
    (inside / "mug.obj").write_text("mug")
    (inside / "sub" / "cup.obj").write_text("cup")
    (inside / "link.obj").symlink_to(tmp_path / "secret.obj")
    (inside / "away").symlink_to(tmp_path)
    (inside / "again.obj").symlink_to("mug.obj")
    os.mkfifo(inside / "pipe.obj")
    return Folder(inside)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mug.obj", b"mug"),
        ("sub/cup.obj", b"cup"),
        ("sub/../mug.obj", b"mug"),
        ("./sub//cup.obj", b"cup"),
        ("again.obj", b"mug"),
        ("away/scene/mug.obj", b"mug"),
    ],
)
def test_what_lies_inside_is_read(folder: Folder, name: str, content: bytes) -> None:
    """A relative name that ends inside is read, links and dots on the way included."""
    assert folder.read(name, WHERE) == content


@pytest.mark.parametrize(
    "name",
    [
        *("../secret.obj", "sub/../../secret.obj", "..", "../scene2/near.obj", "link.obj"),
        *("away/secret.obj", "/etc/hostname", "//etc/hostname", "file:///etc/hostname"),
        *("package://scene/mug.obj", "model://mug.obj", "http://x/mug.obj", "FILE:mug.obj"),
        *("file:mug.obj", "c:mug.obj", "..\\secret.obj", "", "mug.obj\0", "a" * 1001),
    ],
)
def test_what_leads_elsewhere_is_refused(folder: Folder, name: str) -> None:
    """Dots, links, absolute names and schemes that lead elsewhere are refused, field named."""
    with pytest.raises(PathRefused) as refused:
        folder.read(name, WHERE)
    assert refused.value.detail["where"] == WHERE
    assert refused.value.code == "path_refused"


@pytest.mark.parametrize("name", ["none.obj", "sub", ".", "pipe.obj", "mug.obj/x", "b" * 400])
def test_what_is_no_file_is_refused(folder: Folder, name: str) -> None:
    """What is not there, or is no plain file, is an error that names the field and waits not."""
    with pytest.raises(MeshRefused, match=r"entities\.mug\.mesh: "):
        folder.read(name, WHERE)


def test_large_files_are_refused(folder: Folder) -> None:
    """A file is read up to its limit and no byte farther."""
    assert folder.read("mug.obj", WHERE, 3) == b"mug"
    with pytest.raises(MeshRefused, match="larger than 2 bytes"):
        folder.read("mug.obj", WHERE, 2)


def test_a_deeper_file_names_its_neighbours(folder: Folder) -> None:
    """The names in a file start from its own folder, and the fence stays where it was."""
    deeper = folder.beside("sub/cup.obj", WHERE)
    assert deeper.read("cup.obj", WHERE) == b"cup"
    assert deeper.read("../mug.obj", WHERE) == b"mug"
    with pytest.raises(PathRefused):
        deeper.read("../../secret.obj", WHERE)


def test_a_folder_may_itself_be_a_link(folder: Folder, tmp_path: Path) -> None:
    """A scene that is reached through a link has its files where they are."""
    (tmp_path / "short").symlink_to(folder.path)
    assert Folder(tmp_path / "short").read("mug.obj", WHERE) == b"mug"
