"""What an interrupted run has done already: pure arithmetic on its record and its plan."""

from __future__ import annotations

from leadline.errors import UsageError
from leadline.measure.plan import Plan
from leadline.measure.setting import Setting
from leadline.record.run import Run

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
    """What a complete block has: every cell of every configuration, but for those that failed.

    More ranks than cores may be left out of a block, for want of time.
    """
    some_fit = any(not group.oversubscribed for group in plan.groups)
    failed = {(failure.configuration, failure.cell) for failure in run.failures}
    pairs = {
        (index, run.cells.index(entry.cell))
        for index, configuration in enumerate(run.configurations)
        for group in plan.groups
        if group.key == configuration.key and not (group.oversubscribed and some_fit)
        for entry in group.entries
        if configuration.variant in entry.variants and entry.cell in run.cells
    }
    return {pair for pair in pairs if pair not in failed and (pair[0], None) not in failed}


def check_unchanged(run: Run, setting: Setting) -> None:
    """UsageError if what `setting` would measure isn't what `run` has measured so far."""
    groups = setting.plan.groups
    now = [setting.configuration(v, group) for group in groups for v in setting.variants_of(group)]
    changed = [c.variant for c in now if c not in run.configurations]
    changed += [c.variant for c in run.configurations if c not in now]
    cells = {entry.cell for group in groups for entry in group.entries}
    if changed or cells != set(run.cells):
        what = f"variant {changed[0]}" if changed else "the plan"
        raise UsageError(
            f"{run.path} can't go on: {what} isn't what it was when the run began (library, "
            "settings, cores or memory changed); start another run"
        )
