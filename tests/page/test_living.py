"""The page of a board that lives: changes, restarts, tokens, and names that nobody meant well."""

import os
import signal
from itertools import pairwise
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, Page, expect

from kb_server import Blackboard
from tests.page.conftest import Open
from tests.service.servers import Server, Servers

_LOST: Final = ("net::ERR_", "WebSocket connection to")
"""However a line breaks: Chromium tells one way from another by what was under way."""
_DELETED: Final = ("status of 404 (Not Found)",)
"""What is asked of a mind just as it is deleted."""
_UNKNOWN: Final = ("the server responded with a status of 401", "WebSocket connection to")
_HANGS: Final = 19_000.0
"""Milliseconds within which a page sees it: it waits for no answer to a command as long."""
_TOKENS: Final = """
[[tokens]]
name = "reader"
token = "sixteen-or-more-signs"
role = "read"
"""
_LONG: Final = "w" + "o" * 190
_SCRIPT: Final = '"<img src=x onerror=document.title=1>"'


def _holds(page: Page, model: str, fact: str) -> Locator:
    return page.locator(f'.card[data-model="{model}"] > .group').locator(f"[data-fact={fact!r}]")


def _line(page: Page, state: str) -> None:
    expect(page.get_by_test_id("line-state")).to_have_attribute("data-state", state)


def test_what_changes_shows(server: Server, opened: Open) -> None:
    """Facts and minds come and go on the page as they do on the board."""
    with Blackboard(server.url) as kb:
        page = opened(server.url, allowed=_DELETED).page
        _line(page, "open")
        kb["myself"].revise(add=["karl a Human", "pen isIn mug"])
        expect(_holds(page, "myself", "pen isIn mug")).to_be_visible()
        kb["karl"].revise(add=["pen isIn drawer"])
        told = page.locator('[data-testid=dispute][data-of="karl"]')
        expect(told).to_contain_text("it is in the mug")
        kb["myself"].revise(retract=["pen isIn mug"], add=["pen isIn drawer"])
        expect(told).to_have_count(0)
        expect(_holds(page, "myself", "pen isIn mug")).to_have_count(0)
        kb.delete("karl")
        expect(page.locator('.card[data-model="karl"]')).to_have_count(0)
        kb["myself"].revise(retract=["karl a Human", "pen isIn drawer"])


def test_a_board_that_is_killed_and_comes_back(servers: Servers, opened: Open) -> None:
    """The page says that the line is lost, and shows the board again, and what it says anew."""
    server = servers.start("--no-dl")
    with Blackboard(server.url) as kb:
        kb["myself"].revise(add=["sally a Human", "ball isIn box"])
        kb["sally"].revise(add=["ball isIn basket"])
    page = opened(server.url, allowed=_LOST).page
    expect(_holds(page, "sally", "ball isIn basket")).to_be_visible()
    server.kill()
    _line(page, "lost")
    expect(page.get_by_test_id("notice")).to_contain_text("connection is lost")
    expect(page.get_by_test_id("moment-state")).to_contain_text("when the connection was lost")
    expect(_holds(page, "sally", "ball isIn basket")).to_be_visible()
    server.start()
    _line(page, "open")
    expect(page.get_by_test_id("notice")).to_be_hidden()
    expect(page.get_by_test_id("moment-state")).to_have_text("Now")
    with Blackboard(server.url) as kb:
        kb["sally"].revise(retract=["ball isIn *"], add=["ball isIn box"])
    expect(_holds(page, "sally", "ball isIn box")).to_be_visible()
    expect(_holds(page, "sally", "ball isIn basket")).to_have_count(0)
    expect(page.get_by_test_id("dispute")).to_have_count(0)


def test_a_board_that_hangs_is_lost(servers: Servers, opened: Open) -> None:
    """A board that says nothing, with its line unbroken, is told to be lost, and found again."""
    server = servers.start("--no-dl", keeps=False)
    page = opened(server.url, allowed=_LOST).page
    _line(page, "open")
    os.kill(server.pid, signal.SIGSTOP)
    try:
        state = page.get_by_test_id("line-state")
        expect(state).to_have_attribute("data-state", "lost", timeout=_HANGS)
    finally:
        os.kill(server.pid, signal.SIGCONT)
    _line(page, "open")


def test_a_board_that_forgets_is_another_board(servers: Servers, opened: Open) -> None:
    """After a restart without a journal nothing of the former board is left, which is said."""
    server = servers.start("--no-dl", keeps=False)
    with Blackboard(server.url) as kb:
        kb["myself"].revise(add=["sally a Human", "ball isIn box"])
    page = opened(server.url, allowed=_LOST).page
    expect(_holds(page, "myself", "ball isIn box")).to_be_visible()
    server.kill()
    _line(page, "lost")
    server.start()
    _line(page, "open")
    expect(_holds(page, "myself", "ball isIn box")).to_have_count(0)
    expect(page.locator('.card[data-model="sally"]')).to_have_count(0)
    expect(page.get_by_test_id("notice")).to_contain_text("another board than before")
    with Blackboard(server.url) as kb:
        kb.add("myself", "pen isIn mug")
    expect(page.get_by_test_id("notice")).to_be_hidden()


