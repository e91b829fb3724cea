"""Sally and Anne on the page: what somebody sees of each mind, now and at each moment."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.page.browsing import DESK, PORTRAIT, TABLET
from tests.page.conftest import Open
from tests.page.playing import played
from tests.service.servers import Server

_SLOWLY: Final = """
    const at_once = window.fetch;
    window.fetch = async (...asked) => {
      await new Promise((done) => setTimeout(done, 300));
      return at_once(...asked);
    };
"""
_WRONG: Final = "Sally believes the ball is in the basket; it is in the box."


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board on which Sally has come back, and does not know."""
    with played(tmp_path_factory.mktemp("story"), "sally-anne") as server:
        yield server


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board on which Sally stayed and watched."""
    with played(tmp_path_factory.mktemp("control"), "sally-anne", "watching") as server:
        yield server


def _card(page: Page, model: str) -> Locator:
    return page.locator(f'.card[data-model="{model}"]')


def _holds(page: Page, model: str, fact: str) -> Locator:
    """A fact as a card shows it, in the groups of that card itself."""
    return page.locator(f'.card[data-model="{model}"] > .group [data-fact="{fact}"]')


def _look_as(page: Page, model: str) -> None:
    page.get_by_test_id("mind-choice").select_option(model)


def test_each_mind_shows_what_it_believes(story: Server, opened: Open) -> None:
    """The robot and Anne have the ball in the box, Sally in the basket, and Anne knows that."""
    page = opened(story.url).page
    for model, where in (("myself", "box"), ("anne", "box"), ("sally", "basket")):
        expect(_holds(page, model, f"ball isIn {where}")).to_be_visible()
    _card(page, "anne.sally").locator("summary").first.click()
    expect(_holds(page, "anne.sally", "ball isIn basket")).to_be_visible()
    expect(_holds(page, "sally", "ball isIn box")).to_have_count(0)
    expect(_holds(page, "myself", "ball isIn basket")).to_have_count(0)


def test_what_is_wrong_is_named(story: Server, opened: Open) -> None:
    """A sentence says who is wrong about what, and the card marks it; not who is right."""
    page = opened(story.url).page
    named = page.locator('[data-testid=dispute][data-of="sally"]')
    expect(named).to_have_text([_WRONG])
    expect(_holds(page, "sally", "ball isIn basket")).to_contain_text("in the box")
    expect(_card(page, "sally").get_by_test_id("wrong-badge").first).to_contain_text("1 wrong")
    expect(_card(page, "myself").get_by_test_id("wrong-badge").first).to_be_hidden()
    expect(page.locator('[data-testid=dispute][data-of="anne"]')).to_have_count(0)
    named.click()
    expect(page.get_by_test_id("why-fact")).to_have_text("ball isIn basket")
    expect(page.get_by_test_id("why-tree")).to_contain_text("asserted")


def test_who_watched_is_not_wrong(control: Server, opened: Open) -> None:
    """Where Sally stays, all minds have the ball in the box, and nobody is said to be wrong."""
    page = opened(control.url).page
    for model in ("myself", "sally", "anne"):
        expect(_holds(page, model, "ball isIn box")).to_be_visible()
    expect(page.locator("#disputes")).to_contain_text("No mind is known to be wrong")
    expect(page.get_by_test_id("dispute")).to_have_count(0)


def test_the_scene_is_that_of_the_mind_that_is_chosen(story: Server, opened: Open) -> None:
    """In Sally's eyes the ball is wrong and its ghost elsewhere; in the robot's all is as it is."""
    page = opened(story.url).page
    picture = page.locator("#view canvas")
    expect(picture).to_have_attribute("aria-label", _counted("myself", 0, 0))
    _look_as(page, "sally")
    expect(picture).to_have_attribute("aria-label", _counted("sally", 1, 1))
    expect(page.locator("#view")).to_contain_text("ball · believed here")
    expect(page.locator("#view")).to_contain_text("ball · really here")
    eyes = page.get_by_test_id("eyes")
    eyes.click()
    expect(eyes).to_have_attribute("aria-pressed", "true")
    _card(page, "anne").get_by_test_id("look-as").first.click()
    expect(page.get_by_test_id("mind-choice")).to_have_value("anne")
    expect(picture).to_have_attribute("aria-label", _counted("anne", 0, 0))


def _counted(model: str, wrong: int, ghosts: int) -> re.Pattern[str]:
    return re.compile(
        rf"The world as {model} has it: \d+ believed, {wrong} of them wrongly, {ghosts} only really"
    )


def test_the_line_of_time_shows_all_as_it_was(story: Server, opened: Open) -> None:
    """At the second step all minds agree; the ball is in the basket; and there is a way back."""
    page = opened(story.url).page
    expect(page.get_by_test_id("dispute").first).to_be_visible()
    page.get_by_test_id("story-step").nth(1).get_by_role("button").first.click()
    expect(page.get_by_test_id("moment-state")).to_contain_text("The past")
    for model in ("myself", "sally", "anne"):
        expect(_holds(page, model, "ball isIn basket")).to_be_visible()
    expect(page.get_by_test_id("dispute")).to_have_count(0)
    page.get_by_test_id("now").click()
    expect(page.get_by_test_id("moment-state")).to_have_text("Now")
    expect(_holds(page, "myself", "ball isIn box")).to_be_visible()


def test_what_is_wanted_last_is_shown(story: Server, opened: Open) -> None:
    """A mind that is chosen while a moment is being read is shown at the moment wanted last."""
    page = opened(story.url).page
    page.add_init_script(_SLOWLY)
    page.reload()
    expect(page.get_by_test_id("dispute").first).to_be_visible()
    steps = page.get_by_test_id("story-step").get_by_role("button").and_(page.locator(".step"))
    steps.nth(0).click()
    expect(page.get_by_test_id("moment-step")).to_contain_text("1. ")
    for step, model in ((1, "anne"), (3, "sally")):
        steps.nth(step).dispatch_event("click")
        _look_as(page, model)
    expect(page.get_by_test_id("moment-step")).to_contain_text("4. ")
    expect(_holds(page, "myself", "ball isIn box")).to_be_visible()
    expect(page.locator("#view canvas")).to_have_attribute("aria-label", _counted("sally", 1, 1))


def test_the_line_of_time_goes_by_keys(story: Server, opened: Open) -> None:
    """Home is the beginning, End is now; the marks are passed one by one, and it plays."""
    page = opened(story.url).page
    expect(page.get_by_test_id("dispute").first).to_be_visible()
    line = page.get_by_test_id("timeline")
    line.focus()
    line.press("Home")
    expect(page.get_by_test_id("moment-state")).to_contain_text("The past")
    expect(_holds(page, "myself", "ball isIn box")).to_have_count(0)
    page.get_by_test_id("step-on").click()
    expect(_holds(page, "sally", "ball isOn table")).to_be_visible()
    line.press("End")
    expect(page.get_by_test_id("moment-state")).to_have_text("Now")
    line.press("Home")
    expect(page.get_by_test_id("moment-state")).to_contain_text("The past")
    page.get_by_test_id("speed").select_option("20")
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("moment-state")).to_have_text("Now")
    expect(page.locator('[data-testid=dispute][data-of="sally"]')).to_have_text([_WRONG])


def test_reasons_are_asked_for_once(story: Server, opened: Open) -> None:
    """What is of now is not asked again at each moment, and nothing while the panel is hidden."""
    page = opened(story.url).page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator('[data-testid=dispute][data-of="sally"]').click()
    expect(page.get_by_test_id("why-tree")).to_be_visible()
    page.get_by_role("tab", name="Story", exact=True).click()
    for step in page.get_by_test_id("story-step").all():
        step.get_by_role("button").first.click()
        expect(step).to_have_attribute("aria-current", "step")
    page.get_by_role("tab", name="Why", exact=True).click()
    expect(page.locator("#why .note")).to_contain_text("the past")
    assert len([url for url in asked if "/explain" in url]) == 1
    assert len([url for url in asked if "o=basket" in url and "/history" in url]) == 1
    assert len([url for url in asked if "p=sees" in url and "/history" in url]) == 2


def test_the_query_box_answers_of_then(story: Server, opened: Open) -> None:
    """A question at the second step is answered as it was then, for the mind that is asked."""
    page = opened(story.url).page
    page.get_by_test_id("story-step").nth(1).get_by_role("button").first.click()
    expect(page.get_by_test_id("moment-state")).to_contain_text("The past")
    page.get_by_role("tab", name="Ask", exact=True).click()
    page.get_by_test_id("ask-model").select_option("myself")
    page.get_by_test_id("ask-patterns").fill("ball isIn ?where")
    page.get_by_test_id("ask-run").click()
    rows = page.get_by_test_id("ask-results").locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("basket")
    page.get_by_test_id("now").click()
    page.get_by_test_id("ask-run").click()
    expect(rows).to_contain_text("box")


def test_the_story_is_told_beside(story: Server, opened: Open) -> None:
    """All steps are there, and each question with its answer and the reason for it."""
    page = opened(story.url).page
    expect(page.get_by_test_id("story-step")).to_have_count(5)
    will = page.get_by_test_id("story-question").filter(has_text="Where will Sally look")
    expect(will.locator(".answer")).to_have_text("basket")
    expect(will.locator("li").filter(has_text="last saw the ball")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, TABLET, PORTRAIT], ids=["desk", "tablet", "portrait"])
def test_nothing_is_cut_or_covered(
    story: Server, opened: Open, size: ViewportSize, scheme: str
) -> None:
    """At each size and in each light, in every panel: no text is cut, covered, tiny or faint."""
    page = opened(story.url, size=size, scheme=scheme)
    expect(page.page.get_by_test_id("dispute").first).to_be_visible()
    _look_as(page.page, "sally")
    expect(page.page.locator("#view")).to_contain_text("ball · believed here")
    for panel in ("Story", "Ask", "Why", "Watch"):
        page.page.get_by_role("tab", name=panel, exact=True).click()
        assert not page.faults(), panel


def test_faults_are_found(story: Server, opened: Open) -> None:
    """What looks for faults sees those that are planted."""
    page = opened(story.url)
    expect(page.page.get_by_test_id("dispute").first).to_be_visible()
    assert not page.faults()
    for style, text in _PLANTED.items():
        page.page.evaluate(
            "style => { const el = document.createElement('p'); el.id = 'planted';"
            " el.textContent = 'a planted fault, long enough to be cut off somewhere';"
            " for (const [k, v] of style) el.style.setProperty(k, v); document.body.append(el); }",
            [rule.split(": ") for rule in style.split("; ")],
        )
        assert any(text in fault for fault in page.faults()), style
        page.page.evaluate("document.getElementById('planted').remove()")


_PLANTED: Final = {
    "overflow: hidden; white-space: nowrap; width: 50px": "cut",
    "font-size: 8px": "too small",
    "position: fixed; left: -30px; top: 100px": "out of the window",
    "position: fixed; left: 0; top: 0; z-index: 99; width: 600px; height: 40px": "under something",
    "color: rgb(200, 200, 200); background-color: rgb(255, 255, 255)": "hard to read",
}
