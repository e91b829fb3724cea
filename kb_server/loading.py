"""Loading the common-sense ontology, and its classification by full OWL DL.

1. The Turtle files are read and materialised by the rules.
2. Pellet classifies the ontology in a process of its own. Its answer is cached under the hash of
   the ontology, so only the first start with an ontology waits for it.
3. The subsumptions that the rules do not entail are added to the ontology.

Without Java only the rules are used, and a note reports it.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import ontology
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.rdf import ntriples, prefixes_in
from kb_server.core.terms.statements import Statement
from kb_server.dl.answers import Classification
from kb_server.dl.engine import DLEngine
from kb_server.errors import BadStatement, DLError
from ontology.vocabulary import EQUIVALENT_CLASS, EQUIVALENT_PROPERTY, SUB_CLASS_OF, SUB_PROPERTY_OF

__all__ = ["Loaded", "default_cache", "load_common_sense"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The common-sense ontology, the statements added by Pellet, and notes for the user.

    `unclassified` is True if the classification is not cached and Pellet has not run.
    """

    common: CommonSense
    added: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()
    unclassified: bool = False


def default_cache() -> Path:
    """Return the default folder of cached classifications, inside the user's cache folder."""
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
    """Load the ontology of some Turtle files (by default the shipped one), classified by `dl`.

    `also` are further texts in Turtle, treated like the files. If `wait` is False, only a cached
    classification is used, and Java isn't started. BadStatement if a file can't be read.
    """
    texts = [_read(path) for path in (ontology.files() if files is None else files)] + [*also]
    common = CommonSense(texts)
    if dl is None:
        return Loaded(common)
    statements = ntriples(common.statements, common.names)
    try:
        found = dl.classify(statements, timeout=timeout) if wait else dl.known(statements)
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
        why = getattr(reason, "strerror", reason)
        raise BadStatement(f"the ontology file {path} can't be read: {why}") from None
    return text


def _subsumptions(found: Classification, common: CommonSense) -> Iterator[Statement]:
    """Yield Pellet's subsumptions and equivalences of named classes and properties."""
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
        yield "Pellet finds the ontology inconsistent: no inference from it can be relied on"
    for iri in found.unsatisfiable:
        name = common.names.of_iri(iri)
        yield f"Pellet finds the class {name} unsatisfiable: its definition contradicts itself"
