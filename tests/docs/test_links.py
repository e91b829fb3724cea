"""What the pages point at is there."""

import re
from pathlib import Path
from typing import Final

import pytest

_ROOT: Final = Path(__file__).resolve().parents[2]
_PAGES: Final = sorted(
    [*_ROOT.glob("*.md"), *(_ROOT / "docs").glob("*.md"), *(_ROOT / "docs").glob("reference/*.md")]
)
_LINK: Final = re.compile(r"\]\((?!\w+:)([^)#\s]*)(#[^)\s]*)?\)")


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in a link."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in titles}


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.relative_to(_ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    """Each link to a file of the repository names one that is there, and a heading that it has."""
    for file, heading in _LINK.findall(page.read_text("utf-8")):
        target = page.parent / file if file else page
        assert target.exists(), f"{page.name} points at {file}"
        assert not heading or heading in anchors(target), f"{page.name} points at {file}{heading}"


def test_the_index_has_every_page() -> None:
    """The index of the documentation names each page of it."""
    index = (_ROOT / "docs" / "README.md").read_text("utf-8")
    named = {file for file, _ in _LINK.findall(index)}
    pages = {page.relative_to(_ROOT / "docs").as_posix() for page in _PAGES if page.parent != _ROOT}
    assert pages - named == {"README.md"}
