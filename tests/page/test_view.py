"""The scene of the page: what is drawn of each mind, and what people can do with it."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from kb_server import Blackboard
from tests.page.browsing import Opened
from tests.page.conftest import Open
from tests.service.servers import Server, started_servers

_DRAWN: Final = """([mind, wanted]) => {
    const view = document.querySelector("#view").view;
    if (document.querySelector("[data-testid=mind-choice]").value !== mind) return null;
    const drawn = Object.fromEntries(
        view.describe().map((each) => [`${each.name} ${each.as}`, each.pose]));
    return wanted.every((each) => each in drawn) && drawn;
}"""
_SAME: Final = """([mind, ...wanted]) => {
    if (document.querySelector("[data-testid=mind-choice]").value !== mind) return null;
    const drawn = document.querySelector("#view").view.describe()
        .filter(({ name, as }) => as !== "ghost" && (name.startsWith("anne") || name === "whatsit"))
        .map(({ name, kind, as }) => `${name}:${kind}:${as}`);
    return drawn.sort().join() === wanted.sort().join() || null;
}"""
_LOOKED_FROM: Final = """async (side) => {
    const at = (name) => new URL(name, document.querySelector("script[type=module]").src).href;
    const { Box3, Matrix4, Vector3 } = await import(at("vendor/three.module.min.js"));
    const { createFraming } = await import(at("view-framing.js"));
    const box = (x, size, isStatic) => {
        const bounds = new Box3().setFromCenterAndSize(new Vector3(), new Vector3(...size));
        const group = { matrix: new Matrix4().makeTranslation(x, 0, 0), visible: true };
        const look = { kind: "thing", static: isStatic, shape: { box: size } };
        const corners = (told) => [bounds.min, bounds.max].forEach(
            (each) => told(each.clone().applyMatrix4(group.matrix)));
        const parts = [{ place: new Matrix4(), made: { bounds } }];
        return { look, as: "solid", pose: [x, 0, 0], group, bounds, parts, corners };
    };
    const framing = createFraming();
    framing.measure([box(0, [0.1, 0.1, 0.1], false), box(side * 0.3, [0.05, 3, 3], true)]);
    return Math.cos(framing.direction(null).azimuth);
}"""
_LOOKS: Final[dict[str, Any]] = {
    "table": {"class": "Table", "shape": {"box": [0.9, 1.4, 0.05]}, "static": True},
    "basket": {"class": "Basket", "shape": {"bin": {"size": [0.3, 0.3, 0.2], "floor": 0.02}}},
    "ball": {"class": "Ball", "shape": {"sphere": 0.045}, "color": [1, 0.8, 0]},
    "mug": {"class": "Mug", "shape": {"cylinder": [0.04, 0.1]}},
    "cup": {"class": "Cup", "shape": {"cylinder": [0.04, 0.1]}, "transparent": True},
}
_AT: Final = {
    "table": [0, 0, 0.725],
    "basket": [0, 0.4, 0.85],
    "ball": [0, -0.4, 0.8],
    "mug": [0.2, 0, 0.8],
    "cup": [-0.2, 0, 0.8],
    "sally": [1.2, 0, 1.4, 0, 0, 1, 0],
    "sally_right_hand": [0.8, 0.2, 0.9],
}
_ODD: Final[tuple[dict[str, Any], ...]] = (
    {"shape": {"box": ["wide", None, -1]}},
    {"shape": {"mesh": {"vertices": [[0, 0]], "faces": [[0, 1, 7]]}}},
    {"shape": {"bin": {"size": 3}}},
    {"shape": {"blob": 1}, "color": "red"},
    {"shape": "ball", "class": 7},
    {"shape": {"parts": [{"pose": "here"}, None]}},
    {"shape": {"box": [1e30, 1e30, 1e30]}},
    {"shape": {"parts": [{"pose": [0, 0, 0], "shape": 7}]}, "color": [None, 1, 2]},
    {},
)
_SALLY: Final = {
    "kind": "agent",
    "class": "Human",
    "owner": "sally",
    "fov": [1.745, 1.309],
    "parts": {"head": "sally", "right_hand": "sally_right_hand"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with started_servers(tmp_path_factory.mktemp("view")) as made:
        yield made.start("--no-dl", keeps=False)


@pytest.fixture(scope="module")
def posed(server: Server) -> Iterator[Blackboard]:
    """Sally has the ball in the basket, no mug, and lost the cup; really the ball lies apart."""
    with Blackboard(server.url) as board:
        board["myself"].revise(add=["sally a Human", "ball a Ball", "ball isOn table"])
        board["sally"].revise(add=["ball isIn basket"])
        board.stage({"sally": _SALLY, **_looks()}, source="eyes")
        board.publish("myself", {name: _placed(pose) for name, pose in _AT.items()})
        seen = {name: _placed(pose) for name, pose in _AT.items() if name != "mug"}
        cup = {"pose": None, "perceived_pose": [-0.3, 0, 0.8], "seen": 2.0}
        board.publish("sally", {**seen, "ball": _placed([0, 0.4, 0.83]), "cup": cup})
        yield board


def _looks() -> dict[str, Any]:
    return {name: {"kind": "thing", "color": None, **look} for name, look in _LOOKS.items()}


def _placed(pose: list[float]) -> dict[str, Any]:
    return {"pose": pose, "perceived_pose": pose, "seen": 1.0}


@pytest.fixture
def seen(server: Server, posed: Blackboard, opened: Open) -> Opened:
    """The page, with all drawn that `myself` knows."""
    assert posed.models()
    page = opened(server.url)
    _drawn(page, "myself", *(f"{name} solid" for name in _AT))
    return page


def _drawn(page: Opened, mind: str, *wanted: str) -> dict[str, list[float]]:
    """What is drawn of a mind, once all that is wanted is."""
    found: dict[str, list[float]] = page.until(_DRAWN, [mind, [*wanted]])
    return found


def _as_sally(seen: Opened) -> dict[str, list[float]]:
    seen.page.get_by_test_id("mind-choice").select_option("sally")
    return _drawn(seen, "sally", "ball wrong", "ball ghost", "mug ghost", "cup lost")


def _label(page: Page, text: str) -> Any:
    return page.locator(".view-label", has_text=text)


_COUNT: Final = "document.querySelector('#view').view.pace.pictures"
_REST: Final = 60
"""Frames: a scene in which none was drawn for so long is at rest."""


def _pictures(seen: Opened) -> int:
    """How many pictures have been drawn."""
    count: int = seen.page.evaluate(_COUNT)
    return count


def _rested(seen: Opened) -> int:
    """How many pictures have been drawn when for many frames none was; it must come to that."""
    for _ in range(_REST):
        before = _pictures(seen)
        seen.page.evaluate(
            "async (n) => { while (n--) await new Promise(requestAnimationFrame); }", _REST
        )
        if _pictures(seen) == before:
            return before
    raise AssertionError("the scene is drawn over and over, though nothing happens")


def _spot(seen: Opened, name: str) -> tuple[int, int]:
    """Where the name of a thing stands, when nothing moves any more."""
    _rested(seen)
    box = _label(seen.page, name).first.bounding_box()
    assert box is not None
    return round(box["x"]), round(box["y"])


def test_what_a_mind_believes_wrongly_is_marked_and_what_really_is_a_ghost(seen: Opened) -> None:
    """In Sally's mind the ball is wrong, with a ghost where it is; what she lost is seen last."""
    drawn = _as_sally(seen)
    assert drawn["ball wrong"] == [0, 0.4, 0.83]
    assert drawn["ball ghost"] == _AT["ball"]
    assert drawn["cup lost"] == [-0.3, 0, 0.8]
    assert drawn["cup ghost"] == _AT["cup"]
    assert {"table solid", "basket solid", "sally solid"} <= drawn.keys()
    for text in ("ball · believed here", "ball · really here", "mug · really here"):
        expect(_label(seen.page, text)).to_be_visible()
    expect(seen.page.get_by_test_id("view-legend")).to_contain_text("believed, wrongly")