def test_a_board_with_tokens_asks_for_one(servers: Servers, opened: Open, tmp_path: Path) -> None:
    """Without a token nothing shows; a wrong one is told; the right one opens the board."""
    server = servers.start("--no-dl", "--tokens", str(_tokens(tmp_path)), keeps=False)
    page = opened(server.url, allowed=_UNKNOWN).page
    expect(page.get_by_test_id("token")).to_be_visible()
    expect(page.locator(".card")).to_have_count(0)
    for said, told in (("not-the-right-one-at-all", "refused"), ("ä b", "visible ASCII")):
        page.get_by_test_id("token").fill(said)
        page.get_by_test_id("token-send").click()
        expect(page.get_by_test_id("token-reason")).to_contain_text(told)
    page.get_by_test_id("token").fill("sixteen-or-more-signs")
    page.get_by_test_id("token-send").click()
    expect(page.locator('.card[data-model="myself"]')).to_be_visible()
    _line(page, "open")
    page.reload()
    _line(page, "open")


def test_any_token_opens_the_board(servers: Servers, opened: Open, tmp_path: Path) -> None:
    """A token with what no subprotocol can say goes by ticket, each time anew."""
    odd = "si/xteen=or,more:signs"
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(_TOKENS.replace("sixteen-or-more-signs", odd))
    server = servers.start("--no-dl", "--tokens", str(tokens), keeps=False)
    page = opened(server.url, allowed=_UNKNOWN).page
    page.get_by_test_id("token").fill(odd)
    page.get_by_test_id("token-send").click()
    expect(page.locator('.card[data-model="myself"]')).to_be_visible()
    _line(page, "open")
    page.reload()
    _line(page, "open")


def _tokens(folder: Path) -> Path:
    file = folder / "tokens.toml"
    file.write_text(_TOKENS)
    return file


def test_hostile_names_are_only_text(servers: Servers, opened: Open) -> None:
    """Markup is shown and not obeyed; what is too long is cut with its whole to be read."""
    server = servers.start("--no-dl", keeps=False)
    with Blackboard(server.url) as kb:
        kb["myself"].revise(
            add=[
                *(f"{_LONG} isIn {_LONG}2", f"{_LONG}3 a Human", "eve a Human"),
                *(f"ball rdfs:label {_SCRIPT}", 'ball rdfs:comment "\u202eevil\u202c"'),
                *("<http://e.x/a?b=%3Cscript%3E#'c> isIn box", "_:b0 isIn box"),
            ]
        )
        kb["eve"].revise(add=[f"{_LONG} isIn box"])
    page = opened(server.url)
    expect(page.page.get_by_test_id("dispute").first).to_be_visible()
    page.page.evaluate("document.querySelectorAll('.card details').forEach(d => d.open = true)")
    for more in page.page.get_by_role("button", name="Show all").all():
        more.click()
    expect(page.page.get_by_text("<img src=x").first).to_be_visible()
    expect(page.page.locator("img")).to_have_count(0)
    assert "Mindboard" in page.page.title()
    assert not page.faults()


def test_a_full_board_is_shown_in_part(servers: Servers, opened: Open) -> None:
    """With thousands of facts and a dozen minds the page still answers, and says what it leaves."""
    server = servers.start("--no-dl", keeps=False)
    with Blackboard(server.url) as kb:
        many = [f"thing{n} isIn bin{n % 40}" for n in range(2_000)]
        kb["myself"].revise(add=[*many, *(f"p{n} a Human" for n in range(12))])
    page = opened(server.url)
    _line(page.page, "open")
    expect(page.page.locator(".card[data-model]")).to_have_count(13)
    places = page.page.locator('.card[data-model="myself"] > .group').first
    expect(places.get_by_role("button", name="Show all 2000")).to_be_visible()
    assert places.locator("li[data-fact], li [data-fact]").count() < 200
    page.page.get_by_role("tab", name="Ask", exact=True).click()
    page.page.get_by_test_id("ask-patterns").fill("thing7 isIn ?where")
    page.page.get_by_test_id("ask-run").click()
    expect(page.page.get_by_test_id("ask-results")).to_contain_text("bin7")


def test_it_is_used_by_keys_alone(server: Server, opened: Open) -> None:
    """Tab goes to everything that can be used, each shows when it has the keys, and tabs turn."""
    page = opened(server.url).page
    _line(page, "open")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => { const el = document.activeElement, s = getComputedStyle(el);"
            " return [el.dataset.testid || el.id || el.tagName, s.outlineStyle !== 'none' ||"
            " s.boxShadow !== 'none']; }"
        )
        if found[0] == "BODY":  # behind the last one
            break
        assert found[1], f"{found[0]} does not show that it has the keys"
        reached.add(found[0])
    assert {"mind-choice", "tab-story", "look-as"} <= reached, reached
    page.locator("#tab-story").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-ask")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#ask")).to_be_visible()


