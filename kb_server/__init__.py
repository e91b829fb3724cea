"""The board: stores each agent's beliefs, draws inferences and notifies subscribers of changes.

The public names are those in `__all__` of the modules below: the errors, and the client's. They are
imported on the first access to a name, the light ones first, until one defines it:
`kb_server.BoardError` imports no transport. Only `Blackboard.local` imports the board that runs in
this process.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# ruff: noqa: F403  # the stars are for type checkers
if TYPE_CHECKING:
    from kb_server.client.asynchronous import *
    from kb_server.client.blackboard import *
    from kb_server.client.calls.errors import *
    from kb_server.client.calls.events import *
    from kb_server.client.calls.values import *
    from kb_server.client.model import *
    from kb_server.client.streams.streams import *
    from kb_server.errors import *
else:  # hidden from type checkers: with `__getattr__` they would accept any misspelt name
    _MODULES = (
        *("errors", "client.calls.errors", "client.calls.values", "client.calls.events"),
        *("client.streams.streams", "client.model", "client.blackboard", "client.asynchronous"),
    )

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
        return import_module(f"kb_server.{name}")
