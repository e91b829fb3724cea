"""Where a board is looked for unless somebody names another place."""

from typing import Final

__all__ = ["DEFAULT_URL"]

DEFAULT_URL: Final = "http://127.0.0.1:8765"
