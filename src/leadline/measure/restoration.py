"""An interrupted campaign as it can go on: with the plan that it was begun with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leadline.backends.preparation import batch_job
from leadline.errors import UsageError
from leadline.hosts.survey import survey
from leadline.hosts.this_host import describe_machine
from leadline.measure.allotment import BlockLimits
from leadline.measure.order import Order
from leadline.measure.pace import Pace
from leadline.measure.preparation import available_bytes, built_variants, prepare
from leadline.measure.prepared import Prepared
from leadline.measure.resumption import (
    blocks_done,
    check_kernels,
    check_room,
    check_unchanged,
    found_again,
    nothing_measured,
    spent_s,
    whole_blocks,
)
from leadline.measure.stored import decoded, facts_of, kernels_of
from leadline.record.caveats import Caveat
from leadline.record.run import Run
from leadline.store import bad_plan, read_plan


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A run that isn't complete, and what goes on with it."""

    run: Run
    prepared: Prepared
    whole_blocks: int
    """How many blocks measured everything that could be."""
    next_block: int
    """The number of the first new block."""
    untold: tuple[Caveat, ...] = ()
    """What the run should have said at its beginning, and was ended before."""

    @property
    def left_s(self) -> float:
        """What is left of the budget.

        What was measured while hosts were down is beside it: all that needs them is still to come.
        """
        whole = whole_blocks(self.run, self.prepared.plan) if self.run.awaits_hosts else None
        return self.prepared.order.budget_s - spent_s(self.run, whole)

    @property
    def blocks_left(self) -> int:
        """How many are still to be measured; unless they are counted, as the plan expects."""
        pace = Pace(self.prepared.plan)
        return pace.next(self.left_s, self.whole_blocks).allotment.blocks


def restore(run: Run, order_of: Callable[[Mapping[str, Any]], Order]) -> Interrupted:
    """The campaign that measured `run`, which isn't complete, with the plan that it was begun with.

    Args:
        run: What there is.
        order_of: Reads the words of a command line, which runs of older versions have stored
            instead of their plan; such a run is planned anew.

    Raises:
        UsageError: What would be measured now isn't what the run has measured so far.
        RecordError: The stored plan is damaged, of another run or gone.
        MachineError: Memory hasn't got room now for what was planned.
    """
    options = run.provenance.options
    if not options:
        raise UsageError(f"{run.path}: not a campaign but an import; import its files again")
    if run.provenance.simulations:
        raise UsageError(
            f"{run.path}: variants of it are simulated, which comes out the same each time; begin "
            "it anew"
        )
    record = read_plan(run.path, run.id)
    if record is not None:
        return _interrupted(run, *_as_planned(run, record))
    if "suite" in options:
        return _interrupted(run, _planned_anew(run, order_of(options)))
    if nothing_measured(run):
        raise UsageError(
            f"{run.path} ended before its plan was stored, and nothing was measured; remove it and "
            "start another run"
        )
    raise bad_plan(run.path, "is gone")


def _interrupted(run: Run, prepared: Prepared, first: Sequence[Caveat] = ()) -> Interrupted:
    """`first`: what the run says from its beginning."""
    untold = tuple(caveat for caveat in first if caveat not in run.warnings)
    return Interrupted(run, prepared, *blocks_done(run, prepared.plan), untold)


def _as_planned(run: Run, record: Mapping[str, Any]) -> tuple[Prepared, tuple[Caveat, ...]]:
    """The campaign in a stored plan, and what its run says from its beginning."""
    try:
        stored = decoded(record)
    except ValueError as problem:
        raise bad_plan(run.path, str(problem)) from None
    if record["order"] != run.provenance.options or facts_of(stored.plan) != run.provenance.plan:
        raise bad_plan(run.path, "is of another run")
    job = batch_job(stored.order.launcher)
    sites = found_again(run, stored.sites, survey(stored.order.hosts, job=job))
    _, variants, _ = built_variants(stored.order, job)
    machine = describe_machine()
    prepared = Prepared(stored.order, tuple(variants), stored.plan, sites, job, machine)
    check_kernels(run, stored.kernels, kernels_of(variants))
    check_unchanged(run, prepared)
    check_room(run, prepared, available_bytes(machine))
    return prepared, stored.caveats


def _planned_anew(run: Run, order: Order) -> Prepared:
    """As `order` would be begun today, but for the number of blocks."""
    prepared = prepare(order)
    check_unchanged(run, prepared)
    begun = run.provenance.plan
    blocks = (begun and begun.blocks) or prepared.plan.blocks
    limits = BlockLimits(blocks, blocks, blocks, blocks)
    return replace(prepared, plan=replace(prepared.plan, limits=limits))
