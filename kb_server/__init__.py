"""The board: what each agent believes, kept, reasoned on and told to whoever asked.

A name is public by the `__all__` of a module of the client, beside what it names, and nowhere a
second time. The modules are imported when names are asked for, and no more of them than needed,
those that import least first: who catches a `BoardError` loads no transport, and nobody loads the
board in-process but by `Blackboard.local`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# ruff: noqa: F403  # the stars are for type checkers, who know no other way to all of a module
if TYPE_CHECKING:
    from kb_server.client.asynchronous import *
    from kb_server.client.blackboard import *
    from kb_server.client.errors import *
    from kb_server.client.events import *
    from kb_server.client.model import *
    from kb_server.client.streams import *
    from kb_server.client.values import *
else:  # not for type checkers, to which any misspelt name would then be right
    _MODULES = ("errors", "values", "events", "streams", "model", "blackboard", "asynchronous")

    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return sorted(each for module in map(_module, _MODULES) for each in module.__all__)
        if name[0] != "_":
            for module in map(_module, _MODULES):
                if name in module.__all__:
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*globals(), *__getattr__("__all__")]

    def _module(name: str) -> Any:
        return import_module(f"kb_server.client.{name}")
