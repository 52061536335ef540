"""Variants whose ranks and time are simulated: which they are, and how they are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS
from leadline.errors import UsageError
from leadline.measure.variants import SimulatedMachine, Variant, VariantSpec
from leadline.record.caveats import Caveat, CaveatKind

BLOCKS = 1
"""Of a campaign that measures nothing, unless the user counts them."""
PATIENCE_S = 3600.0
"""For a slice: a deadlock ends the simulator at once, and large ones take long."""


def machine_for(
    spec: VariantSpec, backend: Backend, machines: Mapping[str, SimulatedMachine]
) -> SimulatedMachine | None:
    """That of `spec` in `machines`, by variants' names; None: its backend simulates none.

    Raises:
        UsageError: The backend needs one and there is none, or the other way round.
    """
    simulated = KINDS[backend.kind].simulated
    if simulated and spec.name not in machines:
        raise UsageError(
            f"{spec.name}: {backend.name} runs on a simulated machine, and none is named; give "
            "leadline run --machine NAME|FILE, e.g. cray-t3e-900, or machine: in its --variant"
        )
    if not simulated and spec.machine:
        raise UsageError(
            f"variant {spec.name!r}: machine:{spec.machine} is for a backend that simulates one "
            f"(smpi), and {backend.name} runs on this one; leave it out"
        )
    return machines.get(spec.name)


def slice_words(per_operation: bool) -> str:
    """How much a slice has of an operation that takes the same time each time."""
    return f"repetitions={1 if per_operation else 2} slice_ns=0 warm_up_ns=0 max_batches=3"


def lack_caveats(variants: Sequence[Variant]) -> list[Caveat]:
    """What simulators leave out of the machines of `variants`."""
    return [
        CaveatKind.SIMULATOR.because(f"{one.name}: {one.backend.name} hasn't got {lack}")
        for one in variants
        for lack in (one.simulated_on.lacks if one.simulated_on else ())
    ]