def test_the_mind_of_the_robot_has_no_ghosts(seen: Opened) -> None:
    """What `myself` believes is all that is drawn of it, solid."""
    drawn = _drawn(seen, "myself", *(f"{name} solid" for name in _AT))
    assert {each.split(" ")[1] for each in drawn} == {"solid"}
    expect(seen.page.get_by_test_id("view-legend")).not_to_be_visible()


def test_what_moves_on_the_board_moves_in_the_scene(seen: Opened, posed: Blackboard) -> None:
    """A pose that is published is drawn, and one that is taken away is not."""
    posed.publish("myself", {"spoon": _placed([0.1, 0.1, 0.8])})
    assert _drawn(seen, "myself", "spoon solid")["spoon solid"] == [0.1, 0.1, 0.8]
    posed.publish("myself", {"spoon": None})
    seen.until("() => !document.querySelector('#view').view.describe()"
               ".some((each) => each.name === 'spoon')")  # fmt: skip


def test_through_the_eyes_of_sally_only_her_own_world_is_seen(seen: Opened) -> None:
    """Her eyes show what she believes, in her field of view: no ghosts, and not her own head."""
    _as_sally(seen)
    eyes = seen.page.get_by_test_id("eyes")
    expect(eyes).to_have_text("Through sally’s eyes")
    eyes.click()
    expect(eyes).to_have_attribute("aria-pressed", "true")
    expect(seen.page.locator(".view-field")).to_be_visible()
    expect(_label(seen.page, "ball · believed here")).to_be_visible()
    expect(_label(seen.page, "really here")).to_have_count(0)
    expect(_label(seen.page, "sally")).to_have_count(0)
    eyes.click()
    expect(seen.page.locator(".view-field")).not_to_be_visible()
    expect(_label(seen.page, "ball · really here")).to_be_visible()


