"""What ranks are told of the slice that they measure next, and how long to wait for them. Pure."""

from __future__ import annotations

from leadline.measure.budget import LARGE_OPERATIONS
from leadline.measure.cells import PlannedSlice
from leadline.measure.disturbed import slice_s
from leadline.measure.order import Order
from leadline.measure.plan import Plan
from leadline.measure.problems import patience_s
from leadline.measure.repetitions import BATCH_NS
from leadline.measure.simulated import PATIENCE_S, slice_words

SLOWEST_BYTES_PER_S = 20e6
"""What a working transport moves at the very least, when the watchdog waits for large messages."""
MAX_BATCHES = 512


def patience_of(order: Order, wanted: PlannedSlice, ranks: int, simulated: bool) -> float:
    """For how many seconds a slice of so many `ranks` may leave the front-end without an answer."""
    if simulated:
        return PATIENCE_S
    moved = LARGE_OPERATIONS * wanted.planned.message_bytes(ranks) * ranks
    slowest = min(SLOWEST_BYTES_PER_S, order.slowest_link)
    return order.patience_s + moved / slowest + patience_s(wanted.planned.problem)


def simulated_command(order: Order, plan: Plan, wanted: PlannedSlice) -> str:
    """The command for a slice whose ranks and time are simulated."""
    return f"{_what(wanted)} {slice_words(order.per_operation)} cold_bytes={plan.cold_bytes}"


def command(
    order: Order,
    plan: Plan,
    wanted: PlannedSlice,
    ranks: int,
    planned_s: float,
    step_s: float,
    repetitions: int,
) -> str:
    """The command for a slice.

    Args:
        order: What is asked for.
        plan: What came of it.
        wanted: The slice.
        ranks: That the launch has.
        planned_s: How long it is to last.
        step_s: From batch to batch, as seen before; nan: not yet.
        repetitions: Of a batch; 0: the launch is to find out.
    """
    lasting_s = slice_s(planned_s, step_s, wanted.planned.message_bytes(ranks))
    return (
        f"{_what(wanted)} slice_ns={int(lasting_s * 1e9)} "
        f"repetitions={1 if order.per_operation else repetitions} "
        f"batch_ns={BATCH_NS} max_batches={MAX_BATCHES} cold_bytes={plan.cold_bytes}"
        f"{' links=1' * (order.link_bound is not None)}"
    )


def _what(wanted: PlannedSlice) -> str:
    choice, cell = wanted.planned.choice, wanted.planned.cell
    return f"{choice.command} size={cell.size_bytes} buffers={cell.buffers} cadence={cell.cadence}"
