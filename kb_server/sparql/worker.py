"""The worker process that answers SPARQL: `python -P -m kb_server.sparql.worker FD PARENT`.

It reads frames from a socket in order, so an answer includes every delta sent before the question.
It may die at any moment: out of memory, out of stack, or killed by its parent. After its start it
can't open files or sockets, whatever a query asks. The kernel ends it when its parent ends, and one
second after a question's time limit.
"""

import ctypes
import os
import resource
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyoxigraph as ox

from kb_server.errors import BoardError, SparqlError, TooCostly
from kb_server.sparql.dataset import answering
from kb_server.sparql.parsing import read_graph
from kb_server.sparql.protocol import Frames, SparqlQuery, SparqlUpdate, WorkerFrame, packed
from kb_server.sparql.reified import reified
from kb_server.sparql.replica import Replica
from kb_server.sparql.result_formats import NotInXml, written
from kb_server.sparql.settings import Limits
from kb_server.sparql.update import worked_out

__all__ = ["Worker", "confine", "main"]

_PR_SET_PDEATHSIG: Final = 1
_STACK: Final = 64 * 2**20
"""Bytes of stack: Oxigraph recurses into nested queries."""
_GRACE: Final = 1.0
"""Seconds after a question's time limit until the kernel ends this process."""
_READ: Final = 262_144
"""Bytes read from the socket at once."""


class Worker:
    """The replica, and the commands on it; `past` is a replica of the past, `body` a text to read.

    After running out of memory it is `spent` and must end: an interrupted change may not be undone.
    """

    def __init__(self, says: Mapping[str, Any]) -> None:
        self.body = b""
        self.replica: Final = Replica(says["prefixes"])
        self.limits: Final = Limits(**says["limits"])
        self.past: Replica | None = None
        self.spent = False

    def do(self, frame: WorkerFrame) -> bytes | None:
        """Execute the command of a frame; return the frame of the answer, if any."""
        says = frame.says
        match says["do"]:
            case "follow":
                self._follow(says)
            case "change":
                self._change(says)
            case "now":
                self._into().seq = says["seq"]
            case "past":
                self.past = self._only_common()
            case "body":
                self.body = frame.body
            case "ready":
                return packed({"ready": True})
            case _:
                return self._answered(says)
        return None

    def _into(self) -> Replica:
        return self.past or self.replica

    def _follow(self, says: Mapping[str, Any]) -> None:
        replica = self._into()
        replica.follow(
            says["model"],
            ceased=says.get("ceased", ()),
            became_true=says["came"],
            withdrawn=says.get("withdrawn", ()),
            asserted=says.get("asserted", ()),
        )
        replica.seq = says.get("seq", replica.seq)

    def _change(self, says: Mapping[str, Any]) -> None:
        replica, graph = self._into(), ox.NamedNode(says["graph"])
        replica.take(graph, says["remove"])
        replica.put(graph, says["add"])

    def _only_common(self) -> Replica:
        past, here = Replica(self.replica.names.prefixes), self.replica.holding
        for facts in (past.holding, past.asserted):
            facts.add(here.triples(here.common), here.common)
        return past

    def _answered(self, says: Mapping[str, Any]) -> bytes:
        signal.setitimer(signal.ITIMER_REAL, says["seconds"] + _GRACE)
        try:
            return self._asked(says)
        except BoardError as reason:
            return _refusal(says["id"], reason)
        except MemoryError:
            self.spent = True
            message = "this request needs more memory than allowed"
            return _refusal(says["id"], TooCostly(message, reason="memory"))
        except Exception as reason:  # the edge of this process; the pool logs the error
            return _refusal(says["id"], SparqlError(f"a SPARQL worker failed: {reason!r:.400}"))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.past, self.body = None, b""
            self.replica.renew()

    def _asked(self, says: Mapping[str, Any]) -> bytes:
        if says["do"] == "read":
            facts = read_graph(self.body, says["type"], says["base"], says["most"])
            return packed({"id": says["id"], "facts": [*map(self.replica.statement, facts)]})
        if says["do"] == "update":
            wanted = SparqlUpdate(**says["asked"])
            changes = worked_out(self.replica, wanted, self.limits)
            return packed({"id": says["id"], "seq": self.replica.seq, "changes": changes})
        try:
            return self._found(says)
        except NotInXml:
            return self._found(says, in_xml=False)

    def _found(self, says: Mapping[str, Any], in_xml: bool = True) -> bytes:
        replica = self._into()
        asked = SparqlQuery(**says["asked"])
        with (
            replica.facts(asked.inferred).also(_computed(replica, says["computed"])),
            answering(replica, asked, self.limits) as found,
        ):
            media, body = written(found, says["accept"], says["max_bytes"], in_xml)
        return packed({"id": says["id"], "type": media, "seq": replica.seq}, body)


def _computed(
    replica: Replica, computed: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, list[ox.Triple]]:
    more = {replica.model_graph(m).value: replica.triples(facts) for m, facts in computed.items()}
    return {graph: [*facts, *reified(facts, replica.names)] for graph, facts in more.items()}


def _refusal(number: int, reason: BoardError) -> bytes:
    error = {"code": reason.code, "message": reason.message, "detail": dict(reason.detail)}
    return packed({"id": number, "error": error})


def confine(memory_mb: int) -> None:
    """Limit this process: memory, no new files or sockets, no core dumps; a stack of 64 MB."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    stack = _STACK if hard == resource.RLIM_INFINITY else min(_STACK, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (stack, hard))
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, free))


def _die_with(parent: int) -> None:
    """Ask the kernel to end this process when its parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(0)


def main(descriptor: int, parent: int) -> None:
    """Serve until the parent closes the socket."""
    _die_with(parent)
    pipe = socket.socket(fileno=descriptor)
    frames, worker = Frames(), None
    while data := pipe.recv(_READ):
        for frame in frames.fed(data):
            if worker is None:
                confine(frame.says["memory_mb"])
                worker = Worker(frame.says)
            elif (answer := worker.do(frame)) is not None:
                pipe.sendall(answer)
            if worker.spent:
                return


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
