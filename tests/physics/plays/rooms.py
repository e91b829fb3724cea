"""The rooms of these plays: what can be pushed, hidden behind, put into, poured and carried."""

from typing import Final

from tests.plays.rooms import TABLE_TOP, room

__all__ = [
    "BALL_ON_TABLE",
    "BEHIND",
    "BIN_ON_TABLE",
    "CRATE_ON_TABLE",
    "CUP_ON_TABLE",
    "TABLE_TOP",
    "back_room",
    "bedroom",
    "counter",
    "kitchen",
    "pantry",
    "sill",
    "workshop",
]

BALL_ON_TABLE: Final = TABLE_TOP + 0.04
CUP_ON_TABLE: Final = TABLE_TOP + 0.05
BIN_ON_TABLE: Final = TABLE_TOP + 0.15
CRATE_ON_TABLE: Final = TABLE_TOP + 0.15
BEHIND: Final = (0.36, 0.0, CUP_ON_TABLE)
"""A place for a cup near the far edge of the table; a crate at x = 0.2 hides it."""

_BALL: Final = {"class": "Ball", "shape": {"sphere": 0.04}, "mass": 0.05}
_CUP: Final = {"class": "Cup", "shape": {"cylinder": [0.04, 0.1]}, "mass": 0.2}
_BODY: Final = {"class": "Human", "shape": {"box": [0.25, 0.5, 1.7]}}


def _bin(*size: float, **more: object) -> dict[str, object]:
    shape = {"bin": {"size": list(size), "floor": 0.02, "wall": 0.02}}
    return {"class": "Bin", "shape": shape, "mass": 1.0, **more}


def _block(*size: float, kind: str = "Box", mass: float = 0.3) -> dict[str, object]:
    return {"class": kind, "shape": {"box": list(size)}, "mass": mass}


def counter(*people: str, depth: int = 1) -> dict[str, object]:
    """A cup, a ball, and solid crates that hide them from the robot."""
    return room(
        {
            "cup": _CUP,
            "ball": _BALL,
            "crate": _block(0.1, 0.4, 0.3, mass=2.0),
            "other": _block(0.2, 0.2, 0.1),
            "cube": _block(0.2, 0.2, 0.1),
        },
        *people,
        depth=depth,
    )


def workshop(*people: str, depth: int = 1) -> dict[str, object]:
    """A ball, a jar to pour it from, and bins to have it in."""
    return room(
        {
            "ball": _BALL,
            "cup": _CUP,
            "jar": _bin(0.16, 0.16, 0.2),
            "box": _bin(0.3, 0.3, 0.3),
            "bucket": _bin(0.3, 0.3, 0.3),
            "vat": _bin(0.5, 0.5, 0.4),
        },
        *people,
        depth=depth,
    )


def kitchen(deep: float, *people: str) -> dict[str, object]:
    """A tray with a rim, low or high, for a ball and a cup."""
    shape = {"bin": {"size": [0.3, 0.3, deep], "floor": 0.01, "wall": 0.01}}
    tray = {"class": "Bin", "shape": shape, "mass": 1.0}
    return room({"ball": _BALL, "cup": _CUP, "tray": tray}, *people)


def pantry(*people: str) -> dict[str, object]:
    """A cup, two balls, and two bins with thin walls."""
    shape = {"bin": {"size": [0.2, 0.2, 0.18], "floor": 0.01, "wall": 0.004}}
    tin = {"class": "Bin", "shape": shape, "mass": 1.0}
    return room({"ball": _BALL, "other": _BALL, "cup": _CUP, "box": tin, "bucket": tin}, *people)


def sill() -> dict[str, object]:
    """Blocks to pile up, and a carton to hide the pile behind."""
    return room(
        {
            "carton": _block(0.05, 0.5, 0.45),
            "foot": _block(0.08, 0.08, 0.08),
            "middle": _block(0.08, 0.08, 0.08),
            "top": _block(0.08, 0.08, 0.08),
        },
        "sally",
    )


def bedroom() -> dict[str, object]:
    """A chest with a drawer, and a ball."""
    return room({"chest": {"class": "Cupboard", "urdf": "chest.urdf"}, "ball": _BALL}, "sally")


def back_room() -> dict[str, object]:
    """A cup, a ball and a jar, and somebody large enough to hide them."""
    things: dict[str, object] = {"cup": _CUP, "ball": _BALL, "jar": _bin(0.16, 0.16, 0.2)}
    return room(things, sally=dict(_BODY))
