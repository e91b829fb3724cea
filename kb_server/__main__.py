"""The program `mindboard`, also as `python -m kb_server`."""

import sys

from kb_server.program import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
