"""The recording of a play given to fresh reasoners: at other rates, with noise, as a camera sees.

The noise comes from a generator with a fixed seed, so each retelling is the same every time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.frames import Frame, Percept
from tests.actions.staging import jittered
from tests.filtering.stage import diagonal
from tests.physics.plays.watching import doubled, halved
from tests.plays.play import Recording
from tests.plays.replays import as_by_camera

__all__ = ["Retelling", "retellings"]

Retelling = Callable[[Recording, CloseUpSight], Iterable[Frame]]
_SEED: Final = 5
_SIGMA: Final = 0.0015
"""Metres: the standard deviations of the noise and of the reported covariances."""


def _at_12_hz(recording: Recording, _: CloseUpSight) -> Sequence[Frame]:
    return halved(recording.frames)


def _at_50_hz(recording: Recording, _: CloseUpSight) -> Sequence[Frame]:
    return doubled(recording.frames)


def _with_noise(recording: Recording, _: CloseUpSight) -> Iterable[Frame]:
    random = np.random.default_rng(_SEED)
    return [_changed(frame, lambda pose: jittered(random, pose)) for frame in recording.frames]


def _with_covariances(recording: Recording, sight: CloseUpSight) -> Iterable[Frame]:
    """The noisy frames, each percept with its covariance, so that the filter fuses them."""
    for frame in _with_noise(recording, sight):
        yield replace(
            frame,
            objects={
                name: replace(each, cov=diagonal(_SIGMA)) for name, each in frame.objects.items()
            },
        )


def _by_camera(recording: Recording, sight: CloseUpSight) -> Sequence[Frame]:
    return as_by_camera(recording.scene, recording.frames, sight)


def _changed(frame: Frame, change: Callable[[Pose], Pose]) -> Frame:
    return replace(
        frame,
        objects={n: Percept(change(p.pose), p.joints, p.cov) for n, p in frame.objects.items()},
        unnamed=tuple(replace(each, pose=change(each.pose)) for each in frame.unnamed),
        agents={
            who: {part: change(pose) for part, pose in parts.items()}
            for who, parts in frame.agents.items()
        },
    )


_RETELLINGS: Final[Mapping[str, Retelling]] = {
    "12-hz": _at_12_hz,
    "50-hz": _at_50_hz,
    "noise": _with_noise,
    "covariances": _with_covariances,
    "camera": _by_camera,
}
_OF_FOLDERS: Final = {
    "minds": ("12-hz", "noise", "camera"),
    "physics": ("12-hz", "noise", "covariances"),
    "actions": ("12-hz", "noise"),
    "missing": ("noise",),
}
_TWICE_AS_FAST: Final = {
    *("physics/pulled-off", "physics/poured", "physics/carried", "physics/behind-the-back"),
    *("physics/foot-is-taken", "physics/looks-away", "physics/lifts-20-cm", "physics/hands-over"),
}
"""The plays whose tests use twice the rate: a frame costs the same, so it takes twice as long."""


def retellings(name: str) -> Mapping[str, Retelling]:
    """The retellings of a play, by kind."""
    kinds = _OF_FOLDERS[name.partition("/")[0]]
    more = ("50-hz",) if name in _TWICE_AS_FAST else ()
    return {kind: _RETELLINGS[kind] for kind in (*kinds, *more)}
