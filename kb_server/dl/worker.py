"""The worker process: reads a line of JSON and N-Triples on stdin, writes a line of JSON on stdout.

It prepares Pellet's input and parses its output, so that a large model takes no time of the board's
process. It can be killed together with all processes that it started. It also has a deadline of its
own, in case its parent is gone.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from kb_server.dl.answers import DLConflict, DLVerdict
from kb_server.dl.blame import Blame
from kb_server.dl.ntriples import read
from kb_server.dl.pellet import Explanation, Pellet
from kb_server.dl.renaming import Disguise, RenamedStatement, disguise, is_fact
from kb_server.errors import DLError, DLFailed

_TELLING = 0.5  # s reserved at the end of the time allowed, to report what was found
_GRACE = 1.0  # s after the time allowed until it ends itself; the parent kills it before


def main() -> None:
    """Answer one request and end."""
    os.set_inheritable(os.dup(2), True)  # Java inherits it, so the parent sees when Java has ended
    request = json.loads(sys.stdin.buffer.readline())
    _die_after(request["timeout"] + _GRACE)
    try:
        answer = _answer(request, sys.stdin.buffer.read())
    except DLError as error:
        answer = {"error": {"code": error.code, "message": error.message, "detail": error.detail}}
    except (MemoryError, RecursionError) as error:
        what = {"code": DLFailed.code, "message": "The input is too large.", "detail": {}}
        answer = {"error": what | {"detail": {"reason": type(error).__name__}}}
    print(json.dumps(answer), flush=True)


def _die_after(seconds: float) -> None:
    """Kill this process and all processes that it started after some seconds."""
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(0, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _answer(request: Mapping[str, object], text: bytes) -> dict[str, object]:
    pellet = Pellet(str(request["java"]), int(str(request["memory_mb"])))
    deadline = time.monotonic() + float(str(request["timeout"])) - _TELLING
    hidden = disguise(read(text))
    if request["ask"] == "classify":
        return {"answer": pellet.classify(hidden).to_json()}
    most = int(str(request["max_conflicts"]))
    return {"answer": asdict(_verdict(pellet, hidden, most, deadline))}


def _verdict(pellet: Pellet, hidden: Disguise, most: int, deadline: float) -> DLVerdict:
    consistent, printed = pellet.consistent(hidden.statements)
    if consistent:
        return DLVerdict(True, warnings=printed.warnings(hidden))
    conflicts = list(_conflicts(pellet, hidden, most, deadline))
    if not conflicts:
        conflicts = [_conflict(hidden, Explanation(printed.reason(), []), [])]
    return DLVerdict(False, tuple(conflicts), printed.warnings(hidden))


def _conflicts(
    pellet: Pellet, hidden: Disguise, most: int, deadline: float
) -> Iterator[DLConflict]:
    """Yield conflicts one by one: Pellet explains one, then one of its facts is left out.

    Each explanation ends at the deadline, so that the conflicts found before are reported.
    """
    left = list(hidden.statements)
    for _ in range(most):
        why = pellet.explain(left, max(0.0, deadline - time.monotonic()))
        if why is None:
            return
        blamed = Blame(hidden, left).statements(why.axioms)
        yield _conflict(hidden, why, blamed)
        facts = [s for s in blamed if is_fact(s.shown)]
        if not facts:
            return
        left.remove(facts[-1])


def _conflict(hidden: Disguise, why: Explanation, blamed: list[RenamedStatement]) -> DLConflict:
    axioms = tuple(sorted(map(hidden.readable, why.axioms)))
    reason = hidden.readable(why.reason) or "These cannot all be true"
    message = f"{reason.rstrip('. ')}: {', '.join(axioms) or 'Pellet gives no axioms'}."
    return DLConflict(message, tuple(s.real for s in blamed), axioms)


if __name__ == "__main__":
    main()
