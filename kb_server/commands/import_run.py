"""`mindboard import FILE…`: assert the statements of RDF files, in batches or in one change.

A child process with bounded time and memory parses the file. A graph `model:x` goes into the model
`x`, which is created if missing, even if the file only lists it as empty. All other statements go
into `--model`.

A relative IRI needs a base. The file's own path is not used as one: it has nothing to do with the
content, and would publish the machine's folders on the board. So a relative IRI is refused if
neither the file nor `--base` gives a base.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server import Blackboard
from kb_server.commands.connection import bounded, opened
from kb_server.commands.formats import FORMATS, LIST, format_of, model_named
from kb_server.commands.progress import progress
from kb_server.core.models.agents import check_name
from kb_server.core.terms.rdf import Translator
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.errors import BadGraph, BadModelName, BadStatement
from kb_server.program import CommandFailed
from kb_server.sparql.files import quads_in

__all__ = ["run"]

_NO_BASE: Final = "mindboard-no-base:/"
"""A base that reveals relative IRIs; without any base JSON-LD would silently drop them."""


@bounded
def run(args: argparse.Namespace) -> int:
    """Execute `import`; return the exit status."""
    by_model: dict[str, list[Statement]] = {}
    for name in args.files:
        _read(name, args, by_model)
    with opened(args) as kb, progress("telling", sum(map(len, by_model.values()))) as step:
        for model, facts in by_model.items():
            _make(kb, model)
            size = max(1, len(facts)) if args.atomic else args.batch
            for start in range(0, len(facts), size):
                part = facts[start : start + size]
                kb.revise(model, add=part, memory=args.memory, source=args.source)
                step(len(part))
    for model, facts in by_model.items():
        print(f"{model}: {len(facts)} statements", file=sys.stderr)
    return 0


def _read(name: str, args: argparse.Namespace, by_model: dict[str, list[Statement]]) -> None:
    """Add the statements of a file to those to be asserted in each model."""
    file = None if name == "-" else Path(name)
    kind = FORMATS[format_of(args.format, file, None)]
    read = Translator(Names()).from_ox
    try:
        data = sys.stdin.buffer.read() if file is None else file.read_bytes()
        for quad in quads_in(data, kind, args.base or _NO_BASE):
            _check_based(quad, name)
            if quad.graph_name == LIST:
                by_model.setdefault(_listed(quad, name), [])
                continue
            fact = (read(quad.subject), read(quad.predicate), read(quad.object))
            model = model_named(quad.graph_name)
            by_model.setdefault(check_name(model) if model else args.model, []).append(fact)
    except OSError as reason:
        raise CommandFailed(f"{name} can't be read: {reason.strerror}") from None
    except (BadGraph, BadModelName, BadStatement) as reason:
        raise CommandFailed(f"{name}: {reason.message}") from None


def _check_based(quad: ox.Quad, name: str) -> None:
    """Raise CommandFailed for a statement with a relative IRI that has no base."""
    for term in quad:
        iri = term.datatype if isinstance(term, ox.Literal) else term
        if isinstance(iri, ox.NamedNode) and iri.value.startswith(_NO_BASE):
            said = iri.value.removeprefix(_NO_BASE)
            raise CommandFailed(
                f"{name}: <{said[:80]}> is relative and the file has no base: set --base IRI"
            )


def _listed(quad: ox.Quad, name: str) -> str:
    """Return the model that a file lists; CommandFailed if the subject is no model."""
    model = model_named(quad.subject)
    if not model:
        raise CommandFailed(
            f"{name}: the graph {LIST} lists models, but {quad.subject} is not a model"
        )
    return check_name(model)


def _make(kb: Blackboard, model: str) -> None:
    """Create a model and the models in which it is nested."""
    parts: Sequence[str] = model.split(".")
    for number in range(1, len(parts) + 1):
        kb.create(".".join(parts[:number]))
