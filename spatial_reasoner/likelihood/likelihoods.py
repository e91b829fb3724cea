"""Answers queries about the likelihood of statements; each statement is a resource of its own.

`ball_isIn_box` names the statement that the ball is in the box. As in RDF reification, it has a
subject, a predicate and an object, and in addition a probability. A query that names a statement
gets that statement. Any other query gets all statements (on, in, next to) that may hold of
uncertain objects.

The number of draws depends on the question and not on the clock, so a recording gives the same
answers. There are fewer draws only if time runs out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ontology import vocabulary as v
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.likelihood.draw_cache import DrawCache
from spatial_reasoner.likelihood.likelihood import (
    RELATIONS,
    Doubt,
    Tally,
    doubt,
    doubt_beside,
    doubtful,
)
from spatial_reasoner.likelihood.workers import Workers
from spatial_reasoner.tolerances.units import Wait
from spatial_reasoner.values.likelihood import Likelihood, Meant, Said

__all__ = ["DRAWS", "ON_LIKELIHOOD", "Likelihoods", "said_in"]

ON_LIKELIHOOD: Final = (v.SUBJECT, v.PREDICATE, v.OBJECT, v.HAS_PROBABILITY)
"""The predicates that are answered about statements."""
ANYTHING: Final = (None, None, None)
DRAWS: Final = 100
"""Draws of a question about one statement: a standard error of at most 0.05."""

_MOST: Final = 20
"""At most this many objects are answered about at once."""
_SHARED: Final = 600
"""Draws shared by all unsure objects in a query that names none."""
_FEWEST: Final = 20
"""Least draws of an object or a pair: a standard error of at most 0.12."""
_PAIRS: Final = 12
"""At most this many pairs of loose objects are answered about at once (next to each other)."""
_SECONDS: Final[Wait] = 0.7
"""Seconds for the draws: an answer is due within 1 s, including its evaluation and sending."""


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """A statement, the input of its draws, and how many draws it gets."""

    said: Said
    about: Doubt
    draws: int

    def answer(self, tally: Tally) -> Likelihood:
        """The likelihood of the statement, from the results of the draws."""
        subject, relation, value = self.said
        names = self.about.bodies.names
        other = value if names[0] == subject else subject
        if other not in names[1:]:  # it rests on the thing itself
            return Likelihood(self.said, 0.0, tally.draws)
        found = self.about.likelihood(relation, names.index(other, 1), tally)
        return Likelihood(self.said, found.share, found.draws)


class Likelihoods:
    """Answers for the minds of one reasoner; `close` ends its worker processes."""

    def __init__(self) -> None:
        self._workers: Final = Workers()
        self._draw_cache: Final = DrawCache(self._workers)

    @property
    def is_up(self) -> bool:
        """Whether the worker processes are ready; the first question starts them."""
        return self._workers.is_up

    def close(self) -> None:
        """Ends the worker processes; may be called twice."""
        self._draw_cache.close()
        self._workers.close()

    async def facts(
        self,
        mind: Mind,
        predicate: str,
        subject: str | None,
        value: str | None,
        about: Meant | None = None,
    ) -> list[str]:
        """Returns the facts with one of these predicates; None matches any subject or value.

        `about` restricts the statements. Raises TimeoutError if there was no time for any draws.
        """
        meant = _narrowed(about or ANYTHING, predicate, value)
        if predicate != v.HAS_PROBABILITY:
            which = ON_LIKELIHOOD.index(predicate)
            said = _statements(mind, subject, meant)
            parts = [(each, each[which]) for each in said if value in (None, each[which])]
        else:
            likely = await self._likely(mind, subject, meant)
            parts = [(each.said, _number(each.share, value)) for each in likely]
        return [f"{'_'.join(each)} {predicate} {part}" for each, part in parts if part]

    async def likely(
        self, mind: Mind, said: Said, seconds: float = _SECONDS
    ) -> Likelihood | None:
        """The likelihood of a statement; None if one of its objects has no pose.

        Raises TimeoutError if there was no time for any draws.
        """
        rows = mind.roster.row
        thing, other = rows[said[0]], rows[said[2]]
        is_beside = said[1] == v.IS_NEXT_TO and thing != other
        about = doubt_beside(mind, thing, other) if is_beside else doubt(mind, thing, [other])
        if about is None or not mind.world.placed[[thing, other]].all():
            return None
        (tally,) = await self._tallies([(about, DRAWS)], seconds)
        return _Question(said, about, DRAWS).answer(tally)

    async def _likely(self, mind: Mind, name: str | None, meant: Meant) -> list[Likelihood]:
        """The likelihood of the statement of that name, or of all statements that match."""
        one = _named(meant, mind) if name is None else said_in(name, mind)
        if one is None:
            return [] if name is not None else await self._all(mind, meant)
        found = await self.likely(mind, one) if _fits(one, meant) else None
        return [] if found is None else [found]

    async def _all(self, mind: Mind, meant: Meant) -> list[Likelihood]:
        questions = list(_questions(mind, meant))
        asked = _together(questions)
        tallies = await self._tallies(asked, _SECONDS)
        came = {id(about): tally for (about, _), tally in zip(asked, tallies, strict=True)}
        late = [about for about, _ in asked if not came[id(about)].draws]
        if any(about.bodies.loose < 2 for about in late):  # it would seem to be nowhere
            raise TimeoutError(f"not everything was estimated within {_SECONDS:g} s")
        found = [(each, came[id(each.about)]) for each in questions]
        return [each.answer(tally) for each, tally in found if tally.draws]

    async def _tallies(self, asked: Sequence[tuple[Doubt, int]], seconds: float) -> list[Tally]:
        """The results of the draws of each input; fewer draws if time runs out."""
        tallies = await self._draw_cache.tallies(asked, seconds) if seconds > 0 else []
        if asked and not any(tally.draws for tally in tallies):
            raise TimeoutError(f"nothing was estimated within {seconds:g} s")
        return tallies


def said_in(name: str, mind: Mind) -> Said | None:
    """The statement of that name between known objects; None if there is none."""
    rows = mind.roster.row
    for relation in RELATIONS:
        subject, _, value = name.partition(f"_{relation}_")
        while value:
            if subject in rows and value in rows:
                return subject, relation, value
            more, _, value = value.partition(f"_{relation}_")
            subject = f"{subject}_{relation}_{more}"
    return None


def _named(meant: Meant, mind: Mind) -> Said | None:
    """The statement that matches, if subject, relation and value are all given."""
    subject, relation, value = meant
    if subject is None or relation is None or value is None or relation not in RELATIONS:
        return None
    rows = mind.roster.row
    return (subject, relation, value) if subject in rows and value in rows else None


def _narrowed(meant: Meant, predicate: str, value: str | None) -> Meant:
    """A pattern, narrowed by the value of one part."""
    parts = [value if predicate == each else None for each in ON_LIKELIHOOD[:3]]
    subject, relation, thing = (old or new for old, new in zip(meant, parts, strict=True))
    return subject, relation, thing


def _fits(said: Said, meant: Meant) -> bool:
    return all(part in (None, each) for each, part in zip(said, meant, strict=True))


def _statements(mind: Mind, name: str | None, meant: Meant) -> list[Said]:
    """The statements to answer about: the one of that name, or all that match."""
    one = _named(meant, mind) if name is None else said_in(name, mind)
    if one is None and name is None:
        return [each.said for each in _questions(mind, meant)]
    return [] if one is None or not _fits(one, meant) else [one]


def _questions(mind: Mind, meant: Meant) -> Iterator[_Question]:
    """All statements that match, each with the input of its draws.

    Whether two loose objects are next to each other is drawn in pairs, nearest pairs first.
    """
    asked = list(_asked(mind, meant))
    pairs = _pairs(asked, meant)
    doubts = {pair: doubt_beside(mind, *map(mind.roster.row.__getitem__, pair)) for pair in pairs}
    draws = min(max(_SHARED // max(len(pairs), 1), _FEWEST), DRAWS)
    for about, most in asked:
        for relation, other in about.pairs():
            said = _said(about, (relation, other))
            if not _fits(said, meant):
                continue
            if relation != v.IS_NEXT_TO or not about.falls[other]:
                yield _Question(said, about, most)
            elif (both := doubts.get(_pair(about, other))) is not None:
                yield _Question(said, both, min(draws, most))


def _together(questions: Sequence[_Question]) -> list[tuple[Doubt, int]]:
    """The inputs of several questions, each once, with its most draws; pairs come last."""
    most: dict[int, tuple[Doubt, int]] = {}
    for each in questions:
        _, draws = most.get(id(each.about), (each.about, 0))
        most[id(each.about)] = each.about, max(draws, each.draws)
    return sorted(most.values(), key=lambda asked: asked[0].bodies.loose > 1)


def _pairs(asked: Sequence[tuple[Doubt, int]], meant: Meant) -> list[tuple[str, str]]:
    """Pairs of loose objects that may be next to each other, by name; at most `_PAIRS`."""
    found = {
        _pair(about, other): float(np.linalg.norm(np.ptp(about.bodies.poses[[0, other], :3], 0)))
        for about, _ in asked
        for relation, other in about.pairs()
        if relation == v.IS_NEXT_TO and about.falls[other]
        if _fits(_said(about, (relation, other)), meant)
    }
    return sorted(found, key=lambda pair: (found[pair], pair))[:_PAIRS]


def _pair(about: Doubt, other: int) -> tuple[str, str]:
    """The names of an object and another, in alphabetical order."""
    names = about.bodies.names
    return min(names[0], names[other]), max(names[0], names[other])


def _said(about: Doubt, pair: tuple[str, int]) -> Said:
    relation, other = pair
    return about.name, relation, about.bodies.names[other]


def _asked(mind: Mind, meant: Meant) -> Iterator[tuple[Doubt, int]]:
    """The inputs of all statements that match, and the number of draws of each."""
    for row, draws in _tried(mind, meant[0]):
        about = doubt(mind, row)
        if about is not None and any(_fits(_said(about, pair), meant) for pair in about.pairs()):
            yield about, draws


def _tried(mind: Mind, name: str | None) -> Iterator[tuple[int, int]]:
    """The object of that name, or all doubtful objects; each with its number of draws."""
    if name is not None:
        if name in mind.roster.row:
            yield mind.roster.row[name], DRAWS
        return
    rows = doubtful(mind)[:_MOST]
    unsure = sum(is_unsure for _, is_unsure in rows)
    each = min(max(_SHARED // max(unsure, 1), _FEWEST), DRAWS)
    yield from ((row, each if is_unsure else _FEWEST) for row, is_unsure in rows)


def _number(share: float, wanted: str | None) -> str:
    """A share as a literal; spelled as `wanted` if equal to it, and empty if not equal."""
    if wanted is None:
        return f'"{round(share, 4)}"^^{v.XSD_DOUBLE}'
    try:
        number = float(wanted.split('"')[1] if wanted.startswith('"') else wanted)
    except ValueError:
        return ""
    return wanted if number == round(share, 4) else ""
