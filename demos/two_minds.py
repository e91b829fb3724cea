"""Sally and Anne on the bare board: two minds that disagree, told step by step.

The facts are asserted here by hand, as a perception module would; nothing else is made up. All
beliefs shown are asked of the board.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kb_server.core.blackboard import Blackboard
from kb_server.core.events import Event, Events
from kb_server.core.proofs import Proof, explain
from kb_server.core.query import find
from kb_server.core.revision import read_revision
from kb_server.core.statements import read_pattern, write
from kb_server.loading import load_common_sense

__all__ = ["run"]

_THINGS: Final = ("ball a Ball", "basket a Basket", "box a Box")
_EXPECTED: Final = {"myself": "box", "sally": "basket", "anne": "box", "anne.sally": "basket"}


@dataclass(frozen=True, slots=True)
class _Scene:
    """One moment of the story: what happens, and what each mind learns of it."""

    tells: str
    learns: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]


_STORY: Final = (
    _Scene(
        "Sally and Anne come in. There are a ball, a basket and a box.",
        (
            ("myself", (), ("sally a Human", "anne a Human", *_THINGS)),
            ("sally", (), _THINGS),
            ("anne", (), _THINGS),
            ("anne.sally", (), _THINGS),
        ),
    ),
    _Scene(
        "Sally puts the ball into the basket. Everybody sees it.",
        tuple((m, (), ("ball isIn basket",)) for m in _EXPECTED),
    ),
    _Scene(
        "Sally leaves. Anne moves the ball into the box. Sally can't see it.",
        tuple((m, ("ball isIn *",), ("ball isIn box",)) for m in ("myself", "anne")),
    ),
)


def run(args: argparse.Namespace) -> int:
    """Plays the story; exit status 1 if an expected belief does not come out."""
    teller = _Teller(quiet=bool(getattr(args, "json", False)))
    board = Blackboard(load_common_sense().common)
    heard: list[Event] = []
    events = Events(board, heard.append)
    now = 0.0
    for number, scene in enumerate(_STORY, 1):
        teller.say(f"\n{number}. {scene.tells}")
        for model, out, put in scene.learns:
            board.create(model)
            now += 1.0
            board.revise(model, read_revision(board.names, retract=out, add=put), now)
        if number == 1:
            pattern = read_pattern("ball isIn ?where", board.names)
            events.subscribe_divergence("differ", "sally", "myself", [pattern])
        _tell_events(heard, teller)
    beliefs = {model: _where(board, model) for model in _EXPECTED}
    _conclude(board, beliefs, teller)
    if teller.quiet:
        print(json.dumps({"beliefs": beliefs, "expected": _EXPECTED}))
    return 0 if beliefs == _EXPECTED else 1


class _Teller:
    def __init__(self, quiet: bool) -> None:
        self.quiet: Final = quiet

    def say(self, text: str) -> None:
        if not self.quiet:
            print(text)


def _tell_events(heard: list[Event], teller: _Teller) -> None:
    """Says where the two minds are left differing, if they are."""
    last = heard[-1] if heard else None
    if last is not None and last.kind == "diverge":
        here = ", ".join(row["where"] for row in last.only_here) or "nowhere"
        there = ", ".join(row["where"] for row in last.only_there) or "nowhere"
        teller.say(f"   ! two minds differ on the ball: Sally has it in the {here},")
        teller.say(f"     the robot in the {there}")
    heard.clear()


def _where(board: Blackboard, model: str) -> str:
    """Where the ball is, as one mind has it."""
    pattern = read_pattern("ball isIn ?where", board.names)
    rows = find([pattern], board.model(model).view, board.budget())
    return ", ".join(row["where"] for row in rows)


def _conclude(board: Blackboard, beliefs: dict[str, str], teller: _Teller) -> None:
    teller.say("\nWhere is the ball?")
    whose = {
        "myself": "the robot",
        "sally": "Sally",
        "anne": "Anne",
        "anne.sally": "Sally, as Anne thinks of her",
    }
    for model, where in beliefs.items():
        mark = "" if where == beliefs["myself"] else "   <- a false belief"
        teller.say(f"   {whose[model]:<30} {model:<12} in the {where}{mark}")
    teller.say("")
    for line in _picture(board, "myself", "sally"):
        teller.say(f"   {line}")
    teller.say("\nSo Sally will look in the basket. What follows from her belief, and why:")
    fact = read_pattern("basket contains ball", board.names)
    for line in _proof(explain(board.model("sally"), fact, board.budget())):
        teller.say(f"   {line}")


def _picture(board: Blackboard, *models: str) -> list[str]:
    """Two minds side by side: what each holds of where things are."""
    boxes = []
    for model in models:
        view = board.model(model).view
        facts = [f for p in ("isIn", "contains") for f in view.match(None, p, None)]
        boxes.append([f"{s:<7}{p:<9}{o:<7}" for s, p, o in facts])
    wide = len(boxes[0][0]) + 2
    rows = [
        "  ".join(f"{model:^{wide + 2}}" for model in models),
        "  ".join("┌" + "─" * wide + "┐" for _ in models),
        *("  ".join(f"│ {line} │" for line in lines) for lines in zip(*boxes, strict=True)),
        "  ".join("└" + "─" * wide + "┘" for _ in models),
    ]
    return [row.rstrip() for row in rows]


def _proof(proof: Proof, depth: int = 0) -> Sequence[str]:
    """A proof as indented lines."""
    lines = [f"{'  ' * depth}{write(proof.fact)}  ({proof.kind.replace('_', ' ')})"]
    for way in proof.because:
        lines.append(f"{'  ' * depth}  by {way.rule}:")
        for premise in way.premises:
            lines += _proof(premise, depth + 2)
    return lines
