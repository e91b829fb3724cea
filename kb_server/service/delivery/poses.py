"""Published poses: sent to listeners, and stored for questions about the present and the past.

The number of past poses is bounded; a question about an earlier moment is refused as `too_old`.
"""

from typing import Any, Final

from kb_server.answering.published_poses import PosesByName, PublishedPoses
from kb_server.errors import TooLarge
from kb_server.host import Host
from kb_server.service.delivery.outbox import Outbox
from kb_server.wire.answers import JSON
from kb_server.wire.events import poses_frame

__all__ = ["Ear", "PoseListeners"]


class Ear:
    """A listener to one model's poses; several updates between two frames become one."""

    def __init__(self, model: str, outbox: Outbox) -> None:
        self._model: Final = model
        self._outbox: Final = outbox
        self._untold: dict[str, Any] = {}
        self._t: object = None

    def hear(self, t: object, poses: PosesByName) -> None:
        is_waiting = bool(self._untold)
        self._untold.update(poses)
        self._t = t
        if self._untold and not is_waiting:
            self._outbox.put_late(self._frame)

    def _frame(self) -> str:
        untold, self._untold = self._untold, {}
        return poses_frame(self._model, self._t, untold)


class PoseListeners:
    """The poses of all models: at most `each` objects a model, and `kept` past poses in all."""

    def __init__(self, host: Host, each: int, kept: int) -> None:
        self._host: Final = host
        self._each: Final = each
        self._kept: Final = kept
        self._pictures: Final = PublishedPoses(host.board, host.begun)
        self._sources: Final[dict[str, dict[str, str]]] = {}
        """For each model, the source of each object that was published with one."""
        self._ears: Final[dict[str, dict[Ear, None]]] = {}

    def listen(self, model: str, outbox: Outbox) -> Ear:
        """Begins to send the published poses of a model to an outbox."""
        self._host.board.model(model)
        ear = Ear(model, outbox)
        self._ears.setdefault(model, {})[ear] = None
        return ear

    def unlisten(self, model: str, ear: Ear) -> None:
        ears = self._ears[model]
        del ears[ear]
        if not ears:
            del self._ears[model]

    def publish(self, model: str, t: object, poses: PosesByName, source: str | None = None) -> None:
        """Stores poses and sends them to listeners; those with a source end when that is lost."""
        picture = self._pictures.of(model)
        now = self._host.now()
        if len(picture.now.keys() | poses.keys()) > self._each:
            raise TooLarge(f"more than {self._each} poses in one model", allowed=self._each)
        published_t = now if t is None else t
        self._pictures.add(picture, now, published_t, poses)
        self._pictures.forget_to(self._kept)
        self._note(model, poses, source)
        for ear in self._ears.get(model, ()):
            ear.hear(published_t, poses)

    def withdraw(self, source: str) -> None:
        """Removes the poses that a source published last; called between two changes."""
        there = set(self._host.board.minds)
        for model, sources in list(self._sources.items()):
            if model not in there:
                del self._sources[model]
                continue
            picture = self._pictures.of(model)
            gone = [name for name, each in sources.items() if each == source]
            poses = {name: None for name in gone if name in picture.now}
            if poses:
                self.publish(model, picture.t, poses)
            self._note(model, dict.fromkeys(gone), None)

    def _note(self, model: str, poses: PosesByName, source: str | None) -> None:
        """Records the source of each object."""
        if source is None and model not in self._sources:
            return
        sources = self._sources.setdefault(model, {})
        for name, pose in poses.items():
            if pose is None or source is None:
                sources.pop(name, None)
            else:
                sources[name] = source
        if not sources:
            del self._sources[model]

    def now(self, model: str) -> JSON:
        """The present poses of a model."""
        picture = self._pictures.of(model)
        return {"t": picture.t, "poses": picture.now}

    def at(self, model: str, when: float) -> JSON:
        """The poses of a model at a past time; TooOld if they are no longer stored."""
        return self._pictures.of(model).at(when)
