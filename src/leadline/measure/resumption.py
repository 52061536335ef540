"""What an interrupted run has done already: pure arithmetic on its record and its plan."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from leadline.backends.backend import UNKNOWN as UNKNOWN_TRANSPORT
from leadline.errors import MachineError, RecordError, UsageError
from leadline.hosts.cores import Site
from leadline.measure.budget import Footprint
from leadline.measure.cells import problem_bytes
from leadline.measure.plan import Plan
from leadline.measure.prepared import Prepared
from leadline.measure.spec import process_bytes
from leadline.record.quantities import UNKNOWN
from leadline.record.run import HOST_DOWN, Configuration, Run
from leadline.record.warnings import WarningKind

Pair = tuple[int, int]
"""Indices of a configuration and a cell."""
Kernel = tuple[str, str]
"""A variant's name, and the key of its executable in the cache."""


def blocks_done(run: Run, plan: Plan) -> tuple[int, int]:
    """How many blocks measured everything that could be, and the number of the next new block.

    A block that was cut short isn't counted, nor is its number used again: its launches are gone.
    """
    seen = _measured(run)
    return len(whole_blocks(run, plan)), max(seen, default=-1) + 1


def whole_blocks(run: Run, plan: Plan) -> set[int]:
    """The numbers of the blocks that measured everything that could be.

    That is every cell of every configuration, but for those that failed. More ranks than cores may
    be left out of a block, for want of time, but not for want of a host.
    """
    lost = {failure.configuration for failure in run.failures if failure.code == HOST_DOWN}
    some_fit = any(not group.oversubscribed for group in plan.groups)
    failed = {(f.configuration, f.cell) for f in run.failures if f.code != HOST_DOWN}
    pairs = {
        (index, run.cells.index(planned.cell))
        for index, configuration in enumerate(run.configurations)
        for group in plan.groups
        if group.key == configuration.key
        and (index in lost or not (group.oversubscribed and some_fit))
        for planned in group.cells
        if configuration.variant in planned.variants and planned.cell in run.cells
    }
    wanted = {pair for pair in pairs if pair not in failed and (pair[0], None) not in failed}
    return {block for block, pairs in _measured(run).items() if wanted and wanted <= pairs}


def _measured(run: Run) -> dict[int, set[Pair]]:
    """The pairs that were measured in each block."""
    seen: dict[int, set[Pair]] = {}
    recorded = run.strips or run.batches
    columns = (recorded.block, recorded.configuration, recorded.cell)
    for block, configuration, cell in set(zip(*(c.tolist() for c in columns), strict=True)):
        seen.setdefault(block, set()).add((configuration, cell))
    return seen


def spent_s(run: Run, blocks: Collection[int] | None = None) -> float:
    """How long `blocks` of `run` (default: all) took, in seconds, from the times in its record.

    Between two blocks lie the end of one's launches and the start of the other's; as many such
    pauses are counted as there are blocks, of the usual length: one with an interruption in it is
    longer, or has another boot's clock. All times are by the lowest rank's clock.
    """
    batches = run.batches
    start_ns, rows_known = batches.start_ns, batches.rank == batches.rank.min(initial=0)
    if batches.spread is not None:  # the lowest rank's start, recorded beside the slowest rank's
        lowest_ns = batches.spread.lowest_rank_start_ns
        start_ns = np.where(lowest_ns != UNKNOWN, lowest_ns, start_ns)
        rows_known = rows_known | (lowest_ns != UNKNOWN)
    end_ns = start_ns + batches.elapsed_ns
    begin, end = {}, {}
    found = np.unique(batches.block[rows_known]).tolist()
    for block in (one for one in found if blocks is None or one in blocks):
        rows = rows_known & (batches.block == block)
        begin[block], end[block] = start_ns[rows].min(), end_ns[rows].max()
    pauses = [begin[b] - end[a] for a, b in pairwise(begin)]
    measured = sum(int(end[b] - begin[b]) for b in begin)
    return 1e-9 * (measured + len(begin) * float(np.median(pauses or [0])))


def nothing_measured(run: Run) -> bool:
    """Whether `run` ended before any of its slices succeeded or failed."""
    return not run.batches.rank.size and not run.failures


def _alike(recorded: Configuration, now: Configuration) -> bool:
    """Whether both are the same; of the recorded one the transport may not be known any more."""
    if recorded.transport == UNKNOWN_TRANSPORT:
        recorded = replace(recorded, transport=now.transport)
    return recorded == now


