"""Modules of the page by themselves, in a browser: what no board can be made to do to them."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from tests.service.servers import Server

_LINE: Final = """
const said = [];
const line = {
  board: "b", state: "open", names: 0,
  enlist: () => `s${++line.names}`,
  forget: () => {},
  say: (name, says) => new Promise((done, fail) => said.push({ name, says, done, fail })),
  command: (op, fields) => (said.push({ op, ...fields }), Promise.resolve({})),
};
const soon = () => new Promise((done) => setTimeout(done));
"""


@pytest.fixture(scope="module")
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """A page that may import what the board serves, with nothing going on in it."""
    made = browser.new_page()
    made.goto(f"{server.url}/page/make.js")
    yield made
    made.close()


def _run(page: Page, module: str, script: str) -> Any:
    """What a script answers that has the names of a module of the page, and a line to nowhere."""
    return page.evaluate(
        f"async () => {{ const it = await import('/page/{module}'); {_LINE} {script} }}"
    )


def test_a_subscription_without_an_answer_is_begun_again(page: Page) -> None:
    """What comes under the former name is told no more, and the board is told so."""
    found = _run(
        page,
        "subscription.js",
        """
        const heard = [];
        const hear = ({ event }) => heard.push(event);
        const subscription = new it.Subscription(line, { patterns: ["?s ?p ?o"] }, hear);
        subscription.begin();
        const [first] = said;
        first.fail(Object.assign(new Error("late"), { status: 0, code: "timeout" }));
        await soon();
        const [, left, again] = said;
        again.done({ seq: 5, board: "b" });
        await soon();
        subscription.hear({ event: "appear", seq: 6, bindings: {} });
        return [left, first.name === left.sub, again.name !== first.name, heard];
        """,
    )
    assert found[0]["op"] == "unsubscribe"
    assert found[1:] == [True, True, ["begun", "appear"]]


def test_what_comes_early_is_bounded(page: Page) -> None:
    """A subscription whose events flow while its answer does not come is begun again."""
    found = _run(
        page,
        "subscription.js",
        """
        const subscription = new it.Subscription(line, { patterns: ["?s ?p ?o"] }, () => {});
        subscription.begin();
        const event = { event: "appear", seq: 1, bindings: {} };
        for (let n = 0; n <= 10_000; n++) subscription.hear(event);
        return said.map(({ op, says }) => op ?? says.op);
        """,
    )
    assert found == ["subscribe", "unsubscribe", "subscribe"]


def test_facts_that_find_no_room_are_told_of(page: Page) -> None:
    """Past the bound a mind is shown in part, and says so; what is known already is no more."""
    found = _run(
        page,
        "facts.js",
        """
        let whole = 0;
        let hear;
        const kept = { subscribe: (_, told) => ((hear = told), { end() {} }) };
        const tell = { came() {}, went() {}, happened() {}, whole: () => (whole += 1) };
        const facts = new it.LiveFacts(kept, "myself", tell);
        const come = (n) => hear({ event: "appear", seq: n, t: "2026-01-01T00:00:00Z",
          bindings: { s: `a${n}`, p: "isIn", o: "b" } });
        for (let n = 0; n < it.MOST_FACTS; n++) come(n);
        const before = facts.isPartial;
        come(0);
        const same = facts.isPartial;
        come(it.MOST_FACTS);
        come(it.MOST_FACTS + 1);
        return [before, same, facts.isPartial, whole];
        """,
    )
    assert found == [False, False, True, 1]


def test_between_two_deltas_facts_are_read_once(page: Page) -> None:
    """As a moment is dragged, each mind's facts are read once for each delta that is known."""
    found = _run(
        page,
        "past.js",
        """
        const { Moments } = await import("/page/moments.js");
        const moments = new Moments();
        for (const [seq, t] of [[1, 1000], [2, 5000], [3, 9000], [7, 12000]]) moments.note(seq, t);
        const asked = [];
        const fetched = window.fetch;
        window.fetch = async (address) => {
          asked.push(address.pathname.split("/").at(-1));
          return new Response(JSON.stringify({ facts: [{ fact: "a isIn b" }], poses: {} }));
        };
        const counts = [];
        let shown;
        const wanted = (moment) => ({
          models: ["myself"], posed: ["myself"], delta: moments.standingAt(moment),
        });
        const past = new it.Past(wanted, async () => true, () => shown(), reportError);
        for (const t of [2000, 3000, 4999, 5000.5, 6000, 9500, 9600]) {
          const drawn = new Promise((done) => (shown = done));
          past.read({ seq: null, t });
          await drawn;
          counts.push(asked.splice(0).sort().join(" "));
        }
        past.leave();
        window.fetch = fetched;
        return counts;
        """,
    )
    both = "facts poses"
    assert found == [both, "poses", "poses", both, both, both, both]


_CHRONICLE: Final = """
const { Moments } = await import("/page/moments.js");
const moments = new Moments();
const asked = [];
window.fetch = async (address) => {
  asked.push(address.pathname);
  return new Response(JSON.stringify({ history: [], complete: true }));
};
const chronicle = new it.Chronicle(moments);
const happen = (seq, model, fact, came = true) => {
  moments.note(seq, 1000 * seq);
  chronicle.add({ seq, t: 1000 * seq, model, fact, came });
};
const told = () => chronicle.marks().map(({ seq, began, dispute }) => [seq, began, dispute.thing]);
"""


def test_marks_outlast_what_is_kept_of_events(page: Page) -> None:
    """What began long ago goes on, and ends, though thousands of changes came between."""
    found = _run(
        page,
        "chronicle.js",
        f"""{_CHRONICLE}
        happen(1, "myself", "ball isIn box");
        happen(2, "sally", "ball isIn basket");
        for (let seq = 3; seq < 15_000; seq++) happen(seq, "myself", "pen isOn desk", seq % 2 > 0);
        happen(14_998, "myself", "cup isOn desk");
        const before = told();
        happen(15_001, "sally", "ball isIn basket", false);
        return [before, told()];
        """,
    )
    began = [2, True, "ball"]
    assert found == [[began], [began, [15_001, False, "ball"]]]


def test_a_mind_that_is_no_more_is_wrong_no_more(page: Page) -> None:
    """Its marks end with it, also when all is told over, and made again it is read again."""
    found = _run(
        page,
        "chronicle.js",
        f"""{_CHRONICLE}
        await chronicle.know(["myself", "sally"], 600);
        happen(1, "myself", "ball isIn box");
        happen(2, "sally", "ball isIn basket");
        happen(5, "myself", "pen isOn desk");
        await chronicle.know(["myself"], 600);
        const gone = told();
        happen(4, "myself", "cup isOn desk");
        const again = told();
        asked.length = 0;
        await chronicle.know(["myself", "sally"], 600);
        return [gone, again, [...new Set(asked)]];
        """,
    )
    marks = [[2, True, "ball"], [5, False, "ball"]]
    assert found == [marks, marks, ["/models/sally/history"]]
