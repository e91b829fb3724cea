"""`python -m demos NAME`: the same as `mindboard demo NAME`, from a folder without installation."""

import sys

from kb_server.program import main

if __name__ == "__main__":
    sys.exit(main(["demo", *sys.argv[1:]]))
