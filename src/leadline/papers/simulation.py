"""What is simulated for a figure, how long it takes, and what papers make of such times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from leadline.measure.spec import Request
from leadline.measure.tracing import DescribedCells, described_cells
from leadline.record.run import Cadence
from leadline.simulate.campaign import DEFAULT, Setup, simulated
from leadline.simulate.machine import MachineModel

SLOTS = "slots"
"""Name of the mapping that `CellSpec.slots` gives."""
Seconds = Sequence[float]
"""Simulated times, s, in the order in which they were asked for."""
Machines = Callable[[str], MachineModel]
"""A machine by the name of its file."""


@dataclass(frozen=True, slots=True, order=True)
class CellSpec:
    """One cell of a simulation."""

    cadence: Cadence
    machine: str
    """Name of a bundled machine file."""
    library: str
    mapping: str
    slots: tuple[int, ...]
    """The slot of each rank, where `mapping` is SLOTS."""
    pattern: str
    """With its options."""
    ranks: int
    size_bytes: int
    """0 where the pattern has none."""

    def placed(self, mapping: str) -> CellSpec:
        """The same cell with its ranks placed by the mapping of this name."""
        return replace(self, mapping=mapping)

    def on(self, slots: Sequence[int]) -> CellSpec:
        """The same cell with rank r on slot slots[r]."""
        return replace(self, mapping=SLOTS, slots=tuple(slots))


def alone(where: tuple[str, str], pattern: str, ranks: int, size_bytes: int) -> CellSpec:
    """An operation by itself, from a common start; `where`: machine and library."""
    return CellSpec(Cadence.ISOLATED, *where, DEFAULT, (), pattern, ranks, size_bytes)


def in_a_loop(where: tuple[str, str], pattern: str, ranks: int, size_bytes: int) -> CellSpec:
    """One of many that follow each other without waiting, as a loop around a call has them."""
    return CellSpec(Cadence.STREAMING, *where, DEFAULT, (), pattern, ranks, size_bytes)


def times_of(every: Iterable[CellSpec], machines: Machines) -> dict[CellSpec, float]:
    """The simulated time of each cell, s.

    Raises:
        UsageError: There is no such machine, library, pattern or mapping, or too many ranks.
        MachineError: There is no C compiler.
        ValueError: A cell that has no time.
    """
    times: dict[CellSpec, float] = {}
    for cadence, of_cadence in groupby(sorted(set(every)), lambda spec: spec.cadence):
        wanted = list(of_cadence)
        # all patterns at all sizes on all ranks: more than is asked for, of which some is simulated
        request = Request(
            patterns=tuple(sorted({spec.pattern for spec in wanted})),
            sizes=tuple(sorted({spec.size_bytes for spec in wanted})),
            ranks=tuple(sorted({spec.ranks for spec in wanted})),
            cadence=cadence,
        )
        cells = described_cells(request)
        for _, alike in groupby(
            wanted, lambda spec: (spec.machine, spec.library, spec.mapping, spec.slots)
        ):
            times |= _simulated(list(alike), cells, machines)
    return times


def _simulated(
    alike: list[CellSpec], cells: DescribedCells, machines: Machines
) -> dict[CellSpec, float]:
    """Times of one cadence, machine, library and mapping; no more cells than are asked for."""
    first, machine = alike[0], machines(alike[0].machine)
    files = {SLOTS: first.slots}
    setup = Setup("", machine, machine.profiles[first.library], first.mapping, files)
    places = {(spec.pattern, spec.ranks, spec.size_bytes): spec for spec in alike}
    kept = {
        ranks: tuple(
            cell for cell in planned if (cell.cell.pattern, ranks, cell.cell.size_bytes) in places
        )
        for ranks, planned in cells.by_ranks.items()
    }
    wanted = DescribedCells(
        {ranks: kept_cells for ranks, kept_cells in kept.items() if kept_cells}, cells.warnings
    )
    simulation = simulated(setup, wanted, lambda _: None)
    times = {
        (cell.pattern, of_ranks.configuration.ranks, cell.size_bytes): time_s
        for of_ranks in simulation.ranks
        for cell, time_s in zip(of_ranks.cells, of_ranks.seconds, strict=True)
    }
    lacking = [places[place] for place in places.keys() - times.keys()]
    if lacking:
        raise ValueError(f"no time of {min(lacking)}")
    return {spec: times[place] for place, spec in places.items()}


# -- what is made of the times ---------------------------------------------------------------------


LINE_BYTES = 1_000_000, 2_000_000
"""Sizes of the two messages through whose times a line has its slope and its constant."""


def only(seconds: Seconds) -> float:
    """The one time."""
    (time_s,) = seconds
    return time_s


def intercept(seconds: Seconds) -> float:
    """The constant of the line through LINE_BYTES."""
    first, second = seconds
    return 2 * first - second


def slope_rate(seconds: Seconds) -> float:
    """Asymptotic rate, B/s, by the line through LINE_BYTES; no size quite reaches it."""
    first, second = seconds
    return (LINE_BYTES[1] - LINE_BYTES[0]) / (second - first)


def rate(size_bytes: int) -> Callable[[Seconds], float]:
    """B/s of so many bytes in the one time."""
    return lambda seconds: size_bytes / only(seconds)


def per_second(seconds: Seconds) -> float:
    """Operations per second, by the one time."""
    return 1.0 / only(seconds)


def ratio(seconds: Seconds) -> float:
    """The first time over the second."""
    first, second = seconds
    return first / second


def halves(values: Seconds) -> tuple[Sequence[float], Sequence[float]]:
    """The first half of the times and the second; their number is even."""
    middle = len(values) // 2
    return values[:middle], values[middle:]


def ratios(seconds: Seconds) -> list[float]:
    """Each time of the first half over its counterpart in the second."""
    return [time_s / other for time_s, other in zip(*halves(seconds), strict=True)]


def least_ratio(seconds: Seconds) -> float:
    """The least of `ratios`."""
    return min(ratios(seconds))


def ratio_of_ratios(seconds: Seconds) -> float:
    """The first over the second of the two `ratios`."""
    first, second = ratios(seconds)
    return first / second


def ratio_of(quantity: Callable[[Seconds], float]) -> Callable[[Seconds], float]:
    """The `quantity` of the first half of the times over that of the second."""

    def over(seconds: Seconds) -> float:
        first, second = halves(seconds)
        return quantity(first) / quantity(second)

    return over
