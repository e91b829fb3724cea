"""`python -m demos NAME`: the same as `mindboard demo NAME`, from a folder that isn't installed."""

import argparse
import sys

from demos.command import add_to
from kb_server.stdio import reopen

if __name__ == "__main__":
    reopen()
    parser = argparse.ArgumentParser(prog="python -m demos")
    add_to(parser.add_subparsers(required=True))
    arguments = parser.parse_args(["demo", *sys.argv[1:]])
    sys.exit(arguments.run(arguments))