def check_unchanged(run: Run, prepared: Prepared) -> None:
    """UsageError if what `prepared` would measure isn't what `run` has measured so far.

    A run that ended before its first slice may lack definitions, which are made good; RecordError
    where one that comes before a slice is lost.
    """
    plan, now = prepared.plan, list(prepared.configurations().values())
    changed = [
        c.variant
        for c in run.configurations
        if not any(_alike(c, configuration) for configuration in now)
    ]
    missing = [
        c.variant
        for c in now
        if not any(_alike(configuration, c) for configuration in run.configurations)
    ]
    cells = {planned.cell for group in plan.groups for planned in group.cells}
    lacks_cells = cells > set(run.cells)
    if nothing_measured(run):
        missing, lacks_cells, cells = [], False, cells & set(run.cells)
    if not changed and (missing or lacks_cells) and has_damaged_lines(run):
        what = f"variant {missing[0]}" if missing else "a cell"
        raise RecordError(
            str(run.path), None, f"can't go on: the line that defines {what} is damaged or lost; "
            "what else the run holds can still be read. Start another one",
        )  # fmt: skip
    changed += missing
    if changed or cells != set(run.cells) or plan.together != run.co_resident:
        what = f"variant {changed[0]}" if changed else "the plan"
        raise UsageError(
            f"{run.path} can't go on: {what} isn't what it was when the run began (library, "
            "settings, cores or memory changed); start another run"
        )


def has_damaged_lines(run: Run) -> bool:
    """Whether lines of the journal of `run` are lost or damaged."""
    return any(warning.code == WarningKind.JOURNAL_LINE.code for warning in run.warnings)


def check_kernels(
    run: Run, begun: Sequence[tuple[str, str]], now: Sequence[tuple[str, str]]
) -> None:
    """UsageError if a variant's kernel (by name and key) isn't the one that `run` began with."""
    changed = [name for name, key in begun if (name, key) not in now]
    if changed:
        raise UsageError(
            f"{run.path} can't go on: the kernel of variant {changed[0]} isn't built of what it "
            "was when the run began (leadline, library or compiler changed); start another run"
        )


def found_again(run: Run, begun: Sequence[Site], now: Sequence[Site]) -> tuple[Site, ...]:
    """The sites that `run` began on as they are `now`, with the cores that it began with.

    A boot gives machines other ids; which hosts share one must be as it was, or ranks would sit on
    other cores. Raises UsageError where it isn't, or where a core may not be used any more.
    """
    for before, site in zip(begun, now, strict=True):
        missing = [core for core in before.cores if core not in site.cores]
        if missing:
            where = f"on host {site.name!r}" if site.asked else "here"
            cores = ", ".join(map(str, before.cores))
            raise UsageError(
                f"{run.path} can't go on: core {missing[0]} may not be used {where}, and the run "
                f"began on cores {cores}; resume it where all of them may be used"
            )
    if _sharing(begun) != _sharing(now):
        hosts = ", ".join(site.name for site in now)
        raise UsageError(
            f"{run.path} can't go on: hosts {hosts} are on {len(set(_sharing(now)))} machines, and "
            f"were on {len(set(_sharing(begun)))} when the run began; start another run"
        )
    return tuple(replace(s, cores=b.cores) for b, s in zip(begun, now, strict=True))


def _sharing(sites: Sequence[Site]) -> list[int]:
    """Index of the first site on the same machine, for each of `sites`."""
    machines = [site.machine for site in sites]
    return list(map(machines.index, machines))


def check_room(run: Run, prepared: Prepared, available_bytes: int) -> None:
    """MachineError if memory has no room now for launches alive together as planned.

    A plan takes MEMORY_SHARE of what is free, so that less may be free by now.
    """
    plan, needed_bytes = prepared.plan, 0
    for group in plan.groups:  # one after the other
        footprint = Footprint(
            largest_message_bytes=max(planned.memory_bytes(group.ranks) for planned in group.cells),
            cold_bytes=plan.cold_bytes,
            processes=max(v.capability.processes(group.ranks) for v in prepared.variants),
            variants=prepared.launched(group) if plan.together else 1,
            process_bytes=process_bytes(prepared.variants),
            problem_bytes=problem_bytes(group.cells),
        )
        alive_bytes = footprint.launch_bytes * footprint.variants * group.launches
        needed_bytes = max(needed_bytes, alive_bytes + footprint.problem_bytes)
    if needed_bytes > available_bytes:
        raise MachineError(
            f"{run.path} can't go on now: as it was planned, launches alive together need about "
            f"{needed_bytes / 1e9:.1f} GB, and {available_bytes / 1e9:.1f} GB are free; free "
            "memory and resume it again, nothing measured is lost"
        )
