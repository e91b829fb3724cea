"""The board: what each agent believes, kept, reasoned on and told to whoever asked.

The public names are those of `kb_server.client.names`, and come from there when they are first
asked for: a process which needs only a part of the board, such as a SPARQL worker, loads no client.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb_server.client.names import *  # noqa: F403
else:  # not for type checkers, to which any misspelt name would then be right

    def __getattr__(name: str) -> object:
        if name == "__all__":
            return sorted(each for each in vars(_names()) if each[0] != "_")
        if name[0] == "_" or not hasattr(_names(), name):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(_names(), name)

    def __dir__() -> list[str]:
        return [*globals(), *__getattr__("__all__")]

    def _names() -> object:
        return import_module("kb_server.client.names")
