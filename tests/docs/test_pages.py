"""The pages for newcomers are carried out as they stand, block by block, on real servers."""

from pathlib import Path

import pytest

from tests.docs.pages import run_page


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "page", ["first-steps", "howto-executive", "howto-ontology", "howto-percepts", "howto-ros2"]
)
def test_the_page_does_what_it_says(page: str, tmp_path: Path) -> None:
    """Each block of the page succeeds, and prints what the page shows below it."""
    run_page(f"docs/{page}.md", tmp_path)
