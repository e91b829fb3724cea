"""A worker process that simulates falls: `python -P -m spatial_reasoner.likelihood.worker FD`.

It reads jobs from a socket and answers each with poses, one at a time, until the socket is closed.
So it also ends when its parent dies. It runs at a lower priority than the reasoner.
"""

import os
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.kernels.compiled import prepare
from spatial_reasoner.likelihood.falls import FallJob

__all__ = ["main"]

_NICE: Final = 5
"""Added niceness of the process, below the reasoner."""


def main(descriptor: int) -> None:
    """Reports that it is ready, and runs jobs until the socket is closed."""
    os.nice(_NICE)
    prepare()
    with Connection(descriptor) as line, Dynamics() as dynamics, suppress(EOFError, OSError):
        line.send(None)
        while True:
            job: FallJob = line.recv()
            line.send(job.done(dynamics))


if __name__ == "__main__":
    main(int(sys.argv[1]))
