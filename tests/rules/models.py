"""Short ways to write axioms and facts, and to ask a model what it holds."""

import re
from functools import cache
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.reasoning.reasoner import NetChange, Reasoner
from kb_server.core.terms.literals import is_literal
from kb_server.core.terms.statements import Statement, read_statement
from kb_server.core.terms.terms import Names
from ontology.vocabulary import PREFIXES, TYPE

__all__ = [
    "change",
    "contradictions",
    "holds",
    "listed",
    "model",
    "names_of_ways",
    "statements",
    "swrl",
    "turtle",
]

NAMES: Final = Names()
LIST: Final = re.compile(r"(\S+) (\S+) \((.*)\)\Z")
PLENTY: Final = 10**9


def statements(text: str) -> tuple[Statement, ...]:
    """The statements of a text, parted by ` . ` or line ends; `( )` is a list, as in Turtle."""
    lines = [line.strip() for part in text.split(" . ") for line in part.splitlines()]
    return tuple(s for line in lines if line for s in _read(line))


def _read(line: str) -> tuple[Statement, ...]:
    match = LIST.match(line)
    if match is None:
        return (read_statement(line, NAMES),)
    subject, predicate, members = match.groups()
    label = re.sub(r"\W+", "-", f"{subject}-{predicate}").strip("-_")
    head, made = listed(label, tuple(NAMES.term(m) for m in members.split()))
    return ((NAMES.term(subject), NAMES.term(predicate), head), *made)


def listed(label: str, members: tuple[str, ...]) -> tuple[str, tuple[Statement, ...]]:
    """The head of an RDF list, and the statements that make it."""
    nodes = [f"_:{label}-{i}" for i in range(len(members))]
    made: list[Statement] = []
    for node, member, rest in zip(nodes, members, [*nodes, "rdf:nil"][1:], strict=True):
        made += [(node, "rdf:first", member), (node, "rdf:rest", rest)]
    return (nodes[0] if nodes else "rdf:nil"), tuple(made)


def turtle(told: tuple[Statement, ...]) -> str:
    """The statements as a Turtle text."""
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    return prefixes + "".join(f"{' '.join(map(_written, s))} .\n" for s in told)


def _written(term: str) -> str:
    bare = not (is_literal(term) or ":" in term)
    return f"oro:{term}" if bare else term


@cache
def common_sense(told: tuple[Statement, ...]) -> CommonSense:
    """The common sense that an ontology of these statements makes."""
    return CommonSense([turtle(told)])


def model(ontology: tuple[Statement, ...] = (), owner: str | None = "robot") -> Reasoner:
    """An empty model over an ontology."""
    return Reasoner(common_sense(ontology).reasoner, owner)


def change(
    reasoner: Reasoner,
    withdrawn: tuple[Statement, ...] = (),
    told: tuple[Statement, ...] = (),
    now: float = 1.0,
) -> NetChange:
    """One change, with as much work allowed as it takes."""
    return reasoner.change(withdrawn, told, now, Budget(PLENTY))


def holds(reasoner: Reasoner, text: str) -> bool:
    """Whether all the statements of a text hold."""
    return all(map(reasoner.holds, statements(text)))


def contradictions(reasoner: Reasoner) -> set[str]:
    """The names of the rules that something contradicts, here."""
    return {clash[0] for clash in reasoner.clashes}


def names_of_ways(reasoner: Reasoner, fact: Statement) -> set[str]:
    """The names of the rules by which a fact follows."""
    return {instance.rule for instance, _, _ in reasoner.ways(fact, Budget(PLENTY))}


def swrl(name: str, body: str, head: str) -> tuple[Statement, ...]:
    """A SWRL rule as statements; atoms are separated by commas, `?x` is a variable.

    `?x a Box` is a class atom, `?x lessThan 3` a built-in, `?x same ?y` and `?x different ?y` are
    the atoms of those names; all others are property atoms.
    """
    made: list[Statement] = [(f"_:{name}", TYPE, "swrl:Imp")]
    for part, text in (("body", body), ("head", head)):
        nodes = []
        for i, atom in enumerate(filter(None, map(str.strip, text.split(",")))):
            nodes.append(f"_:{name}-{part}-{i}")
            made += _atom(nodes[-1], *(_term(t) for t in atom.split()))
        top, rest = listed(f"{name}-{part}-list", tuple(nodes))
        made += [(f"_:{name}", f"swrl:{part}", top), *rest]
    found = sorted({t for _, _, t in made if t.startswith("<urn:var#")})
    return (*made, *((v, TYPE, "swrl:Variable") for v in found))


def _term(text: str) -> str:
    return f"<urn:var#{text[1:]}>" if text[0] == "?" else NAMES.term(text)


BUILT_INS: Final = frozenset(
    ("equal", "notEqual", "lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual")
)
PAIRS: Final = {"same": "swrl:SameIndividualAtom", "different": "swrl:DifferentIndividualsAtom"}


def _atom(node: str, first: str, word: str, second: str) -> list[Statement]:
    if word in BUILT_INS:
        top, rest = listed(f"{node[2:]}-arguments", (first, second))
        about = [("swrl:builtin", f"swrlb:{word}"), ("swrl:arguments", top)]
        return [(node, TYPE, "swrl:BuiltinAtom"), *((node, p, o) for p, o in about), *rest]
    if word == "a":
        kind = "swrl:DataRangeAtom" if second.startswith("xsd:") else "swrl:ClassAtom"
        of = "swrl:dataRange" if second.startswith("xsd:") else "swrl:classPredicate"
        return [(node, TYPE, kind), (node, of, second), (node, "swrl:argument1", first)]
    arguments = [(node, "swrl:argument1", first), (node, "swrl:argument2", second)]
    if word in PAIRS:
        return [(node, TYPE, PAIRS[word]), *arguments]
    kind = "swrl:DatavaluedPropertyAtom" if is_literal(second) else "swrl:IndividualPropertyAtom"
    return [(node, TYPE, kind), (node, "swrl:propertyPredicate", word), *arguments]
