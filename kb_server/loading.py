"""Loading the common sense: the files, and what full OWL DL finds in them beyond the rules.

Pellet classifies the ontology in a process beside. Its answer is kept by the ontology's hash, so
only the first start with an ontology waits for it; without Java the rules do what they can, and
the notes say so.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import ontology
from kb_server.core.errors import BadStatement
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.rdf import ntriples, prefixes_in
from kb_server.core.terms.statements import Statement
from kb_server.dl.answers import Classification, DLError
from kb_server.dl.engine import DLEngine
from ontology.vocabulary import EQUIVALENT_CLASS, EQUIVALENT_PROPERTY, SUB_CLASS_OF, SUB_PROPERTY_OF

__all__ = ["Loaded", "default_cache", "load_common_sense"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The common sense, what Pellet added to it, and what the user should know.

    `unclassified` when Pellet has still to be asked.
    """

    common: CommonSense
    added: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()
    unclassified: bool = False


def default_cache() -> Path:
    """Where classifications are kept unless told otherwise: the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mindboard" / "classifications"


def load_common_sense(
    files: Sequence[Path] | None = None,
    dl: DLEngine | None = None,
    *,
    also: Sequence[str] = (),
    timeout: float = 60.0,
    wait: bool = True,
) -> Loaded:
    """The ontology of some Turtle files (by default the shipped one), classified if `dl` can.

    `also` are further texts in Turtle, as much common sense as those of the files. Without `wait`
    only a classification that is kept is used, and Java isn't started.
    """
    texts = [_read(path) for path in (ontology.files() if files is None else files)] + [*also]
    common = CommonSense(texts)
    if dl is None:
        return Loaded(common)
    told = ntriples(common.statements, common.names)
    try:
        found = dl.classify(told, timeout=timeout) if wait else dl.known(told)
    except DLError as reason:
        note = f"the ontology is not classified by full OWL DL: {reason.message}"
        return Loaded(common, (), (note,))
    if found is None:
        return Loaded(common, unclassified=True)
    added = tuple(s for s in _subsumptions(found, common) if not common.reasoner.holds(s))
    notes = (*_warnings(found, common), *found.warnings)
    return Loaded(CommonSense(texts, added) if added else common, added, notes)


def _read(path: Path) -> str:
    try:
        text = path.read_text("utf-8")
        prefixes_in(text)
    except (OSError, UnicodeDecodeError, BadStatement) as reason:
        raise BadStatement(f"the ontology file {path} can't be read: {reason}") from None
    return text


def _subsumptions(found: Classification, common: CommonSense) -> Iterator[Statement]:
    """What Pellet says of named classes and properties, as statements."""
    rows: Iterable[tuple[str, Iterable[tuple[str, str]]]] = (
        (SUB_CLASS_OF, found.subsumptions),
        (EQUIVALENT_CLASS, found.equivalences),
        (SUB_PROPERTY_OF, found.property_subsumptions),
        (EQUIVALENT_PROPERTY, found.property_equivalences),
    )
    for word, pairs in rows:
        for left, right in sorted(pairs):
            yield (common.names.of_iri(left), word, common.names.of_iri(right))


def _warnings(found: Classification, common: CommonSense) -> Iterator[str]:
    if not found.consistent:
        yield "the ontology contradicts itself, says Pellet: nothing it infers can be relied on"
    for iri in found.unsatisfiable:
        name = common.names.of_iri(iri)
        yield f"nothing can be a {name}, says Pellet: its definition contradicts itself"
