"""GOAL, the Group Operation Assembly Language, as LogGOPSim's txt2bin and ATLAHS read it.

Source: Hoefler, Siebert and Lumsdaine 2009, "Group Operation Assembly Language - a flexible way to
express collective communication"; the words as txt2bin of LogGOPSim takes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.topology.schedules import Action, ActionKind

LEAST_BYTES = 1
"""Of a message: LogGOPSim charges for all bytes but one, so that none would be billions."""


def goal_text(ranks: Sequence[Sequence[Action]], title: str) -> str:
    """The schedule of each of `ranks`, a line an action and one for each that it waits for.

    A computation takes a nanosecond for each floating-point operation: GOAL has times alone.
    """
    comment = " ".join(title.split())
    lines = [f"// {comment}", f"num_ranks {len(ranks)}"]
    for rank, actions in enumerate(ranks):
        lines += ["", f"rank {rank} {{", *_lines(actions), "}"]
    return "\n".join(lines) + "\n"


def _lines(actions: Sequence[Action]) -> Iterator[str]:
    for number, action in enumerate(actions):
        yield f"l{number}: {_operation(action)}"
        yield from (f"l{number} requires l{before}" for before in action.ended)
        yield from (f"l{number} irequires l{before}" for before in action.begun)


def _operation(action: Action) -> str:
    size_bytes = max(action.amount, LEAST_BYTES)
    match action.kind:
        case ActionKind.SEND:
            return f"send {size_bytes}b to {action.peer} tag {action.tag}"
        case ActionKind.RECEIVE:
            return f"recv {size_bytes}b from {action.peer} tag {action.tag}"
        case ActionKind.COMPUTE:
            return f"calc {action.amount}"
