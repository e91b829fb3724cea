"""A browser, and boards for it to look at, for all tests of the page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.page.browsing import FLAGS, PATIENCE, Opened, chromium_path

Open = Callable[..., Opened]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's Chromium, for this folder alone: Playwright's loop runs in this thread."""
    found = chromium_path()
    if found is None:
        pytest.skip("no Chromium here: make browser installs Debian's")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*FLAGS])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Opens pages, and closes them at the end of the test."""
    pages: list[Opened] = []

    def open_one(url: str, **options: Any) -> Opened:
        pages.append(Opened(browser, url, **options))
        return pages[-1]

    yield open_one
    for page in pages:
        page.close()
