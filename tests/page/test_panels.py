"""The panels of the page, as somebody uses them: the query box, why, and the watches."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from kb_server import Blackboard
from tests.page.conftest import Open
from tests.service.servers import Server, Servers, started_servers

_REFUSALS: Final = ("the server responded with a status of 400",)
_LOST: Final = (*_REFUSALS, "net::ERR_", "WebSocket connection to")
_WORLD: Final = (
    *("ball a Ball", "box a Box", "basket a Basket", "table a Table", "sally a Human"),
    *("ball isIn basket", "ball isOn table"),
)


@pytest.fixture
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with started_servers(tmp_path_factory.mktemp("panels")) as made:
        yield made


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board on which the ball has gone to the box, and Sally does not know."""
    with started_servers(tmp_path_factory.mktemp("told")) as made:
        server = made.start("--no-dl", keeps=False)
        with Blackboard(server.url) as board:
            _tell(board)
        yield server


def _tell(board: Blackboard) -> None:
    board["myself"].revise(add=_WORLD, source="eyes")
    board["sally"].revise(add=["ball isIn basket", "sally sees ball"], source="eyes")
    board["myself"].revise(retract=["ball isIn *"], add=["ball isIn box"], source="eyes")


def _turn_to(page: Page, panel: str) -> None:
    page.get_by_role("tab", name=panel, exact=True).click()


def _ask(page: Page, text: str, model: str = "myself", language: str = "patterns") -> Locator:
    """Puts a question, and gives where its answer shows."""
    _turn_to(page, "Ask")
    page.get_by_test_id(f"ask-tab-{language}").click()
    page.get_by_test_id("ask-model").select_option(model)
    box = page.get_by_test_id(f"ask-{language}")
    box.fill(text)
    box.press("Control+Enter")
    return page.get_by_test_id("ask-results")


def _why(page: Page, fact: str, model: str = "myself") -> None:
    """Asks for a fact by its parts, and why it holds."""
    subject, predicate, _ = fact.split(" ")
    answer = _ask(page, f"{subject} {predicate} ?what", model)
    answer.get_by_role("button", name=f"why {fact}", exact=True).click()
    expect(page.get_by_test_id("why-fact")).to_have_text(fact)


def _watch(page: Page, patterns: str, model: str, on: str = "both") -> Locator:
    """Begins a watch, and gives where it shows once it stands."""
    _turn_to(page, "Watch")
    page.get_by_test_id("watch-patterns").fill(patterns)
    page.get_by_test_id("watch-model").select_option(model)
    page.get_by_test_id("watch-on").select_option(on)
    page.get_by_test_id("watch-start").click()
    watch = page.get_by_test_id("watch").first
    expect(watch.get_by_test_id("watch-count")).to_have_text("nothing yet")
    return watch


def test_patterns_are_answered_from_the_mind_that_is_asked(told: Server, opened: Open) -> None:
    """The same question has each mind's own answer, a row for each, or yes and no."""
    page = opened(told.url).page
    rows = _ask(page, "?o isIn ?where").locator("tbody tr")
    expect(rows).to_have_text(["ballboxwhy"])
    expect(_ask(page, "?o isIn ?where", "sally").locator("tbody tr")).to_have_text(
        ["ballbasketwhy"]
    )
    expect(_ask(page, "ball isIn basket")).to_have_text("no")
    expect(_ask(page, "ball isIn box\nball isOn table")).to_have_text("yes")
    expect(_ask(page, "?o isIn table")).to_contain_text("No rows")


def test_queries_are_answered_and_updates_are_not_sent(told: Server, opened: Open) -> None:
    """SPARQL shows as a table, a yes or a graph; what would change the board is refused here."""
    page = opened(told.url).page
    over_two = "SELECT ?here ?there { ?o oro:isIn ?here GRAPH model:sally { ?o oro:isIn ?there } }"
    answer = _ask(page, over_two, language="sparql")
    expect(answer.locator("th")).to_have_text(["here", "there"])
    expect(answer.locator("tbody tr")).to_have_text(["boxbasket"])
    expect(_ask(page, "ASK { oro:ball oro:isIn oro:box }", language="sparql")).to_have_text("yes")
    graph = "CONSTRUCT { ?o oro:isIn ?w } WHERE { ?o oro:isIn ?w }"
    expect(_ask(page, graph, language="sparql")).to_contain_text("oro:ball oro:isIn oro:box .")
    update = "PREFIX a: <http://a/> # so\nDELETE WHERE { ?s ?p ?o }"
    expect(_ask(page, update, language="sparql")).to_be_empty()
    expect(page.get_by_test_id("ask-error")).to_contain_text("only reads")


def test_a_long_answer_is_cut_and_says_so(told: Server, opened: Open) -> None:
    """At most five hundred rows are drawn, with how many more there are."""
    page = opened(told.url).page
    answer = _ask(page, "SELECT * { ?s ?p ?o }", language="sparql")
    expect(answer.locator("tbody tr")).to_have_count(500)
    expect(answer).to_contain_text("more rows; ask for less")
    expect(answer.locator("th")).to_have_text(["s", "p", "o"])


