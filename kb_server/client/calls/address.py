"""The default address of a board."""

from typing import Final

__all__ = ["DEFAULT_URL"]

DEFAULT_URL: Final = "http://127.0.0.1:8765"
