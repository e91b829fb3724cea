"""Pellet's command line: its arguments, and the parsing of its output.

All commands use one loader, Jena's with N-Triples. On an inconsistent ontology, `extract` prints
the clashing axioms as the reasoner traced them. The statements are piped in, so no file is left
behind. The danger: if the input is declared as RDF/XML, the same loader silently reads nothing, and
reports consistency.

The road not taken is owlready2's object layer over the same command line. It adds a store and a
second parsing, and returns no hierarchy of properties. Its explanations use the OWL API's loader,
which drops statements about undeclared properties and crashes on some axioms (data enumerations,
keys, disjoint unions).

Known gaps of this Pellet, found by trial:

- domains and ranges of a property that holds only by a chain (the board's own rules apply them),
- two values of a functional property if one of them has a language,
- symmetry axioms in explanations.

Axioms outside OWL 2 DL, such as a transitive property that is also irreflexive, are ignored with a
warning.
"""

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from kb_server.dl import java
from kb_server.dl.answers import Classification, Pair
from kb_server.dl.blame import split
from kb_server.dl.ntriples import write
from kb_server.dl.renaming import Disguise, RenamedStatement
from kb_server.dl.vocabulary import OWL, RDF, RDFS
from kb_server.errors import DLFailed

_OPTIONS = (
    "-Xss64m",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",  # writes no file to the temporary folder
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:-CreateCoredumpOnCrash",
    "-XX:ErrorFile=/dev/null",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-Dstdout.encoding=UTF-8",
    "-Dstderr.encoding=UTF-8",
)
_INPUT = ("--loader", "Jena", "--input-format", "N-Triples", "--ignore-imports", "/dev/stdin")
_OUT_OF_MEMORY = 3
_HIERARCHY = "DirectSubClassOf EquivalentClasses DirectSubPropertyOf EquivalentProperties"
_GENERIC = re.compile(r".*Generic explanation: ", re.DOTALL)


@dataclass(frozen=True)
class Explanation:
    """The reason of an inconsistency: a sentence, and the clashing axioms in Pellet's notation."""

    reason: str
    axioms: Sequence[str]


@dataclass(frozen=True)
class Printed:
    """The output of a run."""

    out: str
    log: str

    def reason(self) -> str:
        """Return the short reason of an inconsistency, without axioms; '' if there is none."""
        return _sentence(re.search(r"^Reason: (.*)$", self.out, re.MULTILINE))

    def warnings(self, hidden: Disguise) -> tuple[str, ...]:
        """Return Pellet's warnings about axioms that it ignored."""
        said = re.findall(r"^WARNING: (.+)$", self.log, re.MULTILINE)
        return tuple(dict.fromkeys(hidden.readable(line) for line in said))

    def explanation(self) -> Explanation | None:
        """Return the explanation of an inconsistency; None if this run found none."""
        reason = re.search(r"^Reason for inconsistency: (.*)$", self.log, re.MULTILINE)
        axioms = re.search(r"^ExplanationSet: \[(.*)\]$", self.log, re.MULTILINE)
        if "InconsistentOntologyException" not in self.log:
            return None
        words = split(axioms[1]) if axioms else []
        return Explanation(_sentence(reason), list(filter(None, words)))


