"""Models of arms: links, joint limits, rest positions, and which links can collide.

The frame of an arm's shoulder has +x forward, +y to the left and +z up. The arms of a person and of
a PR2 are tables here, scaled to a given length. The panda and the kuka have fixed sizes; their URDF
files are part of PyBullet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from spatial_reasoner.tolerances.units import Measure, Numeric

__all__ = ["ArmForm", "Side", "arm_form"]

Side: TypeAlias = Literal["right", "left"]


@dataclass(frozen=True, slots=True)
class ArmForm:
    """The model of an arm; arms with equal models have the same inverse kinematics.

    Either `urdf` is the whole text, or `file` is a file of PyBullet and `urdf` is added to it. The
    links in `solid` can collide; those in `hand` may touch the object that they reach for.
    """

    name: str
    urdf: str
    tip: str
    """The link that reaches the object; the hand points along its `pointing` axis, 0 for x."""
    hand: tuple[str, ...]
    solid: tuple[str, ...]
    rest: tuple[float, ...]
    """The joint positions at rest, in order; further joints (fingers) stay at `open`."""
    hand_length: float
    pointing: int = 0
    file: str = ""
    shoulder: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The position of the shoulder in the frame of the arm's base, in metres."""
    open: Measure = 0.04
    """The joint position of open fingers in metres, if there are any."""


@dataclass(frozen=True, slots=True)
class _Segment:
    """A joint (limits in radians) and the link that it moves; lengths are shares of the arm's."""

    joint: str
    axis: str
    low: float
    high: float
    rest: float
    length: float = 0.0
    radius: float = 0.0
    """The radius of its capsule in metres; zero for a link that cannot collide."""


_SHORTEST: Final[Numeric] = 1e-3
"""Metres: the least length of a capsule between its round ends."""
_PERSON: Final[Annotated[tuple[_Segment, ...], Measure]] = (
    _Segment("across", "z", -2.0, 0.7, -0.1),
    _Segment("lift", "y", -1.7, 2.2, 1.2),
    _Segment("upper_arm", "x", -0.9, 1.8, 1.3, 0.44, 0.04),
    _Segment("forearm", "z", 0.0, 2.5, 1.2, 0.39, 0.035),
    _Segment("twist", "x", -1.6, 1.6, 0.0),
    _Segment("flex", "y", -1.2, 1.2, 0.0),
    _Segment("hand", "z", -0.5, 0.5, 0.0, 0.17, 0.03),
)
"""The right arm of an adult, stretched forward at zero; limits are whole tenths of a radian. The
upper arm has 44 % of its length, the forearm 39 %, and the grasping hand the rest."""
_PR2: Final[Annotated[tuple[_Segment, ...], Measure]] = (
    _Segment("pan", "z", -2.135, 0.565, -0.3, 0.1),
    _Segment("lift", "y", -0.354, 1.296, 0.9),
    _Segment("upper_arm", "x", -3.75, 0.65, -0.5, 0.4, 0.06),
    _Segment("elbow", "y", -2.12, -0.15, -1.3),
    _Segment("forearm", "x", -3.1, 3.1, 0.0, 0.32, 0.05),
    _Segment("wrist", "y", -2.0, -0.1, -0.3),
    _Segment("hand", "x", -3.1, 3.1, 0.0, 0.18, 0.035),
)
"""The limits and proportions of a PR2's right arm; its shoulder is the pan joint."""

_TABLES: Final[Mapping[str, tuple[_Segment, ...]]] = {"human": _PERSON, "pr2": _PR2}
_PANDA_LINKS: Final = tuple(f"panda_link{number}" for number in range(3, 8))
_PANDA_HAND: Final = ("panda_hand", "panda_leftfinger", "panda_rightfinger")
_KUKA_LINKS: Final = tuple(f"lbr_iiwa_link_{number}" for number in range(3, 8))
_TIP: Final = """<link name="tip"/>
<joint name="tip" type="fixed"><parent link="{parent}"/><child link="tip"/>
<origin xyz="{place}"/></joint>
"""

_BUILT: Final[Annotated[Mapping[str, ArmForm], Measure]] = {
    "panda": ArmForm(
        "panda",
        urdf="",
        tip="panda_grasptarget",
        hand=_PANDA_HAND,
        solid=_PANDA_LINKS + _PANDA_HAND,
        rest=(0.0, -0.4, 0.0, -2.2, 0.0, 1.9, 0.785),
        hand_length=0.105,
        pointing=2,
        file="franka_panda/panda.urdf",
        shoulder=(0.0, 0.0, 0.333),
    ),
    "kuka": ArmForm(
        "kuka",
        urdf=_TIP.format(parent="lbr_iiwa_link_7", place="0 0 0.045"),
        tip="tip",
        hand=_KUKA_LINKS[-1:],
        solid=_KUKA_LINKS,
        rest=(0.0, 0.3, 0.0, -1.6, 0.0, 1.2, 0.0),
        hand_length=0.125,
        pointing=2,
        file="kuka_iiwa/model.urdf",
        shoulder=(0.0, 0.0, 0.36),
    ),
}
"""Their upper links are not in `solid`, because they stand where the arm is mounted."""


@cache
def arm_form(model: str, length: float, side: Side) -> ArmForm:
    """The arm of a model (`scene_agents.ARM_MODELS`), scaled to a length in metres, for one side.

    The panda and the kuka have fixed lengths and no side: both arguments are ignored.
    """
    if model in _BUILT:
        return _BUILT[model]
    table = _TABLES[model]
    return ArmForm(
        model,
        urdf=_text(table, length, mirrored=side == "left"),
        tip="tip",
        hand=("hand",),
        solid=tuple(each.joint for each in table if each.radius),
        rest=tuple(each.rest for each in table),
        hand_length=table[-1].length * length,
    )


def _text(table: tuple[_Segment, ...], length: float, mirrored: bool) -> str:
    """A URDF in short lines; each link has the name of the joint that moves it."""
    parts, parent, place = ['<robot name="arm">\n<link name="shoulder"/>\n'], "shoulder", 0.0
    for each in table:
        parts += [_link(each, length), _joint(each, parent, place, mirrored)]
        parent, place = each.joint, each.length * length
    return "".join([*parts, _TIP.format(parent=parent, place=f"{place:.6g} 0 0"), "</robot>\n"])


def _joint(each: _Segment, parent: str, place: float, mirrored: bool) -> str:
    # A mirror of left and right inverts rotations about x and z.
    sign = -1 if mirrored and each.axis != "y" else 1
    axis = " ".join(str(sign * (each.axis == one)) for one in "xyz")
    return (
        f'<joint name="{each.joint}" type="revolute">\n<parent link="{parent}"/>\n'
        f'<child link="{each.joint}"/>\n<origin xyz="{place:.6g} 0 0"/>\n<axis xyz="{axis}"/>\n'
        f'<limit lower="{each.low}" upper="{each.high}" effort="1" velocity="1"/>\n</joint>\n'
    )


def _link(each: _Segment, length: float) -> str:
    """A link with a capsule along +x, which is as long as the link."""
    long, radius = each.length * length, min(each.radius, each.length * length / 2)
    inner = max(long - 2 * radius, _SHORTEST)
    solid = (
        f'<collision>\n<origin xyz="{long / 2:.6g} 0 0" rpy="0 1.5707963 0"/>\n'
        f'<geometry><capsule radius="{radius:.6g}" length="{inner:.6g}"/>'
        "</geometry>\n</collision>\n"
    )
    return (
        f'<link name="{each.joint}">\n<inertial><mass value="1"/>\n'
        '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>\n'
        f"{solid if radius else ''}</link>\n"
    )
