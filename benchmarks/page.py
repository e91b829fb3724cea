"""The live page of a busy board in the system's browser: its frame rate and its load.

The browser runs without a screen and renders in software, as on a machine without a graphics
card. A picture is counted when WebGL draws, so the page's own figures are not needed.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks.busy import busy_board
from benchmarks.measures import Figure, Measure
from tests.page.browsing import DESK, FLAGS, chromium_path

__all__ = ["MEASURES", "metrics_of", "shown_page"]

_WARM_UP: Final = 12.0
_SECONDS: Final = 10.0
_LEAST: Final = 20.0
_COUNTING: Final = """
    window.drawn = new Set();
    const both = ["drawElements", "drawArrays"];
    for (const name of [...both, ...both.map((each) => each + "Instanced")]) {
      const draw = WebGL2RenderingContext.prototype[name];
      WebGL2RenderingContext.prototype[name] = function (...given) {
        window.drawn.add(document.timeline.currentTime);
        return draw.apply(this, given);
      };
    }
"""


def page_frames() -> list[Figure]:
    """Pictures a second, with fifty objects in five minds that change 25 times a second."""
    name = "live page, 50 objects and 5 minds at 25 Hz"
    target = f"≥ {_LEAST:g} frames/s"
    if chromium_path() is None:
        return [Figure(name, "not measured", "no Chromium here: make browser", 0.0, target, False)]
    with busy_board() as url, shown_page(url) as (page, session):
        time.sleep(_WARM_UP)
        page.evaluate("window.drawn.clear()")
        before, begun = metrics_of(session), time.monotonic()
        time.sleep(_SECONDS)
        drawn, took = page.evaluate("window.drawn.size"), time.monotonic() - begun
        worked = metrics_of(session)["TaskDuration"] - before["TaskDuration"]
    rate, busy = drawn / took, worked / took
    against = f"its main thread is busy {100 * busy:.0f} % of the time"
    return [Figure(name, f"{rate:.1f}/s", against, rate / _LEAST, target, rate >= _LEAST)]


MEASURES: Final[tuple[Measure, ...]] = (page_frames,)


@contextmanager
def shown_page(url: str) -> Iterator[tuple[Page, CDPSession]]:
    """Opens the page of a board in a new browser, with a connection to the browser's metrics."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=[*FLAGS])
        page = browser.new_page(viewport=DESK)
        page.add_init_script(_COUNTING)
        page.goto(url)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        yield page, session
        browser.close()


def metrics_of(session: CDPSession) -> Mapping[str, float]:
    """The browser's own figures of a page: seconds, bytes and counts, by their names."""
    answer = session.send("Performance.getMetrics")
    return {each["name"]: each["value"] for each in answer["metrics"]}