@dataclass(frozen=True)
class Pellet:
    """Pellet with a Java and a limit on its memory."""

    java: str
    memory_mb: int

    def consistent(self, statements: Sequence[RenamedStatement]) -> tuple[bool, Printed]:
        """Return whether the statements are consistent, and the output."""
        printed = self._run(["consistency"], statements)
        verdict = re.search(r"^Consistent: (Yes|No)$", printed.out, re.MULTILINE)
        if verdict is None:
            raise _failure(printed)
        return verdict[1] == "Yes", printed

    def explain(self, statements: Sequence[RenamedStatement], seconds: float) -> Explanation | None:
        """Return why the statements are inconsistent; None if they are not, or time runs out.

        It extracts equal individuals, which is the cheapest extraction for consistent statements.
        """
        try:
            printed = self._run(["extract", "-s", "SameIndividual"], statements, seconds)
        except subprocess.TimeoutExpired:
            return None
        return printed.explanation()

    def classify(self, hidden: Disguise) -> Classification:
        """Return the hierarchy of classes and properties."""
        printed = self._run(["extract", "-s", _HIERARCHY], hidden.statements)
        warnings = printed.warnings(hidden)
        if printed.explanation():
            return Classification(False, warnings=warnings)
        start = printed.out.find("<rdf:RDF")
        if start < 0:
            raise _failure(printed)
        return _hierarchy(printed.out[start:], hidden, warnings)

    def _run(
        self,
        command: Sequence[str],
        statements: Sequence[RenamedStatement],
        seconds: float | None = None,
    ) -> Printed:
        line = [self.java, f"-Xmx{self.memory_mb}M", *_OPTIONS, "-cp", java.class_path()]
        done = subprocess.run(
            [*line, "pellet.Pellet", *command, *_INPUT],
            input=write(s.shown for s in statements).encode("ascii"),
            capture_output=True,
            close_fds=False,
            env=java.environment(),
            timeout=seconds,
            check=False,
        )
        if done.returncode == _OUT_OF_MEMORY or b"OutOfMemoryError" in done.stderr:
            message = f"Pellet needs more than its {self.memory_mb} MB of memory for this."
            raise DLFailed(message, reason="memory", memory_mb=self.memory_mb)
        return Printed(*(text.decode("utf-8", "replace") for text in (done.stdout, done.stderr)))


def _sentence(reason: re.Match[str] | None) -> str:
    said = _GENERIC.sub("", reason[1]) if reason and reason[1] != "null" else ""
    return said.replace("_TOP_", "owl:Thing").strip()


def _failure(printed: Printed) -> DLFailed:
    lines = [line for line in printed.log.splitlines() if not line.startswith(("\t", "WARNING"))]
    said = next((line for line in reversed(lines) if line.strip()), "nothing")
    return DLFailed(f"Pellet gave no answer; its last output: {said[:300]}", reason="pellet")


def _hierarchy(xml: str, hidden: Disguise, warnings: tuple[str, ...]) -> Classification:
    pairs = list(_pairs(xml))
    unsatisfiable = {a for tag, a, b in pairs if tag.startswith("equivalent") and _is_bottom(b)}

    def listed(tag: str) -> Iterator[Pair]:
        for found, a, b in pairs:
            trivial = a == b or a.startswith(OWL) or b.startswith(OWL)
            if found == tag and not trivial and not {a, b} & unsatisfiable:
                yield hidden.real_name(a), hidden.real_name(b)

    return Classification(
        consistent=True,
        subsumptions=frozenset(listed("subClassOf")),
        equivalences=frozenset(p for p in listed("equivalentClass") if p[0] < p[1]),
        property_subsumptions=frozenset(listed("subPropertyOf")),
        property_equivalences=frozenset(p for p in listed("equivalentProperty") if p[0] < p[1]),
        unsatisfiable=tuple(sorted(hidden.real_name(a) for a in unsatisfiable if OWL not in a)),
        warnings=warnings,
    )


def _pairs(xml: str) -> Iterator[tuple[str, str, str]]:
    """Yield the local predicate, subject and object of the statements in Pellet's RDF/XML."""
    for subject in ElementTree.fromstring(xml):
        for element in subject:
            if element.tag.startswith((f"{{{RDFS}}}", f"{{{OWL}}}")):
                about, other = subject.get(f"{{{RDF}}}about"), element.get(f"{{{RDF}}}resource")
                if about and other:
                    yield element.tag.partition("}")[2], about, other


def _is_bottom(iri: str) -> bool:
    return iri in (f"{OWL}Nothing", f"{OWL}bottomObjectProperty", f"{OWL}bottomDataProperty")
