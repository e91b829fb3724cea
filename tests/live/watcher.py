"""A small reasoner: it believes that every object of the newest frame is perceived.

It suffices to test the edges: it has minds, facts that come and go, poses, short-lived facts, and
relations on demand. Every person in the frame perceives all that is in the frame.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from spatial_reasoner.scene.scene import MYSELF, Scene
from spatial_reasoner.values.action_recognition import ActionKind
from spatial_reasoner.values.appearance import agent_look, thing_look
from spatial_reasoner.values.delta import BeliefDelta, BelievedPose, Look
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.likelihood import Likelihood, Meant, Said

__all__ = ["Watcher"]


class Watcher:
    """Implements `Reasons`; with a depth of two in the scene, minds nest once."""

    def __init__(self, scene: Scene) -> None:
        self._scene: Final = scene
        self._now = 0.0
        self._facts: Final[dict[str, tuple[str, ...]]] = {MYSELF: ()}
        self._placed: Final[dict[str, BelievedPose]] = {}
        self._moved: dict[str, BelievedPose] = {}
        self.ticked: Final[list[Frame]] = []
        self.repainted: Final[dict[str, Look | None]] = {}
        """Looks that change with the next tick; None for a removed object."""
        self._repainted: Final[dict[str, Look | None]] = {}
        self._changed: Mapping[str, Look | None] = {}
        self.named: tuple[str, Mapping[ActionKind, int]] = "", {}
        """The prefix of its action names, and the number of each kind."""

    @property
    def now(self) -> float:
        return self._now

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self._facts)

    def name_actions(self, prefix: str, after: Mapping[ActionKind, int]) -> None:
        self.named = prefix, after

    def tick(self, frame: Frame) -> list[BeliefDelta]:
        self.ticked.append(frame)
        self._changed = dict(self.repainted)
        self._repainted.update(self._changed)
        self.repainted.clear()
        self._now = max(self._now, frame.t)
        self._moved = {
            name: BelievedPose(percept.pose, percept.pose, frame.t)
            for name, percept in frame.objects.items()
        }
        new = sorted(self._moved.keys() - self._placed.keys())
        self._placed.update(self._moved)
        told = [each for model in self._minds(frame) for each in self._change(model, frame)]
        if new:
            passing = tuple(f"{name} a ActiveConcept" for name in new)
            told.append(BeliefDelta(MYSELF, passing, memory="short_term"))
        return told

    def finish(self) -> list[BeliefDelta]:
        """The end of the recording is a moment, too: the robot stops looking."""
        return []

    def placed(self, model: str) -> Mapping[str, BelievedPose]:
        return self._placed if model in self._facts else {}

    def moved(self, model: str) -> Mapping[str, BelievedPose]:
        return self._moved if model in self._facts else {}

    def looks(self) -> Mapping[str, Look]:
        things = {name: thing_look(each) for name, each in self._scene.entities.items()}
        agents = {name: agent_look(each) for name, each in self._scene.agents.items()}
        all_there = {**things, **agents, **self._repainted}
        return {name: look for name, look in all_there.items() if look is not None}

    def changed_looks(self) -> Mapping[str, Look | None]:
        return self._changed

    def computed(
        self, model: str, predicate: str, subject: str | None, value: str | None
    ) -> list[str]:
        """Things are left of each other by their x, for whatever is asked."""
        if model not in self._facts:
            return []
        pairs = (
            (one, other)
            for one in self._placed
            for other in self._placed
            if self._x(one) < self._x(other) and subject in (None, one) and value in (None, other)
        )
        return [f"{one} {predicate} {other}" for one, other in pairs]

    async def weighed(
        self,
        model: str,
        predicate: str,
        subject: str | None,
        value: str | None,
        about: Meant | None = None,
    ) -> list[str]:
        """One statement is told of, whatever is asked."""
        named = subject or "_".join(part or "it" for part in about or ("it", "isIn", "it"))
        told = [f"{named} {predicate} {value or 'it'}"]
        return told if model in self._facts else []

    async def likely(self, model: str, said: Said) -> Likelihood | None:
        """As likely as not."""
        return Likelihood(said, 0.5, 1) if model in self._facts else None

    def _x(self, name: str) -> float:
        pose = self._placed[name].pose
        assert pose is not None
        return float(pose[0])

    def _minds(self, frame: Frame) -> Iterator[str]:
        others = [name for name in frame.agents if name != MYSELF]
        yield MYSELF
        yield from others
        if self._scene.depth > 1:
            yield from (f"{one}.{other}" for one in others for other in others if one != other)

    def _change(self, model: str, frame: Frame) -> Iterator[BeliefDelta]:
        now = {f"{name} isPerceived true" for name in frame.objects}
        now |= {f"{name} a {self._scene.entities[name].kind}" for name in self._placed}
        if model == MYSELF:
            now |= {f"{name} a {self._scene.agents[name].kind}" for name in frame.agents}
        before = self._facts.get(model, ())
        self._facts[model] = tuple(sorted(now))
        add, retract = now - set(before), set(before) - now
        if add or retract:
            yield BeliefDelta(model, tuple(sorted(add)), tuple(sorted(retract)))