def test_eyes_of_whom_nobody_knows_where_they_are_can_not_be_looked_through(seen: Opened) -> None:
    """The robot has told nobody where its head is: its eyes are not offered."""
    expect(seen.page.get_by_test_id("eyes")).to_be_disabled()


def test_the_scene_turns_by_keys_and_wheel_and_comes_back(seen: Opened) -> None:
    """Arrows turn, plus and the wheel go nearer, and the whole is framed again when asked."""
    framed = _spot(seen, "mug")
    canvas = seen.page.locator("#view canvas")
    canvas.focus()
    canvas.press("ArrowLeft")
    turned = _spot(seen, "mug")
    canvas.press("+")
    nearer = _spot(seen, "mug")
    _label(seen.page, "table").hover()
    seen.page.mouse.wheel(0, -300)
    assert len({framed, turned, nearer, _spot(seen, "mug")}) == 4
    seen.page.get_by_test_id("whole-scene").click()
    back = _spot(seen, "mug")
    assert back != nearer
    canvas.press("ArrowLeft")
    canvas.press("0")
    assert _spot(seen, "mug") == back


def test_the_scene_turns_by_mouse(seen: Opened) -> None:
    """Dragging turns the scene, and chooses nothing."""
    before = _spot(seen, "mug")
    box = seen.page.locator("#view canvas").bounding_box()
    assert box is not None
    mouse = seen.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 60)
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2 + 80, box["y"] + box["height"] - 50, steps=4)
    mouse.up()
    assert _spot(seen, "mug") != before


def test_choosing_a_thing_asks_why_it_is_where_it_is(seen: Opened) -> None:
    """Who picks the ball by its name is told why that mind has it there."""
    _as_sally(seen)
    seen.until("() => document.querySelector('#minds')?.innerText.includes('basket')")
    _label(seen.page, "ball · believed here").click()
    expect(seen.page.get_by_test_id("why-fact")).to_have_text("ball isIn basket")
    expect(_label(seen.page, "ball · believed here")).to_have_class("view-label chosen")


def test_nothing_is_drawn_while_nothing_changes(seen: Opened) -> None:
    """A still scene comes to rest, and is drawn again when somebody turns it."""
    still = _rested(seen)
    seen.page.locator("#view canvas").press("ArrowLeft")
    seen.until(f"(n) => {_COUNT} > n", still)
    assert _rested(seen) > still


