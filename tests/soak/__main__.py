"""Plays the soak, prints the table, and ends with 1 when something has grown."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.soak.soaking import soak


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 when nothing has grown, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="how long (default: 600)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        grown = soak(Path(folder), options.seconds, print)
    for each in grown:
        print(each)
    print("something has grown" if grown else "nothing has grown")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
