"""Finding the statements behind the axioms of Pellet's explanations.

Pellet writes axioms in a notation of its own: `prop(n3, n1, n2)`, `subClassOf(n1, max(n3, 1, n4))`.

1. Most axioms are a single statement, which is looked up.
2. The others are spread over blank nodes. Their root is the statement of the axiom's kind that
   mentions, together with its blank nodes, exactly the same names. If there are two such
   statements, which differ in a number or a quantifier, both are blamed.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from kb_server.dl.answers import Triple
from kb_server.dl.decimals import value
from kb_server.dl.ntriples import literal
from kb_server.dl.renaming import Disguise, RenamedStatement
from kb_server.dl.vocabulary import IMP, OWL, TYPE, XSD, owl, rdfs

_DEFINITIONS = owl("equivalentClass", "unionOf", "intersectionOf", "complementOf", "oneOf",
                   "disjointUnionOf")  # fmt: skip
# The kinds of axioms in Pellet's notation, and the predicates that express them.
PREDICATES = {
    "type": (TYPE,),
    "sameAs": owl("sameAs"),
    "different": owl("differentFrom"),
    "allDifferent": owl("distinctMembers", "members"),
    "subClassOf": (*rdfs("subClassOf"), *_DEFINITIONS),
    "equivalentClasses": _DEFINITIONS,
    "disjointWith": owl("disjointWith", "complementOf"),
    "disjointClasses": owl("members", "disjointUnionOf"),
    "domain": rdfs("domain"),
    "range": rdfs("range"),
    "subProperty": (*rdfs("subPropertyOf"), *owl("propertyChainAxiom", "equivalentProperty")),
    "equivalentProperty": owl("equivalentProperty"),
    "inverseProperty": owl("inverseOf"),
    "disjointPropertyWith": owl("propertyDisjointWith"),
    "disjointProperties": owl("members"),
    "datatypeDefinition": owl("equivalentClass"),
    "prop": owl("assertionProperty"),
    "rule": owl("hasKey"),
}
# The kinds of axioms about properties, and the classes of properties that express them.
CLASSES = {
    "functional": "FunctionalProperty",
    "inverseFunctional": "InverseFunctionalProperty",
    "transitive": "TransitiveProperty",
    "symmetric": "SymmetricProperty",
    "asymmetric": "AsymmetricProperty",
    "antisymmetric": "AsymmetricProperty",
    "reflexive": "ReflexiveProperty",
    "irreflexive": "IrreflexiveProperty",
}
# The kinds whose two arguments may come in either order.
_SYMMETRIC = {"sameAs", "different", "equivalentClasses", "disjointWith", "equivalentProperty",
              "inverseProperty", "disjointPropertyWith"}  # fmt: skip
_MORE = owl("disjointUnionOf")  # one statement that expresses several axioms
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|.', re.DOTALL)


class Blame:
    """Finds the statements behind axioms."""

    def __init__(self, hidden: Disguise, statements: Sequence[RenamedStatement]) -> None:
        self._hidden = hidden
        self._by_shown = {s.shown: s for s in statements}
        self._statements = statements

    def statements(self, axioms: Iterable[str]) -> list[RenamedStatement]:
        """Return the statements behind some axioms, each once, in the order of the input."""
        found = {s.shown for axiom in axioms for s in self._of(axiom)}
        return [s for s in self._statements if s.shown in found]

    def _of(self, axiom: str) -> Iterable[RenamedStatement]:
        kind, _, rest = axiom.partition("(")
        words = split(rest.removesuffix(")"))
        said = [self._by_shown[t] for t in self._plain(kind, words) if t in self._by_shown]
        return said or self._spread(kind, axiom)

    def _plain(self, kind: str, words: Sequence[str]) -> Iterator[Triple]:
        """Yield the single statements that would express an axiom."""
        terms = [self._term(word) for word in words]
        if kind in CLASSES:
            yield terms[0], TYPE, f"<{OWL}{CLASSES[kind]}>"
        elif kind == "rule":
            yield terms[0], TYPE, IMP
        elif kind == "prop" and words[2].startswith('"'):
            yield from self._with_value(terms[1], terms[0], words[2])
        elif kind == "prop":
            yield terms[1], terms[0], terms[2]
        elif len(terms) == 2:
            for predicate in PREDICATES.get(kind, ()):
                yield terms[0], predicate, terms[1]
                if kind in _SYMMETRIC:
                    yield terms[1], predicate, terms[0]

    def _term(self, word: str) -> str:
        if word.startswith("owl:"):
            return f"<{OWL}{word[4:]}>"
        term = self._hidden.term(word)
        return term if word in self._hidden.names else f"<{XSD}{word}>"

    def _with_value(self, subject: str, predicate: str, word: str) -> Iterator[Triple]:
        """Yield the statements with this value; if none has it as written, those with any value."""
        near = self._values[subject, predicate]
        quoted = _TOKEN.match(word)
        same = [t for t in near if quoted and _equal(t[2], quoted[0])]
        yield from same or near

    def _spread(self, kind: str, axiom: str) -> Iterator[RenamedStatement]:
        names = frozenset(self._hidden.names_in(axiom))
        for predicate in PREDICATES.get(kind, ()):
            for statement in self._by_predicate[predicate]:
                mentioned = self._mentioned(statement.shown)
                if mentioned == names or (predicate in _MORE and mentioned >= names):
                    yield statement

    def _mentioned(self, triple: Triple) -> frozenset[str]:
        """Return the names in a statement and in the blank nodes that it refers to."""
        waiting, seen, text = [*triple], set[str](), [""]
        while waiting:
            term = waiting.pop()
            text.append(term)
            if term.startswith("_:") and term not in seen:
                seen.add(term)
                waiting += [part for t in self._by_subject[term] for part in t[1:]]
        return frozenset(self._hidden.names_in(" ".join(text)))

    @cached_property
    def _by_predicate(self) -> dict[str, list[RenamedStatement]]:
        found = defaultdict(list)
        for statement in self._statements:
            found[statement.shown[1]].append(statement)
        return found

    @cached_property
    def _by_subject(self) -> dict[str, list[Triple]]:
        found = defaultdict(list)
        for statement in self._statements:
            found[statement.shown[0]].append(statement.shown)
        return found

    @cached_property
    def _values(self) -> dict[tuple[str, str], list[Triple]]:
        found = defaultdict(list)
        for s, p, o in self._by_shown:
            if o.startswith('"'):
                found[s, p].append((s, p, o))
        return found


def split(text: str) -> list[str]:
    """Split a list in Pellet's notation into its outermost parts.

    >>> split('prop(p, a, "1, 2"^^decimal),type(a, and([B, C]))')
    ['prop(p, a, "1, 2"^^decimal)', 'type(a, and([B, C]))']
    """
    parts, depth = [""], 0
    for token in _TOKEN.findall(text):
        depth += (token in ("(", "[")) - (token in (")", "]"))
        if token == "," and not depth:
            parts.append("")
        else:
            parts[-1] += token
    return [part.strip() for part in parts]


def _equal(term: str, quoted: str) -> bool:
    parts = literal(term)
    if parts is None:
        return False
    number = value(parts[0])
    return parts[0] == quoted or (number is not None and number == value(quoted))