def test_what_goes_leaves_nothing_behind(seen: Opened, posed: Blackboard) -> None:
    """The shapes of things that came and went are given back."""
    geometries = "document.querySelector('#view').view.pace.geometries"
    _rested(seen)
    before = seen.page.evaluate(geometries)
    names = [f"brick_{n}" for n in range(5)]
    shapes = {name: {"box": [0.05, 0.05, 0.01 * n + 0.01]} for n, name in enumerate(names)}
    looks = {n: {"kind": "thing", "class": "Cube", "shape": s} for n, s in shapes.items()}
    posed.stage(looks, source="eyes")
    posed.publish("myself", {name: _placed([0.1, 0.1, 0.9]) for name in names})
    _drawn(seen, "myself", *(f"{name} solid" for name in names))
    seen.until(f"(n) => {geometries} > n", before)
    posed.publish("myself", dict.fromkeys(names))
    posed.stage(dict.fromkeys(names), source="eyes")
    seen.until(f"(n) => {geometries} <= n", before)


def test_looks_that_say_nothing_are_marks(seen: Opened, posed: Blackboard) -> None:
    """Whatever is staged, the thing is drawn somehow, and all others as before."""
    odd = {f"odd_{n}": {"kind": "thing", **look} for n, look in enumerate(_ODD)}
    nobody = {"kind": "agent", "class": 3, "fov": ["wide"], "parts": 5, "owner": None}
    posed.stage({**odd, "nobody": nobody}, source="eyes")
    posed.publish("myself", {name: _placed([0.3, 0.3, 0.9]) for name in [*odd, "nobody"]})
    names = [*odd, "nobody", "ball", "table"]
    _drawn(seen, "myself", *(f"{name} solid" for name in names))
    _rested(seen)
    posed.publish("myself", dict.fromkeys([*odd, "nobody"]))
    posed.stage(dict.fromkeys([*odd, "nobody"]), source="eyes")
    _drawn(seen, "myself", "ball solid")


def test_parts_of_agents_are_known_by_their_names(seen: Opened, posed: Blackboard) -> None:
    """Heads and hands without looks are no things, and no belief about them is wrong; elbows are
    not drawn, and of a thing that nobody knows the look of there is something to see."""
    parts = ("anne_head", "anne_left_hand", "anne_right_elbow")
    posed.publish("myself", {name: _placed([0.5, 0.5, 1.2]) for name in (*parts, "whatsit")})
    posed.publish("sally", {name: _placed([0.5, 0.6, 1.2]) for name in (*parts, "whatsit")})
    seen.page.get_by_test_id("mind-choice").select_option("sally")
    wanted = ["anne:head:solid", "anne_left_hand:hand:solid", "whatsit:thing:wrong"]
    seen.until(_SAME, ["sally", *wanted])
    posed.publish("sally", dict.fromkeys(("whatsit", *parts)))
    posed.publish("myself", dict.fromkeys(("whatsit", *parts)))
    seen.until("() => !document.querySelector('#view').view.describe()"
               ".some(({ name }) => name.startsWith('anne') || name === 'whatsit')")  # fmt: skip


def test_what_stands_beyond_all_measure_is_not_drawn(seen: Opened, posed: Blackboard) -> None:
    """A pose as far as no place is leaves the rest of the scene as it was."""
    posed.publish("myself", {"comet": _placed([1e30, 0, 0]), "spoon": _placed([0.1, 0.1, 0.8])})
    drawn = _drawn(seen, "myself", "spoon solid", "ball solid", "table solid")
    assert "comet solid" not in drawn
    expect(_label(seen.page, "spoon")).to_be_visible()
    posed.publish("myself", {"comet": None, "spoon": None})


def test_through_eyes_only_what_is_not_covered_is_named(seen: Opened, posed: Blackboard) -> None:
    """Behind a wall that stands before her, Sally sees no mug; from elsewhere it is named."""
    wall = {"kind": "thing", "class": "Wall", "shape": {"box": [0.02, 0.3, 0.4]}, "static": True}
    posed.stage({"big_wall": wall}, source="eyes")
    there = {"big_wall": _placed([0.45, 0, 0.9]), "spoon": _placed([0.3, 0, 0.8])}
    posed.publish("sally", there)
    seen.page.get_by_test_id("mind-choice").select_option("sally")
    _drawn(seen, "sally", "big_wall wrong", "spoon wrong")
    expect(_label(seen.page, "spoon")).to_be_visible()
    expect(_label(seen.page, "big wall")).to_be_visible()
    eyes = seen.page.get_by_test_id("eyes")
    eyes.click()
    expect(_label(seen.page, "big wall")).to_be_visible()
    expect(_label(seen.page, "spoon")).to_have_count(0)
    eyes.click()
    posed.publish("sally", dict.fromkeys(there))
    posed.stage({"big_wall": None}, source="eyes")


