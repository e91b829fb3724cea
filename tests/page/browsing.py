"""The page in a real browser: opened, photographed, and queried for what is visible."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize

__all__ = ["DESK", "FLAGS", "PATIENCE", "PORTRAIT", "TABLET", "Opened", "chromium_path"]

DESK: Final[ViewportSize] = {"width": 1280, "height": 800}
TABLET: Final[ViewportSize] = {"width": 1024, "height": 768}
PORTRAIT: Final[ViewportSize] = {"width": 768, "height": 1024}
FLAGS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""A browser without a screen, that asks nothing of any network."""
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_OF_THE_DRIVER: Final = "GL Driver Message (OpenGL, Performance"
"""A warning of the software renderer itself, which the page can't avoid."""
_FOUND: Final = (Path(__file__).parent / "looks.js").read_text("utf-8")
PATIENCE: Final = 30_000.0
"""Milliseconds that something may take to show: a machine of two cores draws by itself."""


def chromium_path() -> str | None:
    """The path of the system's browser, or None."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class Opened:
    """One page of the board, with the errors of its console."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: ViewportSize = DESK,
        scheme: str = "light",
        allowed: tuple[str, ...] = (),
    ) -> None:
        self._context: Final = browser.new_context(
            viewport=size, color_scheme="dark" if scheme == "dark" else "light"
        )
        self.page: Final[Page] = self._context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: Final[list[str]] = []
        self._allowed: Final = allowed
        self.page.on("console", self._heard)
        self.page.on("pageerror", self._failed)
        self.page.goto(url)

    def until(self, script: str, argument: object = None) -> Any:
        """Waits until a function of the page is true, and answers what it gave."""
        return self.page.wait_for_function(script, arg=argument).json_value()

    def text(self, selector: str) -> str:
        """All text that is shown in what a selector finds, spaces folded."""
        found = self.page.locator(selector).all_inner_texts()
        return " ".join(" ".join(found).split())

    def faults(self) -> list[str]:
        """Elements that are cut off, overlap, leave the window or are too small to read."""
        found: list[str] = self.page.evaluate(_FOUND)
        return found

    def close(self) -> None:
        """Closes the page; a message on its console is an error."""
        self._context.close()
        unexpected = [c for c in self.complaints if not any(a in c for a in self._allowed)]
        assert not unexpected, json.dumps(unexpected, indent=1)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and _OF_THE_DRIVER not in message.text:
            where = message.location.get("url", "")
            self.complaints.append(f"{message.text} ({where})")

    def _failed(self, error: Error) -> None:
        self.complaints.append(str(error))
