"""`mindboard export`: write the facts of models as RDF."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server import Blackboard
from kb_server.commands.connection import bounded, opened
from kb_server.commands.formats import FORMATS, QUADS, format_of, said_to_be
from kb_server.commands.progress import progress
from kb_server.core.models.agents import ROBOT
from kb_server.core.terms import xml
from kb_server.program import CommandFailed, UsageError
from ontology.vocabulary import PREFIXES

__all__ = ["run"]

_WHERE: Final = "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH model:%s { ?s ?p ?o } }"
_LINES: Final = "application/n-triples"


@bounded
def run(args: argparse.Namespace) -> int:
    """Execute `export`; return the exit status."""
    with opened(args) as kb:
        models = (
            [m.id for m in kb.models()] if args.all else list(dict.fromkeys(args.model or [ROBOT]))
        )
        several = len(models) > 1 or args.all
        kind = format_of(args.format, args.output, "trig" if several else "turtle")
        if several and kind not in QUADS:
            raise UsageError(f"{len(models)} models need a format with graphs: {', '.join(QUADS)}")
        found = _quads(kb, models, several, args)
        _write(list(found), kind, args.output)
    return 0


def _quads(
    kb: Blackboard, models: list[str], several: bool, args: argparse.Namespace
) -> Iterator[ox.Quad]:
    with progress("reading", len(models)) as step:
        for model in models:
            graph = ox.NamedNode(PREFIXES["model"] + model) if several else ox.DefaultGraph()
            answer = kb.query(
                _WHERE % model, model=model, accept=_LINES, inferred=args.inferred, at=args.at
            )
            held = list(ox.parse(answer.text or "", format=ox.RdfFormat.N_TRIPLES))
            yield from (ox.Quad(q.subject, q.predicate, q.object, graph) for q in held)
            if several and not held:
                yield said_to_be(model)
            step(1)


def _write(quads: list[ox.Quad], kind: str, file: Path | None) -> None:
    text = ox.serialize(quads, format=FORMATS[kind], prefixes=dict(PREFIXES)) or b""
    if kind == "rdfxml":
        text = xml.escaped(text)
        if not xml.is_sayable(text):
            raise UsageError(f"{xml.REASON}; choose another format, such as --format turtle")
    if file is None:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return
    try:
        file.write_bytes(text)
    except OSError as reason:
        raise CommandFailed(f"{file} can't be written: {reason.strerror}") from None
