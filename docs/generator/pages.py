"""The pages of the reference, and the function that makes each."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from docs.generator import calls, client, commands, errors, ontology, settings, sockets

__all__ = ["FOLDER", "pages"]

FOLDER: Final = Path(__file__).resolve().parents[1] / "reference"
_NOTE: Final = "<!-- Made from the code by `make reference`; changes belong there. -->"


class _Page(NamedTuple):
    title: str
    make: Callable[[], str]


PAGES: Final[Mapping[str, _Page]] = {
    "commands.md": _Page("Commands and their options", commands.page),
    "http.md": _Page("HTTP calls", calls.page),
    "websocket.md": _Page("Websocket commands and events", sockets.page),
    "client.md": _Page("The Python client", client.page),
    "errors.md": _Page("Errors and their codes", errors.page),
    "settings.md": _Page("Settings of the server", settings.page),
    "ontology.md": _Page("The words of the ontology", ontology.page),
}


def pages() -> dict[str, str]:
    """The text of each page, by the name of its file."""
    return {name: f"{_NOTE}\n\n# {each.title}\n\n{each.make()}" for name, each in PAGES.items()}
