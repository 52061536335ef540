"""What applications' problems take, in time and memory, before anything starts. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.kernels.patterns import Problem
from leadline.measure.cells import PlannedCell
from leadline.record.caveats import Caveat, CaveatKind

USUAL_FLOP_PER_S = 4e9
"""Of a core that has nothing else to do: MG was seen to do 4.5e9, STAP 6.8e9. Slower ones take
longer, which is planned anew after a block."""
SLOWEST_FLOP_PER_S = 2e7
"""Of all ranks together, when the watchdog waits for those that share a core."""
FEWEST_REPETITIONS = 3
"""Of a slice, however long one takes."""
WARMING_UP = 3
"""Repetitions before those that count, where a launch first meets a problem."""


def solving_s(problem: Problem, cores: int) -> float:
    """What a slice takes, however short it is asked to be, on so many cores, about."""
    solutions = -(-FEWEST_REPETITIONS // problem.repetitions)
    repetitions = solutions * problem.repetitions + WARMING_UP
    return repetitions * problem.flop / (USUAL_FLOP_PER_S * cores)


def patience_s(problem: Problem | None) -> float:
    """How much longer a slice may take than one of messages until its ranks are taken for stuck."""
    if problem is None:
        return 0.0
    repetitions = FEWEST_REPETITIONS * problem.repetitions + WARMING_UP
    return repetitions * problem.flop / SLOWEST_FLOP_PER_S


def with_room(
    cells: Sequence[PlannedCell], room_bytes: int
) -> tuple[list[PlannedCell], list[Caveat]]:
    """The `cells` whose problems fit into `room_bytes`, and what is left out, a caveat each."""
    fitting, caveats = [], []
    for planned in cells:
        needed_bytes = problem_bytes([planned])
        if needed_bytes <= room_bytes or not needed_bytes:
            fitting.append(planned)
            continue
        needs = f"{planned.choice.label} needs about {needed_bytes / 1e9:.2g} GB on all ranks"
        cause = f"{needs} together, and {max(room_bytes, 0) / 1e9:.2g} GB may be used"
        caveats.append(CaveatKind.PROBLEM_TOO_LARGE.because(cause))
    return fitting, caveats


def problem_bytes(cells: Sequence[PlannedCell]) -> int:
    """Of the largest problem of `cells`; one launch at a time has it in memory, while measured."""
    problems = (planned.problem for planned in cells)
    return max((one.bytes for one in problems if one is not None), default=0)
