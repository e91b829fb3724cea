"""`python -m docs.generator`: writes the reference."""

import sys

from docs.generator.pages import FOLDER, pages

__all__ = ["main"]


def main() -> int:
    """Writes all pages, and deletes files that are no longer made."""
    made = pages()
    FOLDER.mkdir(exist_ok=True)
    for stale in {path.name for path in FOLDER.glob("*.md")} - made.keys():
        (FOLDER / stale).unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