def test_what_lies_in_a_container_is_named(seen: Opened, posed: Blackboard) -> None:
    """A small thing in a basket with something on it has its name, and shows where it really is."""
    posed.publish("myself", {"coin": _placed([0, 0.4, 0.83])})
    expect(_label(seen.page, "coin")).to_be_visible()
    seen.page.get_by_test_id("mind-choice").select_option("sally")
    _drawn(seen, "sally", "coin ghost")
    expect(_label(seen.page, "coin · really here")).to_be_visible()
    posed.publish("myself", {"coin": None})


def test_many_fixed_things_are_named_only_when_asked_for(seen: Opened, posed: Blackboard) -> None:
    """The names of the boards of a shelf don't cover what stands on them."""
    names = [f"board_{n}" for n in range(7)]
    look = {"kind": "thing", "class": "Shelf", "shape": {"box": [0.2, 0.2, 0.01]}, "static": True}
    expect(_label(seen.page, "table")).to_be_visible()
    posed.stage(dict.fromkeys(names, look), source="eyes")
    posed.publish("myself", {n: _placed([0, 0, 0.9 + i / 10]) for i, n in enumerate(names)})
    expect(_label(seen.page, "table")).to_have_count(0)
    expect(_label(seen.page, "ball")).to_be_visible()
    posed.publish("myself", dict.fromkeys(names))
    posed.stage(dict.fromkeys(names), source="eyes")
    expect(_label(seen.page, "table")).to_be_visible()


@pytest.mark.parametrize("side", [1, -1])
def test_a_first_look_is_not_from_behind_a_wall(seen: Opened, side: int) -> None:
    """Of a thing beside a wall the scene is looked at from the side where the thing stands."""
    assert seen.page.evaluate(_LOOKED_FROM, side) * side < 0


def test_a_lost_picture_comes_back(seen: Opened) -> None:
    """When the browser takes the picture away, the page says so, and draws again afterwards."""
    seen.page.evaluate("""() => {
        const gl = document.querySelector("#view canvas").getContext("webgl2");
        window.losing = gl.getExtension("WEBGL_lose_context");
        window.losing.loseContext();
    }""")
    hint = seen.page.get_by_test_id("view-hint")
    expect(hint).to_contain_text("The picture was lost")
    before = _pictures(seen)
    seen.page.evaluate("window.losing.restoreContext()")
    expect(hint).not_to_be_visible()
    seen.until("(n) => document.querySelector('#view').view.pace.pictures > n", before)


def test_without_webgl_the_page_says_so_and_goes_on(seen: Opened) -> None:
    """Where no 3D pictures can be drawn, a mind can still be chosen, and the rest works."""
    seen.page.add_init_script(
        "const had = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        "  return kind.startsWith('webgl') ? null : had.call(this, kind, ...more); };"
    )
    seen.page.reload()
    expect(seen.page.get_by_test_id("view-hint")).to_contain_text("WebGL is missing")
    choice = seen.page.get_by_test_id("mind-choice")
    choice.select_option("sally")
    expect(choice).to_have_value("sally")
    expect(seen.page.get_by_test_id("eyes")).to_be_disabled()
    expect(seen.page.locator("#minds")).to_contain_text("basket")


def test_an_empty_board_says_how_to_fill_it(
    tmp_path_factory: pytest.TempPathFactory, opened: Open
) -> None:
    """Where nothing stands anywhere, the page says what to do."""
    with started_servers(tmp_path_factory.mktemp("empty")) as made:
        page = opened(made.start("--no-dl", keeps=False).url)
        expect(page.page.get_by_test_id("view-hint")).to_contain_text("mindboard demo sally-anne")
        page.close()
