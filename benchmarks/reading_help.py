"""Reading help for `docs/figures.md`: one line for each figure that explains the measurement.

The rows stand in the sections of the page, in the order of the table that `make bench` prints.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["HELP"]

HELP: Final[Mapping[str, Mapping[str, str]]] = {
    "Reasoning": {
        "one fact added or retracted, 1 000 facts": "Median time of one `revise` in-process, "
        "inference included. `reasonable`, a batch reasoner in Rust, infers everything again.",
        "one fact added or retracted, 20 000 facts against 1 000": "Median time on a board of 20 "
        "000 facts, divided by the time on a board of 1 000. The size must not matter.",
        "one fact added or retracted, 20 000 facts": "Median time on a board of 20 000 facts. "
        "`reasonable` infers everything again from these facts.",
        "20 facts retracted and 20 added, 20 000 facts": "Median time of one `revise` that "
        "moves 20 objects, as a scene changes between two frames.",
        "20 facts retracted and 20 added in each of four models": "Sum of four such changes, one "
        "in each of four models. The limit is absolute: 8 ms.",
        "bulk load of 1 000 facts": "One `revise` of 1 000 facts into an empty model, inference "
        "included. `owlrl` is a batch reasoner in Python.",
        "bulk load of 20 000 facts": "One `revise` of 20 000 facts, beside `owlrl`.",
        "bulk load of 20 000 facts, fastest peer": "One `revise` of 20 000 facts, beside "
        "`reasonable`. Its time to read the facts is not counted.",
        "10 000 subscriptions, a change that matches 10": "One fact is added; 10 subscriptions "
        "match it, 9 990 do not. The ratio is against a board with those 10 subscriptions alone.",
        "memory for each fact held": "Resident memory divided by the number of facts, asserted and "
        "inferred. Supports and indexes are included.",
        "a new model": "Time to create one more model when the ontology is loaded already. The "
        "ratio is the time to load the ontology, divided by this time.",
    },
    "Journal": {
        "one delta stored in the journal": "Median time until one delta is safe on disk, beside "
        "one SQLite commit of 300 bytes.",
        "facts added and stored in batches of 20, one thread": "Facts a second through inference "
        "and journal, beside the same inference with a plain SQLite commit for each batch.",
        "the board at a past moment, 20 000 facts": "Median time to rebuild the board for a query "
        "with `at=`, beside loading the same facts.",
        "history of one object in 50 000 deltas": "Median time of one `history` query. "
        "The limit is absolute: 100 ms.",
        "start with 1 000 000 journal rows and 20 000 live facts": "Time until the board has its "
        "last state after a start, beside loading the facts that hold at the end.",
    },
    "HTTP and websocket": {
        "`revise` of one fact over HTTP": "Median time of one request, answered after the journal "
        "has the change. The peer is a FastAPI route with one SQLite commit and no board.",
        "`revise` over HTTP, 8 clients at once": "Requests a second of 8 clients together, beside "
        "the same bare route. The ratio is the rate of the bare route divided by ours.",
        "inferred event at another client, median": "Time from a client's `revise` until a second "
        "client receives the event of an inferred fact. The board holds 20 000 facts and 100 "
        "subscriptions. A relay passes the frame on, without inference or journal.",
        "inferred event at another client, 99th percentile": "99 of 100 such events are faster.",
        "inferred event with 1 000 subscribers connected": "Median time while 1 000 more clients "
        "subscribe to other patterns, beside the median without these clients.",
        "one event to 1 000 subscribers": "Time until all of 1 000 clients have one event, beside "
        "a bare loop that sends the same frame to each.",
        "writes over one websocket, batches of 20": "Facts a second through one socket, each batch "
        "of 20 answered after the journal has it. The ratio is against 20 000 facts/s.",
    },
    "SPARQL": {
        "SPARQL query of one fact over HTTP": "Median time of a `SELECT` with one pattern on 20 "
        "000 facts. `bare` is a FastAPI route that returns as many bytes; `Oxigraph` is the same "
        "query in-process. The ratio is our time divided by the target.",
        "SPARQL join of seven patterns over HTTP": "Median time of a `SELECT` that joins seven "
        "patterns, measured like the query of one fact.",
        "SPARQL join of seven patterns, against rdflib": "Median time of that join over HTTP, "
        "beside `rdflib` in-process on the same facts.",
    },
    "Spatial reasoner": {
        "tick, 3 agents, 50 objects, 95th percentile": "Time of one tick with OpenGL, including "
        "the writing of the facts to an in-process board. 19 of 20 ticks are faster.",
        "tick, 3 agents, 50 objects, TinyRenderer, 95th percentile": "The tick of the first row, "
        "but views are drawn by PyBullet's own renderer instead of OpenGL.",
        "tick of three minds, median": "Median time of the tick of the first row. The peer "
        "computes relations and views by PyBullet's own calls, in one Bullet world for each mind.",
        "tick of the robot's mind alone, median": "The same scene without the other two minds, "
        "beside PyBullet's own calls in one world.",
        "ticks a second, 2 agents, 10 objects": "One second divided by the median time of a "
        "tick. p95 is the 95th percentile of this time. The scene is as large as the one published "
        "with SPARK, the spatial reasoner of LAAS-CNRS.",
        "ticks a second, 5 agents, 200 objects": "One second divided by the median time of "
        "a tick in a large room. p95 is the 95th percentile of this time.",
        "relations of 50 objects, all moved": "Median time to find what is on, in and next to "
        "what, after all 50 objects moved.",
        "relations of 50 objects, three moved": "Median time of the same computation after three "
        "objects moved.",
        "one view of 50 objects, 160 × 120 pixels": "Median time to draw what one agent sees with "
        "OpenGL, beside the same picture by PyBullet's TinyRenderer.",
        "50 percepts with covariances fused": "Median time of one update of the Kalman filter with "
        "50 percepts, beside its matrix products alone in numpy.",
        "percept to event without the debounce, 95th percentile": "Time from a frame that moves a "
        "ball until another process receives the event, less the debounce. The medians of the "
        "stages stand beside it.",
    },
    "Hidden objects": {
        "tick, one hidden object moving, 95th percentile": "The tick of 3 agents and 50 objects, "
        "with one ball more in a bin that is carried. The limit is absolute: 15 ms.",
        "tick, one hidden object moving, median": "Median time of the whole tick. The peer is the "
        "algorithm published for Underworlds' physics reasoner, which computes no views and no "
        "reach.",
        "tick, one hidden object moving, physics and relations only, mean": "Mean time of the "
        "stages that compute what the published algorithm computes, beside that algorithm.",
        "ticks a second, 20 hidden objects in moving bins, 3 agents": "Ticks a second while 20 "
        "balls, each in a carried bin, are simulated.",
    },
    "Probability": {
        "probability of one fact, 100 samples, 20 objects": "Median time to estimate how likely a "
        "cup is on its table. The peer simulates every object for one second in each sample.",
    },
    "The live page": {
        "live page, 50 objects and 5 minds at 25 Hz": "Pictures a second in Chromium with a "
        "software renderer, while the board publishes 25 times a second.",
    },
    "Start of the program": {
        "CPU time of `mindboard --help`": "Median user and system time of the whole process, "
        "beside a Python that runs nothing. The limit is absolute: 350 ms.",
        "CPU time of an unknown option": "The same for `mindboard --unknown`, a usage error.",
        "CPU time of one completion": "The same for one Tab after `mindboard demo s`.",
    },
}
