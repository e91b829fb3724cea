"""The process beside that lets things fall: `python -P -m spatial_reasoner.likelihood.worker FD`.

It reads jobs from a socket and answers each with poses, one after the other, until the socket is
closed: so it ends when whoever started it does, however that ends. It gives way to the reasoner.
"""

import os
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.kernels.compiled import prepare
from spatial_reasoner.likelihood.falls import Job

__all__ = ["main"]

_NICE: Final = 5


def main(descriptor: int) -> None:
    """Says that it is ready, and does jobs until nobody is there any more."""
    os.nice(_NICE)
    prepare()
    with Connection(descriptor) as line, Dynamics() as dynamics, suppress(EOFError, OSError):
        line.send(None)
        while True:
            job: Job = line.recv()
            line.send(job.done(dynamics))


if __name__ == "__main__":
    main(int(sys.argv[1]))
