"""The rooms that the plays are set in: scenes as documents."""

from typing import Final

__all__ = ["TABLE_TOP", "desk", "nursery", "room", "shelf"]

TABLE_TOP: Final = 0.75
_TABLE: Final = {
    "class": "Table",
    "shape": {"box": [1.0, 1.6, 0.05]},
    "pose": [0, 0, TABLE_TOP - 0.025],
    "static": True,
}
_ROBOT: Final = {"class": "Robot", "head": [-1.6, 0, 1.9, 0, 0.2588, 0, 0.9659],
                 "fov": [1.745, 1.309]}  # fmt: skip


def room(
    entities: dict[str, object],
    *people: str,
    depth: int = 1,
    sensors: dict[str, object] | None = None,
    **agents: dict[str, object],
) -> dict[str, object]:
    """A floor and a table, with more things on it; the robot looks at it, and people may come."""
    known: dict[str, object] = {
        "myself": _ROBOT,
        **{who: {"class": "Human"} for who in people},
        **agents,
    }
    furniture = {"floor": {"class": "Floor", "plane": True, "pose": [0, 0, 0]}, "table": _TABLE}
    return {
        "name": "play",
        "depth": depth,
        "entities": {**furniture, **entities},
        "agents": known,
        "sensors": sensors or {},
    }


def nursery(*people: str, depth: int = 1) -> dict[str, object]:
    """Sally and Anne's: a basket, a box and a ball."""
    return room(
        {
            "basket": {"class": "Basket", "shape": {
                "bin": {"size": [0.285, 0.375, 0.36], "floor": 0.06, "wall": 0.02}}},
            "box": {"class": "Box", "shape": {
                "bin": {"size": [0.3, 0.3, 0.3], "floor": 0.02, "wall": 0.02}}},
            "ball": {"class": "Ball", "shape": {"sphere": 0.045}},
        },
        *(people or ("sally", "anne")),
        depth=depth,
    )  # fmt: skip


def _bin(kind: str, size: float, **more: object) -> dict[str, object]:
    shape = {"bin": {"size": [size, size, size], "floor": 0.02, "wall": 0.02}}
    return {"class": kind, "shape": shape, **more}


def _block(*size: float, kind: str = "Box", **more: object) -> dict[str, object]:
    return {"class": kind, "shape": {"box": list(size)}, **more}


def desk(*people: str, depth: int = 1) -> dict[str, object]:
    """Things to hide behind, in and under, and to be seen through."""
    return room(
        {
            "ball": {"class": "Ball", "shape": {"sphere": 0.04}},
            "cup": {"class": "Cup", "shape": {"cylinder": [0.04, 0.1]}},
            "pencil": _block(0.15, 0.01, 0.01, kind="Artifact"),
            "carton": _block(0.05, 0.4, 0.4),
            "bucket": _bin("Bin", 0.25),
            "tank": _bin("Box", 0.25, transparent=True),
        },
        *(people or ("sally", "anne")),
        depth=depth,
    )


def shelf() -> dict[str, object]:
    """A director's task: two cells side by side on the table, one with a back to the director."""
    return room(
        {
            "bottom": _block(0.2, 0.66, 0.02, kind="Shelf", static=True, pose=[0, 0, 0.76]),
            "left": _block(0.2, 0.02, 0.3, kind="Wall", static=True, pose=[0, -0.3, 0.92]),
            "middle": _block(0.2, 0.02, 0.3, kind="Wall", static=True, pose=[0, 0, 0.92]),
            "right": _block(0.2, 0.02, 0.3, kind="Wall", static=True, pose=[0, 0.3, 0.92]),
            "top": _block(0.2, 0.64, 0.02, kind="Shelf", static=True, pose=[0, 0, 1.08]),
            "back": _block(0.01, 0.28, 0.3, kind="Wall", static=True, pose=[0.11, 0.15, 0.92]),
            "candle": {"class": "Artifact", "shape": {"cylinder": [0.03, 0.1]}},
            "taper": {"class": "Artifact", "shape": {"cylinder": [0.02, 0.06]}},
        },
        "director",
    )
