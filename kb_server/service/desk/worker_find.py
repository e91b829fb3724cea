"""A question by patterns, answered by a SPARQL worker because it takes too many steps.

A worker does not count steps; its time and memory are limited instead. The rows of its answer
are counted as on the board, so that their number has the same limit.
"""

import json
from collections.abc import Sequence
from typing import Final

from kb_server.answering.questions import Search
from kb_server.core.questions.query import ROW_STEPS, Row, asked
from kb_server.core.terms.rdf import Translator
from kb_server.core.terms.statements import Pattern, Statement, named_variables
from kb_server.core.terms.terms import Names
from kb_server.errors import BadRequest, TooCostly
from kb_server.service.desk.desk import Desk
from kb_server.sparql.protocol import SparqlQuery
from kb_server.wire.results import term_of

__all__ = ["find_by_worker", "sparql_of"]

_RESULTS: Final = "application/sparql-results+json"


async def find_by_worker(desk: Desk, search: Search, computed: Sequence[Statement]) -> list[Row]:
    """The rows that the board would find; limited to the time of a SPARQL query."""
    wanted, select = asked(search.patterns), search.select
    named = named_variables(wanted)
    names = named if select is None else [n if n[0] == "?" else f"?{n}" for n in select]
    unknown = [name for name in names if name not in named]
    if unknown:
        raise BadRequest(f"{unknown[0]!r} is not a variable of the patterns", field="select")
    steps = desk.host.board.settings.steps
    most = steps // ROW_STEPS
    text = sparql_of(wanted, names, min(search.limit or most + 1, most + 1), desk.host.names)
    answer = await desk.pool.query(
        SparqlQuery(text, search.model),
        accept=_RESULTS,
        computed={search.model: computed} if computed else None,
        at_least=desk.host.board.seq,
    )
    rows = await desk.writer.aside(lambda: _rows(answer.body, names, desk.host.names))
    if len(rows) > most:
        message = f"the answer has more rows than {steps} steps allow (a setting)"
        raise TooCostly(message, allowed=steps)
    return rows


def _rows(body: bytes, names: Sequence[str], known: Names) -> list[Row]:
    """The rows of an answer, in the board's terms."""
    found = json.loads(body)
    if not names:
        return [{}] if found["boolean"] else []
    return [
        {name[1:]: term_of(row[name[1:]], known) for name in names}
        for row in found["results"]["bindings"]
    ]


def sparql_of(patterns: Sequence[Pattern], names: Sequence[str], limit: int, known: Names) -> str:
    """The SPARQL query that is equivalent to some patterns."""
    write = Translator(known).to_ox
    numbers: dict[str, str] = {}

    def term(text: str) -> str:
        if text[0] == "?":
            return numbers.setdefault(text, f"?v{len(numbers)}")
        return str(write(text))

    where = " . ".join(" ".join(map(term, pattern)) for pattern in patterns)
    if not names:
        return f"ASK {{ {where} }}"
    shown = " ".join(f"({numbers[name]} AS {name})" for name in dict.fromkeys(names))
    return f"SELECT DISTINCT {shown} {{ {where} }} LIMIT {limit}"
