"""Panels: the world of one mind from above, and what its owner sees."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PIL import Image

from spatial_reasoner.belief.company import HANDS
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags, Floats, Indices
from spatial_reasoner.pictures.facets import stage
from spatial_reasoner.pictures.labels import Font, Label, Named, labelled, printable
from spatial_reasoner.pictures.overlays import HAND, HEAD, Overlay
from spatial_reasoner.pictures.painting import FINE, FacetView, painted, view
from spatial_reasoner.pictures.palette import (
    GHOST,
    INK,
    PAPER,
    PLAIN,
    SKY,
    Colour,
    colour_named,
    colour_of,
)
from spatial_reasoner.pictures.picture_data import PictureData, shown_rows
from spatial_reasoner.pictures.top_view import Ground, below_heads, eye_above
from spatial_reasoner.scene.scene import PARTS
from spatial_reasoner.sight.fields_of_view import Field
from spatial_reasoner.values.rendering import NOTHING, Eye, Sight

__all__ = ["MindPanel", "Size", "from_above", "through_eyes"]

Size = tuple[int, int]

_WIDEST: Final = (2.1, 1.9)
"""Largest field of view of a panel in radians, about 120° × 109°: wider ones distort too much."""
_AROUND: Final = 1.1
"""A panel shows this factor more than the field of view; the rest is grey."""
_BUSY: Final = {"nothing": 0.01, "ground": 0.02, "fixture": 0.15, "thing": 1.0, "stroke": 4.0}
"""Cost of covering a pixel with a name, by its content."""


@dataclass(frozen=True, slots=True, eq=False)
class MindPanel:
    """One picture of a sheet, and the names in it."""

    image: Image.Image
    names: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Mark:
    """A name, and how many pixels around it should not be covered."""

    named: Named
    half: float


def from_above(
    sight: Sight, one: PictureData, ground: Ground, size: Size, letters: Font
) -> MindPanel:
    """The world of a mind from above; what its owner does not see now is grey."""
    mind, ghosts = one.mind, one.ghosts
    eye = eye_above(ground, size[0] * FINE, size[1] * FINE)
    there = shown_rows(mind) & ~ghosts
    drawn = _view(sight, eye, mind, there & below_heads(mind))
    image = painted(drawn, _colours(mind), one.seen, PAPER)
    _fields(image, drawn, mind, mind.company.looking & one.is_looking)
    overlay = Overlay(image, drawn.projection)
    there_now = mind.company.present & one.is_looking
    marks = [*_ghosts(overlay, one), *_people(overlay, mind, ghosts, there_now, is_plan=True)]
    buried = there & ~drawn.shown
    marks += _buried(overlay, mind, buried, one.seen)
    return _finished(image, drawn, mind, one.seen, marks, letters)


def through_eyes(sight: Sight, one: PictureData, size: Size, letters: Font) -> MindPanel | None:
    """The view of a mind's owner, unseen objects in grey; None if the owner does not look."""
    if not one.is_looking:
        return None
    mind, who = one.around, one.who
    eye = _eye(mind.company.heads[one.agent], who.fov, size)
    drawn = _view(sight, eye, mind, shown_rows(mind))
    bearings = drawn.projection.bearings()
    fields = [Field.of(angles, 0.0).inside(*bearings) for angles in (who.fov, who.foa)]
    image = painted(drawn, _colours(mind), one.seen_around, SKY, fields[0], fields[1])
    overlay = Overlay(image, drawn.projection)
    hidden = mind.roster.owner == one.agent
    there_now = mind.company.present
    marks = [*_ghosts(overlay, one), *_people(overlay, mind, hidden, there_now, is_plan=False)]
    return _finished(image, drawn.within(fields[0]), mind, one.seen_around, marks, letters)


def _view(sight: Sight, eye: Eye, mind: Mind, rows: Flags) -> FacetView:
    staged = stage(mind.world.shapes, mind.world.pose)
    return view(sight, eye, staged, rows, mind.roster.is_transparent)


def _eye(head: Floats, fov: tuple[float, float], size: Size) -> Eye:
    """A camera with the proportions of a panel that covers a field of view, unless it is too
    wide."""
    wide, high = np.tan(np.minimum(fov, _WIDEST) / 2).tolist()
    high = max(high, wide * size[1] / size[0]) * _AROUND
    angles = [float(2 * np.arctan(side)) for side in (high * size[0] / size[1], high)]
    return Eye(head, (angles[0], angles[1]), size[0] * FINE, size[1] * FINE)


def _colours(mind: Mind) -> Floats:
    """The colour of each row."""
    entities = mind.roster.entities
    return np.array([INK if one is None else colour_of(one) for one in entities], dtype=float)


# --- what is drawn over it ---


def _ghosts(overlay: Overlay, one: PictureData) -> list[_Mark]:
    """The wrongly believed poses of objects and agents."""
    world, roster = one.mind.world, one.mind.roster
    marks = []
    for row in np.flatnonzero(one.ghosts).tolist():
        shape = world.shapes[row]
        if shape is not None:
            at = overlay.outline(shape, world.pose[row], GHOST, is_dotted=False)
        else:
            at = overlay.ball(world.pose[row, :3], HEAD, GHOST, is_dashed=True)
        owner = roster.owner[row]
        name = roster.names[row] if owner < 0 else roster.agents[owner].name
        marks += _marked(f"{printable(name)}: not here", at, GHOST)
    return marks


