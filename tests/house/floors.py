"""The floors of each large room, from the ground up, and the floors that each may import.

A floor is a package of the room, or a module that stands beside the packages. A row grants imports
from floors above it in the table only, so there are no cycles. A new import between floors is a
new word in a row.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["FLOORS"]

FLOORS: Final[Mapping[str, Mapping[str, str]]] = {
    "spatial_reasoner": {
        "errors": "",
        "kernels": "",
        "tolerances": "errors",
        "geometry": "kernels tolerances",
        "scene": "errors tolerances geometry",
        "values": "kernels tolerances geometry scene",
        "dynamics": "errors kernels tolerances geometry scene values",
        "relations": "kernels tolerances geometry values",
        "sight": "errors kernels tolerances geometry values dynamics",
        "belief": "kernels tolerances geometry scene values dynamics relations sight",
        "percepts": "errors tolerances geometry scene values relations belief",
        "sources": "errors tolerances geometry scene values percepts",
        "reach": "kernels tolerances geometry scene values dynamics relations belief",
        "likelihood": "kernels tolerances geometry values dynamics relations belief",
        "actions": "kernels tolerances geometry scene values relations belief",
        "tick": (
            "kernels tolerances geometry scene values dynamics relations "
            "sight belief percepts reach likelihood actions"
        ),
        "board": "errors scene values percepts sources likelihood actions tick",
        "pictures": "geometry scene values dynamics sight belief tick",
        "commands": (
            "errors tolerances scene values sight percepts sources likelihood tick board pictures"
        ),
    },
    "kb_server.core": {
        "terms": "",
        "facts": "terms",
        "rules": "terms facts",
        "reasoning": "terms facts rules",
        "models": "terms facts reasoning",
        "questions": "terms facts models",
        "events": "terms facts models questions",
    },
    "kb_server.client": {
        "calls": "",
        "streams": "calls",
        "transport": "calls streams",
        "local": "calls streams transport",
        "model": "calls streams",
        "blackboard": "calls streams transport model",
        "asynchronous": "calls streams transport model blackboard",
    },
    "kb_server.service": {
        "settings": "",
        "access": "",
        "writing": "",
        "delivery": "settings access writing",
        "desk": "settings access writing delivery",
        "http": "settings access desk",
        "sparql_http": "access desk http",
        "sockets": "access delivery desk http",
        "server": "settings access desk http sparql_http sockets",
    },
}
