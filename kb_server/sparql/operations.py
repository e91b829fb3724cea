"""The operations of a SPARQL Update, split by its tokens; the text must be valid.

A change is rewritten so that Oxigraph computes it without executing it: the triples that it would
delete are inserted into hidden graphs, and those that it would insert into other hidden graphs.

    DELETE { ?x oro:isIn ?y } WHERE { ?x oro:isIn ?y }
    INSERT { GRAPH ?_g0 { ?x oro:isIn ?y } } USING … WHERE { { ?x oro:isIn ?y } BIND(… AS ?_g0) }
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kb_server.sparql.tokens import NAMES, Token

__all__ = [
    "DELETED",
    "INSERTED",
    "Operation",
    "is_written_default",
    "operations",
    "rewritten",
    "where",
    "written",
]

DELETED: Final = "urn:x-mindboard:minus:"
INSERTED: Final = "urn:x-mindboard:plus:"
_PREFIX: Final = 3
_BASE: Final = 2


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation with the prologue before it; `verb` is its first word, in capitals."""

    text: str
    prologue: str
    tokens: Sequence[Token]

    @property
    def verb(self) -> str:
        return self.tokens[0].word

    def alone(self) -> str:
        """Return the operation with its prologue, padded so that the parser's positions fit."""
        before = self.text[: self.tokens[0].start]
        line = before.rpartition("\n")[2]
        padding = "\n" * before.count("\n") + " " * max(0, len(line) - len(self.prologue))
        return self.prologue + padding + self.cut(self.tokens)

    def words(self) -> list[str]:
        return [token.word for token in self.tokens]

    def names(self, after: Sequence[str]) -> list[str]:
        """Return the names of graphs that follow certain words, as written."""
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        return [b.text for a, b in pairs if a.word in after and b.kind in NAMES]

    def cut(self, tokens: Sequence[Token]) -> str:
        """Return the text from the first to the last of some tokens."""
        return self.text[tokens[0].start : tokens[-1].end] if tokens else ""


def operations(text: str, found: Sequence[Token]) -> Iterator[Operation]:
    """Yield the operations of an update, each with all declarations before it."""
    prologue = ""
    rest = list(found)
    while rest:
        length = {"PREFIX": _PREFIX, "BASE": _BASE, "VERSION": _BASE}.get(rest[0].word, 0)
        if length:
            prologue += " ".join(token.text for token in rest[:length]) + " "
            rest = rest[length:]
        else:
            length = _length(rest)
            if length:
                yield Operation(text, prologue, rest[:length])
            rest = rest[length + 1 :]


def _length(found: Sequence[Token]) -> int:
    """Return the number of tokens before the semicolon that ends an operation."""
    depth = 0
    for i, token in enumerate(found):
        depth += (token.word == "{") - (token.word == "}")
        if depth == 0 and token.word == ";":
            return i
    return len(found)


def rewritten(operation: Operation, default: str, using: str) -> str:
    """Return a change as an insertion into hidden graphs; `default` is the graph to be changed.

    `using` is the dataset of WHERE unless the operation names one.
    """
    blocks = _blocks(operation.tokens)
    own = [operation.cut(pair) for pair in _using(operation.tokens)]
    where = blocks["WHERE"]
    graphs: dict[str, str] = {}
    template = "".join(
        _template(operation, blocks.get(verb, []), start, default, graphs)
        for verb, start in (("DELETE", DELETED), ("INSERT", INSERTED))
    )
    binds = " ".join(f"BIND({expression} AS {name})" for expression, name in graphs.items())
    inner = f"{{ {operation.cut(where)} }}" if where else ""
    clauses = " ".join(own) or using
    return f"{operation.prologue} INSERT {{ {template} }} {clauses} WHERE {{ {inner} {binds} }}"


def where(operation: Operation) -> Sequence[Token]:
    """Return the tokens within the braces of WHERE."""
    return _blocks(operation.tokens)["WHERE"]


def written(operation: Operation) -> list[str]:
    """Return the names, as written, of the graphs that the templates of a change name."""
    blocks = _blocks(operation.tokens)
    templates = (blocks.get(verb, []) for verb in ("DELETE", "INSERT"))
    graphs = [graph for block in templates for graph, _ in _segments(block)]
    with_ = operation.names(["WITH"])[:1] if operation.verb == "WITH" and None in graphs else []
    return [*with_, *(graph.text for graph in graphs if graph is not None and graph.kind in NAMES)]


def is_written_default(operation: Operation) -> bool:
    """Whether a template has triples outside GRAPH."""
    blocks = _blocks(operation.tokens)
    templates = (blocks.get(verb, []) for verb in ("DELETE", "INSERT"))
    return any(graph is None for block in templates for graph, _ in _segments(block))


def _blocks(found: Sequence[Token]) -> dict[str, Sequence[Token]]:
    """Return the tokens within the braces after DELETE, INSERT and WHERE."""
    blocks: dict[str, Sequence[Token]] = {"WHERE": []}
    verb, start, depth = "", 0, 0
    for i, token in enumerate(found):
        if depth == 0 and token.word in ("DELETE", "INSERT", "WHERE"):
            both = verb == "DELETE" and token.word == "WHERE" and found[i - 1].word == "DELETE"
            verb = "BOTH" if both else token.word
        if token.word == "{":
            start, depth = (i if depth == 0 else start), depth + 1
        elif token.word == "}":
            depth -= 1
            if depth == 0:
                for name in ("DELETE", "WHERE") if verb == "BOTH" else (verb,):
                    blocks[name] = found[start + 1 : i]
                verb = "" if verb == "BOTH" else verb
    return blocks


def _using(found: Sequence[Token]) -> Iterator[Sequence[Token]]:
    depth = 0
    for i, token in enumerate(found):
        depth += (token.word == "{") - (token.word == "}")
        if depth == 0 and token.word == "USING":
            yield found[i : i + (3 if found[i + 1].word == "NAMED" else 2)]


def _template(
    operation: Operation,
    block: Sequence[Token],
    start: str,
    default: str,
    graphs: dict[str, str],
) -> str:
    """Return the triples of a template, each graph replaced by a hidden one."""
    parts = []
    for graph, triples in _segments(block):
        name = graph.text if graph else default
        is_name = f"isIRI({name})" if graph and graph.kind == "variable" else "true"
        expression = f'IF({is_name}, IRI(CONCAT("{start}", STR({name}))), 1/0)'
        variable = graphs.setdefault(expression, f"?mindboard_g{len(graphs)}")
        parts.append(f"GRAPH {variable} {{ {operation.cut(triples)} }} ")
    return "".join(parts)


def _segments(block: Sequence[Token]) -> Iterator[tuple[Token | None, Sequence[Token]]]:
    """Yield the triples of a template by graph; None for those outside GRAPH."""
    rest = list(block)
    while rest:
        depths = [i for i, token in enumerate(rest) if token.word == "GRAPH"]
        first = depths[0] if depths else len(rest)
        if first:
            plain = rest[:first]
            if any(token.word != "." for token in plain):
                yield None, [t for t in plain if t.word != "." or t is not plain[0]]
            rest = rest[first:]
            continue
        end = next(i for i, token in enumerate(rest) if token.word == "}")
        yield rest[1], rest[3:end]
        rest = rest[end + 1 :]