def _fields(image: Image.Image, drawn: FacetView, mind: Mind, looking: Flags) -> None:
    """The fields of view of some agents: a tint on everything except movable objects."""
    before, overlay = image.copy(), Overlay(image, drawn.projection)
    for number in np.flatnonzero(looking).tolist():
        who = mind.roster.agents[number]
        half = min(who.fov[0] / 2, np.pi)
        overlay.field(mind.company.heads[number], half, colour_named(who.name))
    movable = np.append(~mind.roster.is_fixture & ~mind.roster.is_static, False)
    image.paste(before, (0, 0), Image.fromarray(movable[drawn.rows]))


def _people(
    overlay: Overlay, mind: Mind, left_out: Flags, there_now: Flags, is_plan: bool
) -> list[_Mark]:
    """The heads and hands of agents; absent agents are grey."""
    world, roster, marks = mind.world, mind.roster, list[_Mark]()
    for number, who in enumerate(roster.agents):
        colour = colour_named(who.name) if there_now[number] else PLAIN
        head = roster.part(who.name, PARTS[0])
        for hand, elbow in HANDS:
            _arm(overlay, mind, (roster.part(who.name, hand), roster.part(who.name, elbow)),
                 left_out, colour)  # fmt: skip
        if not world.placed[head] or left_out[head]:
            continue
        at = overlay.ball(world.pose[head, :3], HEAD, colour, is_dashed=False)
        if is_plan:
            overlay.nose(world.pose[head], colour)
        marks += _marked(printable(who.name), at, INK if colour != PLAIN else PLAIN)
    return marks


def _arm(
    overlay: Overlay, mind: Mind, rows: tuple[int, int], left_out: Flags, colour: Colour
) -> None:
    world, (hand, elbow) = mind.world, rows
    if not world.placed[hand] or left_out[hand]:
        return
    overlay.ball(world.pose[hand, :3], HAND, colour, is_dashed=False)
    if world.placed[elbow]:
        overlay.line(world.pose[hand, :3], world.pose[elbow, :3], colour)


def _buried(overlay: Overlay, mind: Mind, rows: Flags, seen: Flags) -> list[_Mark]:
    """The objects hidden from above."""
    marks = []
    for row in np.flatnonzero(rows).tolist():
        shape, colour = mind.world.shapes[row], INK if seen[row] else PLAIN
        if shape is not None and shape.kind != "plane":
            at = overlay.outline(shape, mind.world.pose[row], colour, is_dotted=True)
            marks += _marked(printable(mind.roster.names[row]), at, colour)
    return marks


def _marked(text: str, at: Floats | None, colour: Colour) -> list[_Mark]:
    if at is None:
        return []
    x, y = (at / FINE).tolist()
    return [_Mark(Named(text, (x, y), colour), 7.0)]


# --- names ---


def _finished(
    image: Image.Image,
    drawn: FacetView,
    mind: Mind,
    seen: Flags,
    marks: Iterable[_Mark],
    letters: Font,
) -> MindPanel:
    """The picture at its final resolution, with names."""
    small = image.reduce(FINE)
    layers = [one[::FINE, ::FINE] for one in (drawn.rows, drawn.panes)]
    busy = _busy(layers[0], mind)
    names = []
    for mark in marks:
        names.append(mark.named)
        x, y = mark.named.at
        part = [slice(max(int(c - mark.half), 0), int(c + mark.half)) for c in (y, x)]
        busy[part[0], part[1]] = np.maximum(busy[part[0], part[1]], _BUSY["stroke"])
    names += _shown_names(layers, mind, seen)
    return MindPanel(small, tuple(labelled(small, names, busy, letters)))


def _busy(rows: Indices, mind: Mind) -> Floats:
    """The cost of covering each pixel."""
    weights = np.where(mind.roster.is_fixture, _BUSY["fixture"], _BUSY["thing"])
    weights[_ground(mind)] = _BUSY["ground"]
    busy: Floats = np.append(weights, _BUSY["nothing"])[rows]
    return busy


def _ground(mind: Mind) -> Flags:
    kinds = ["" if shape is None else shape.kind for shape in mind.world.shapes]
    return np.array([kind == "plane" for kind in kinds], dtype=bool)


def _shown_names(
    layers: Sequence[Indices], mind: Mind, seen: Flags
) -> Sequence[Named]:
    """The names of the visible objects, smallest first; that of the ground goes to a corner."""
    ground, found = _ground(mind), list[tuple[int, Named]]()
    for rows in layers:
        for row in np.unique(rows[rows != NOTHING]).tolist():
            own = rows == row
            y, x = np.nonzero(own)
            about = (0, rows.shape[0]) if ground[row] else (x.mean(), y.mean())
            nearest = int(np.hypot(x - about[0], y - about[1]).argmin())
            at = (float(x[nearest]), float(y[nearest]))
            colour = INK if seen[row] else PLAIN
            found.append((len(x), Named(printable(mind.roster.names[row]), at, colour, own)))
    return [named for _, named in sorted(found, key=lambda each: each[0])]