def test_a_table_of_a_story_shows_where_minds_differ(server: Server, opened: Open) -> None:
    """What several minds hold stands side by side, and what they differ in stands out."""
    held = {"myself": ["pen isOn desk", "—"], "sally": ["pen isOn desk", "cap isOn pen"]}
    table = {"title": "Held", "headings": {"myself": "Robot", "sally": "Sally"}, "columns": held}
    step = {"n": 1, "title": "<b>One</b>", "says": "So it is.", "seq": 0, "t": None, "table": table}
    story = {"title": "A tale", "about": "", "step": 1, "steps": [step], "models": ["myself"]}
    with Blackboard(server.url) as kb:
        kb.stage({"story": {**story, "over": True, "questions": []}}, source="teller")
        page = opened(server.url).page
        shown = page.get_by_test_id("story-table")
        expect(shown.locator("th")).to_have_text(["Robot", "Sally"])
        expect(shown.locator("tr.differs td")).to_have_text(["—", "cap isOn pen"])
        expect(page.get_by_test_id("story-step")).to_contain_text("<b>One</b>")
        kb.stage({"story": None}, source="teller")
        expect(shown).to_have_count(0)


def test_a_story_that_makes_no_sense_is_shown_as_far_as_it_does(
    servers: Servers, opened: Open
) -> None:
    """What is malformed in a story is passed over; before its first step it is about to begin."""
    server = servers.start("--no-dl", keeps=False)
    with Blackboard(server.url) as kb:
        kb.stage({"story": {"title": "A tale", "about": 7, "steps": []}}, source="teller")
        page = opened(server.url).page
        expect(page.locator("#view")).to_contain_text("The story is about to begin.")
        expect(page.locator("#story")).to_contain_text("The story is about to begin.")
        for value in _MALFORMED:
            kb.stage({"story": value}, source="teller")
        expect(page.locator("#story .step")).to_have_text(["1. One", "2. "])
        kb.stage({"story": {"steps": {}}}, source="teller")
        expect(page.locator("#story")).to_contain_text("No story is told")


_MALFORMED: Final[tuple[dict[str, object], ...]] = (
    {"steps": [], "questions": [None, {"n": {}}, {"n": 1, "because": 5, "fact": []}]},
    {"steps": [{"n": "x", "seq": 0}, {"n": 3}, {"n": 1, "seq": "y"}], "questions": "q"},
    {
        "title": {},
        "questions": 5,
        "steps": [{"n": 1, "seq": 0, "title": "One", "table": {"columns": 3}}, None, 7,
                  {"n": 2, "seq": 0, "title": [], "table": {"columns": {"myself": [{}]}}}],
    },
)  # fmt: skip


def test_each_step_has_a_mark_where_it_began(servers: Servers, opened: Open) -> None:
    """Marks make room for each other; a click shows a step's beginning, and the panel its end."""
    server = servers.start("--no-dl", keeps=False)
    with Blackboard(server.url) as kb:
        seqs = [kb.add("myself", f"pen{n} isIn mug").seq for n in range(4)]
        spans = [(1, seqs[0] - 1, seqs[1]), (2, seqs[1], seqs[1]), (3, seqs[1], seqs[3])]
        steps = [
            {"n": n, "title": f"S{n}", "says": f"Pens {n}.", "from": a, "seq": b, "t": 1.0}
            for n, a, b in spans
        ]
        kb.stage({"story": {"title": "Pens", "steps": steps, "over": True}}, source="teller")
        kb.add("myself", "pen9 isIn mug")
        page = opened(server.url).page
        marks = page.locator(".tick.step")
        expect(marks).to_have_text(["1", "2", "3"])
        boxes = [box for mark in marks.all() if (box := mark.bounding_box())]
        assert all(box["width"] >= 16 for box in boxes)
        assert all(a["x"] + a["width"] <= b["x"] for a, b in pairwise(boxes))
        for n, pens in ((1, 1), (2, 2), (3, 3)):
            marks.nth(n - 1).click()
            expect(page.get_by_test_id("moment-step")).to_have_text(f"{n}. Pens {n}.")
            expect(page.get_by_test_id("story-title")).to_have_text(f"Pens · step {n}: S{n}")
            expect(_holds(page, "myself", f"pen{pens - 1} isIn mug")).to_be_visible()
            expect(_holds(page, "myself", f"pen{pens} isIn mug")).to_have_count(0)
        page.get_by_test_id("story-step").nth(2).get_by_title("at its end").click()
        expect(_holds(page, "myself", "pen3 isIn mug")).to_be_visible()
        expect(_holds(page, "myself", "pen9 isIn mug")).to_have_count(0)
