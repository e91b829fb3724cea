"""The fold of deltas: the facts of each model after some deltas, without reasoning.

Deltas list all facts that became true or ceased, inferred ones included, so the fold has every fact
and since when it holds. Boards of the past take their inferred facts from it. The live board takes
only their dates from it, and infers anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from kb_server.core.models.agents import ancestors
from kb_server.core.models.delta import Kept, ModelDelta
from kb_server.core.models.lifespans import Assertion
from kb_server.core.terms.statements import Statement

__all__ = ["BEGINNING", "Entry", "ModelRecord", "ModelState", "State", "models_of"]

BEGINNING: Final = float("-inf")


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """The creation of a model, or its deletion with the models nested in it, after delta `seq`.

    There is one only if no delta has it: for a model created by `PUT`, and for every deletion.
    """

    seq: int
    model: str
    exists: bool
    t: float


Entry = ModelDelta | ModelRecord
"""One entry of a journal."""


@dataclass(slots=True)
class ModelState:
    """The state of one model; `since` has all its facts, inferred ones too."""

    seq: int = 0
    assertions: dict[Statement, Assertion] = field(default_factory=dict)
    since: dict[Statement, float] = field(default_factory=dict)

    def kept(self) -> Kept:
        return Kept(self.assertions, self.since, self.seq)


@dataclass(slots=True)
class State:
    """The models after delta `seq` and `records` model records, the latest of which was at `t`.

    With `only`, the facts of all other models are left out; the models themselves are listed.
    """

    seq: int = 0
    t: float = BEGINNING
    records: int = 0
    models: dict[str, ModelState] = field(default_factory=dict)
    only: frozenset[str] | None = None

    def fold(self, entries: Iterable[Entry]) -> "State":
        """Apply entries in order; return this state."""
        for entry in entries:
            if isinstance(entry, ModelDelta):
                self._take(entry)
            else:
                self._record(entry)
        return self

    def _take(self, delta: ModelDelta) -> None:
        self.seq, self.t = delta.seq, max(self.t, float(delta.t))
        for mind in delta.minds:
            self.models.setdefault(mind, ModelState())
        model = self.models.setdefault(delta.model, ModelState())
        model.seq = delta.seq
        if self.only is not None and delta.model not in self.only:
            return
        for fact in delta.withdrawn:
            model.assertions.pop(fact, None)
        model.assertions.update(delta.asserted)
        for fact in delta.ceased:
            model.since.pop(fact, None)
        model.since.update(dict.fromkeys(delta.became_true, delta.t))

    def _record(self, record: ModelRecord) -> None:
        self.records += 1
        self.t = max(self.t, float(record.t))
        name = record.model
        if record.exists:
            self.models.setdefault(name, ModelState())
            return
        for other in [m for m in self.models if m == name or name in ancestors(m)]:
            del self.models[other]


def models_of(state: State) -> dict[str, Kept]:
    """Return the models of a state in the form that `Board.restore` takes."""
    return {name: model.kept() for name, model in state.models.items()}
