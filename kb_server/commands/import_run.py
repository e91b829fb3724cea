"""`mindboard import FILE…`: RDF into models, in batches or as one change.

The file is read by a process beside, bounded, and its statements are told to the board like any
others. A graph `model:x` of a file with graphs goes into the model `x`, which is made, also where
the file only says that it is there; all else goes into `--model`.

A relative IRI means something only on a base. Where a file lies says nothing about what it tells
of, and would put the machine's folders on the board: so where neither the file nor `--base` has
one it is refused.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server import Blackboard
from kb_server.commands.asking import Failed, Misused, bounded, opened
from kb_server.commands.formats import FORMATS, LIST, format_of, model_named
from kb_server.commands.progress import progress
from kb_server.core.errors import BadModelName, BadStatement
from kb_server.core.models.agents import check_name
from kb_server.core.terms.rdf import Translator
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.sparql.errors import BadGraph
from kb_server.sparql.files import quads_in

__all__ = ["run"]

_NO_BASE: Final = "mindboard-no-base:/"
"""What relative IRIs are read on to be seen; without a base JSON-LD would leave them out."""


@bounded
def run(args: argparse.Namespace) -> int:
    """Execute `import`; the exit status."""
    if args.batch < 1:
        raise Misused("--batch is at least 1")
    told: dict[str, list[Statement]] = {}
    for name in args.files:
        _read(name, args, told)
    with opened(args) as kb, progress("telling", sum(map(len, told.values()))) as step:
        for model, facts in told.items():
            _make(kb, model)
            size = max(1, len(facts)) if args.atomic else args.batch
            for start in range(0, len(facts), size):
                part = facts[start : start + size]
                kb.revise(model, add=part, memory=args.memory, source=args.source)
                step(len(part))
    for model, facts in told.items():
        print(f"{model}: {len(facts)} statements", file=sys.stderr)
    return 0


def _read(name: str, args: argparse.Namespace, told: dict[str, list[Statement]]) -> None:
    """Adds what a file says to what is to be told to each model."""
    file = None if name == "-" else Path(name)
    kind = FORMATS[format_of(args.format, file, None)]
    read = Translator(Names()).from_ox
    try:
        data = sys.stdin.buffer.read() if file is None else file.read_bytes()
        for quad in quads_in(data, kind, args.base or _NO_BASE):
            _check_based(quad, name)
            if quad.graph_name == LIST:
                told.setdefault(_listed(quad, name), [])
                continue
            fact = (read(quad.subject), read(quad.predicate), read(quad.object))
            model = model_named(quad.graph_name)
            told.setdefault(check_name(model) if model else args.model, []).append(fact)
    except OSError as reason:
        raise Failed(f"{name} can't be read: {reason.strerror}") from None
    except (BadGraph, BadModelName, BadStatement) as reason:
        raise Failed(f"{name}: {reason.message}") from None


def _check_based(quad: ox.Quad, name: str) -> None:
    """Failed for a statement with an IRI that is relative to nothing."""
    for term in quad:
        iri = term.datatype if isinstance(term, ox.Literal) else term
        if isinstance(iri, ox.NamedNode) and iri.value.startswith(_NO_BASE):
            said = iri.value.removeprefix(_NO_BASE)
            raise Failed(
                f"{name}: <{said[:80]}> is relative and the file has no base: say --base IRI"
            )


def _listed(quad: ox.Quad, name: str) -> str:
    """A model that a file says is there, empty or not."""
    model = model_named(quad.subject)
    if not model:
        raise Failed(f"{name}: the graph {LIST} lists models, and {quad.subject} is none")
    return check_name(model)


def _make(kb: Blackboard, model: str) -> None:
    """Makes a model with those that it lies in."""
    parts: Sequence[str] = model.split(".")
    for number in range(1, len(parts) + 1):
        kb.create(".".join(parts[:number]))
