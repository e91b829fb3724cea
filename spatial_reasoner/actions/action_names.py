"""Names of actions: `pick_1`, or `kitchen_pick_1` if the source of the facts is called kitchen.

Two reasoners on one board may recognise the same action; these are two individuals. So a reasoner
whose source has a name of its own puts it in front, and a reasoner that restarts continues after
the numbers already on the board. The names are not random, because a recording must give the same
facts each time.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, get_args

from spatial_reasoner.values.action_recognition import ActionKind

__all__ = ["KINDS", "SOURCE", "ActionNames", "greatest", "prefix_of"]

SOURCE: Final = "spatial"
"""The default source of the facts; its actions have no prefix."""
KINDS: Final[tuple[ActionKind, ...]] = get_args(ActionKind)
_FOREIGN: Final = re.compile(r"^[^A-Za-z_]|[^A-Za-z0-9_-]|_(?=x)")
"""Characters that are not allowed in a name, and `_x`, which would read as an escape."""


class ActionNames:
    """Counts the actions of each kind.

    >>> names = ActionNames()
    >>> names.begin("kitchen_", {"Pick": 6})
    >>> names.next("Pick", {"kitchen_pick_7"}.__contains__)
    'kitchen_pick_8'
    """

    def __init__(self) -> None:
        self._prefix = ""
        self._counts: Final = dict.fromkeys(KINDS, 0)

    def begin(self, prefix: str, after: Mapping[ActionKind, int]) -> None:
        """Sets the prefix, and continues after these numbers, or after its own if they are
        greater."""
        self._prefix = prefix
        for kind, number in after.items():
            self._counts[kind] = max(self._counts[kind], number)

    def next(self, kind: ActionKind, is_taken: Callable[[str], bool]) -> str:
        """The next name of this kind that is not taken."""
        while True:
            self._counts[kind] += 1
            name = f"{_stem(self._prefix, kind)}{self._counts[kind]}"
            if not is_taken(name):
                return name


def prefix_of(source: str) -> str:
    """The prefix of the actions of a source, different for each source.

    Characters that are not allowed are escaped as in XML names, by their code point.

    >>> [prefix_of(source) for source in ("spatial", "kitchen", "2nd floor")]
    ['', 'kitchen_', '_x0032_nd_x0020_floor_']
    """
    if source == SOURCE:
        return ""
    return _FOREIGN.sub(lambda sign: f"_x{ord(sign[0]):04x}_", source) + "_"


def greatest(prefix: str, kind: ActionKind, names: Iterable[str]) -> int:
    """The greatest number among the names of a kind with a prefix; 0 if there is none."""
    wanted = re.compile(re.escape(_stem(prefix, kind)) + "([0-9]{1,15})")
    found = (wanted.fullmatch(name) for name in names)
    return max((int(each[1]) for each in found if each), default=0)


def _stem(prefix: str, kind: ActionKind) -> str:
    return f"{prefix}{kind.lower()}_"
