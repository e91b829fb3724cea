"""An executive in thirty lines: it waits for wishes of people, and carries them out.

REACTIONS is a table. When its patterns hold together, the function runs with the bindings as its
arguments, beside other running acts. The state of an act is asserted on the board: `give_1 hasState
running`, then `done`, or `failed` with the name of the error. An act with a state was already taken
up, by this executive or an earlier one. So each act is done once, whoever wishes it and however
often; a wish for two objects is two acts. If an executive is killed, its act stays `running`:
retract that to repeat it.

It waits for a board that restarts or is replaced, and continues. If a board refuses something, such
as an invalid pattern, this is printed; the other reactions continue.

    python -m demos.executive http://127.0.0.1:8765
"""

import asyncio
import sys
from typing import Any

from kb_server import AsyncBlackboard, BoardError, ConnectionFailed, EventsLost, ReadOnly


async def give(kb: AsyncBlackboard, h: str, a: str, o: str) -> None:  # here your robot moves
    await kb.revise("myself", add=[f"{h} isHolding {o}"], if_consistent=True, source=a)


REACTIONS = {("?h desires ?a", "?a a Give", "?a actsOnObject ?o"): give}


async def retry(ask: Any, *given: Any) -> Any:  # whatever is asked here may be asked twice
    while True:
        try:
            return await ask(*given)
        except (ConnectionFailed, EventsLost, ReadOnly):
            await asyncio.sleep(0.5)
        except BoardError as refusal:
            return print(f"refused: {refusal}", file=sys.stderr)


async def report(kb: AsyncBlackboard, a: str, *now: str) -> None:
    await kb.revise("myself", retract=[f"{a} hasState *"], add=[f"{a} hasState {s}" for s in now])


async def carry_out(kb: AsyncBlackboard, react: Any, wish: Any) -> None:
    error = (await asyncio.gather(react(kb, **wish), return_exceptions=True))[0]
    await retry(report, kb, wish["a"], *(("failed", type(error).__name__) if error else ["done"]))


async def whenever(kb: AsyncBlackboard, acts: Any, patterns: tuple[str, ...], react: Any) -> None:
    async for wish in kb.subscribe("myself", *patterns, snapshot=True):
        if (a := wish.bindings.get("a")) and not await retry(kb.check, "myself", f"{a} hasState *"):
            await retry(report, kb, a, "running")
            acts.create_task(carry_out(kb, react, wish.bindings))


async def main(url: str) -> None:
    async with AsyncBlackboard(url) as kb, asyncio.TaskGroup() as acts:
        await asyncio.gather(*(retry(whenever, kb, acts, *row) for row in REACTIONS.items()))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if sys.argv[1:] else "http://127.0.0.1:8765"))