def test_a_mistake_is_told_beside_the_box(told: Server, opened: Open) -> None:
    """What the board says is wrong shows, as text, until something else is written."""
    page = opened(told.url, allowed=_REFUSALS).page
    _ask(page, "?o isIn <img src=x onerror=alert(1)>")
    wrong = page.get_by_test_id("ask-error")
    expect(wrong).to_contain_text("is not a term")
    expect(page.get_by_test_id("ask-patterns")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#ask img")).to_have_count(0)
    page.get_by_test_id("ask-patterns").fill("?o isIn ?where")
    expect(wrong).to_be_hidden()


def test_examples_are_made_of_what_is_on_the_board(told: Server, opened: Open) -> None:
    """Each example that is offered has an answer."""
    page = opened(told.url).page
    _turn_to(page, "Ask")
    for language in ("patterns", "sparql"):
        page.get_by_test_id(f"ask-tab-{language}").click()
        offered = page.get_by_test_id("ask-examples").locator("button:visible")
        expect(offered.filter(has_text="isIn").first).to_be_visible()
        for example in offered.all():
            example.click()
            answer = page.get_by_test_id("ask-results")
            expect(answer).not_to_have_attribute("aria-busy", "true")
            expect(answer.locator("tbody tr, pre, .truth[data-holds=true]").first).to_be_visible()


def test_why_tells_the_reasons_and_the_premises(told: Server, opened: Open) -> None:
    """An inferred fact shows what it follows from, down to what was perceived."""
    page = opened(told.url).page
    _why(page, "ball isAbove table")
    tree = page.get_by_test_id("why-tree")
    expect(tree.locator("[data-fact='ball isAbove table'] .kind").first).to_have_text("inferred")
    premise = tree.locator("[data-fact='ball isOn table']").first
    expect(premise).to_contain_text("asserted")
    expect(tree.locator("[data-kind=common_sense]").first).to_be_visible()
    premise.get_by_role("button").click()
    expect(page.get_by_test_id("why-fact")).to_have_text("ball isOn table")
    expect(page.locator("#why .standing")).to_contain_text("from eyes")


def test_why_tells_when_the_thing_was_seen(told: Server, opened: Open) -> None:
    """Beside the reasons stands whether the agent of that mind sees the thing, and since when."""
    page = opened(told.url).page
    _why(page, "ball isIn basket", "sally")
    expect(page.get_by_test_id("why-sight")).to_contain_text("Sally sees the ball, since")


def test_history_leads_to_the_moment(told: Server, opened: Open) -> None:
    """A click on what happened shows the page as it was then, and the questions are of then."""
    page = opened(told.url).page
    _why(page, "ball isIn box")
    page.locator("#why .minds").get_by_role("button", name="sally", exact=True).click()
    expect(page.locator("#why .standing")).to_contain_text("ever made it true")
    page.locator("#why .minds").get_by_role("button", name="myself", exact=True).click()
    rows = page.get_by_test_id("history-rows").locator("tr")
    expect(rows).to_have_count(1)
    seq = rows.get_attribute("data-seq")
    rows.get_by_role("button").click()
    expect(page.locator("#why .note")).to_contain_text("the past")
    page.get_by_role("button", name="ball", exact=True).click()
    mine = page.locator("#why .portrait[data-mind=myself]")
    expect(mine.locator("[data-fact='ball isIn box']")).to_be_visible()
    expect(mine.locator("[data-fact='ball isIn basket']")).to_have_count(0)
    expect(page.locator("#why .portrait[data-mind=sally]")).to_contain_text("ball isIn basket")
    _ask(page, "?o isIn ?where")
    expect(page.get_by_test_id("ask-caption")).to_contain_text(f"as of seq {seq}")


def test_watches_tell_what_comes_and_goes_over_a_restart(servers: Servers, opened: Open) -> None:
    """Several watches tell of their own; what happened while the line was lost comes after it."""
    server = servers.start("--no-dl")
    with Blackboard(server.url) as board:
        _tell(board)
    page = opened(server.url, allowed=_LOST).page
    _watch(page, "?o isIn ?where", "myself")
    _watch(page, "?o isIn ?where", "sally", "divergence")
    differs, where = page.get_by_test_id("watch").first, page.get_by_test_id("watch").last
    server.kill()
    expect(page.get_by_test_id("line-state")).to_have_attribute("data-state", "lost")
    server.start()
    with Blackboard(server.url) as board:
        board["myself"].revise(retract=["ball isIn *"], add=["ball isIn basket"])
    expect(where.locator("tr[data-event=appear]")).to_contain_text(["where = basket"])
    expect(where.locator("tr[data-event=disappear]")).to_contain_text(["where = box"])
    expect(where.locator("tr[data-event=gap]")).to_have_count(0)
    expect(differs.locator("tr[data-event=converge]")).to_have_count(1)
    where.get_by_test_id("watch-clear").click()
    expect(where.locator("tr")).to_have_count(0)
    differs.get_by_test_id("watch-end").click()
    expect(page.get_by_test_id("watch")).to_have_count(1)


def test_a_watch_of_nonsense_is_refused(told: Server, opened: Open) -> None:
    """What is wrong with a pattern is told beside the box, and nothing is watched."""
    page = opened(told.url).page
    _turn_to(page, "Watch")
    page.get_by_test_id("watch-patterns").fill("?o isIn")
    page.get_by_test_id("watch-patterns").press("Control+Enter")
    expect(page.get_by_test_id("watch-error")).to_contain_text("2 terms, not three")
    expect(page.get_by_test_id("watch")).to_have_count(0)
