"""Screenshots of the live page for the documentation: `make pictures`."""

import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, expect, sync_playwright

from tests.page.browsing import DESK, FLAGS, PATIENCE, Opened, chromium_path
from tests.page.playing import played

__all__ = ["main"]

_FOLDER: Final = Path(__file__).parents[1] / "pictures"
_SCHEMES: Final = {"light": "two-minds.png", "dark": "two-minds-dark.png"}


def main() -> int:
    """Photographs the page at the end of the Sally-Anne story, in Sally's model."""
    expect.set_options(timeout=PATIENCE)
    found = chromium_path()
    if found is None:
        print("no Chromium here: make browser installs Debian's", file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        played(Path(folder), "sally-anne") as board,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=[*FLAGS])
        for scheme, name in _SCHEMES.items():
            _take(browser, board.url, scheme, _FOLDER / name)
        browser.close()
    return 0


def _take(browser: Browser, url: str, scheme: str, file: Path) -> None:
    opened = Opened(browser, url, DESK, scheme)
    page = opened.page
    page.get_by_test_id("mind-choice").select_option("sally")
    expect(page.locator("#view")).to_contain_text("ball · believed here")
    expect(page.get_by_test_id("dispute")).to_have_count(4)
    expect(page.locator("#time .ticks")).to_contain_text("5")
    expect(page.locator(".new")).to_have_count(0)
    page.screenshot(path=file)
    opened.close()
    print(file.name)


if __name__ == "__main__":
    sys.exit(main())
