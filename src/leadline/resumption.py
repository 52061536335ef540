"""What an interrupted run has done already: pure arithmetic on its record and its plan."""

from __future__ import annotations

from leadline.plan import Plan
from leadline.record import Run

Pair = tuple[int, int]
"""(configuration, cell)."""


def blocks_done(run: Run, plan: Plan) -> tuple[int, int]:
    """How many blocks measured everything that could be, and the number of the next new block.

    A block that was cut short isn't counted, nor is its number used again: its launches are gone.
    """
    wanted = _wanted(run, plan)
    seen: dict[int, set[Pair]] = {}
    columns = (run.batches.block, run.batches.configuration, run.batches.cell)
    for block, configuration, cell in set(zip(*(c.tolist() for c in columns), strict=True)):
        seen.setdefault(block, set()).add((configuration, cell))
    done = sum(1 for pairs in seen.values() if wanted and wanted <= pairs)
    return done, max(seen, default=-1) + 1


def _wanted(run: Run, plan: Plan) -> set[Pair]:
    """What a complete block has: every cell of every configuration, but for those that failed."""
    failed = {(failure.configuration, failure.cell) for failure in run.failures}
    pairs = {
        (index, run.cells.index(entry.cell))
        for index, configuration in enumerate(run.configurations)
        for group in plan.groups
        if group.ranks == configuration.ranks
        for entry in group.entries
        if configuration.variant in entry.variants and entry.cell in run.cells
    }
    return {pair for pair in pairs if pair not in failed and (pair[0], None) not in failed}
