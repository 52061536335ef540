"""Ortiz Zuazaga's four figures: bandwidth and round trip against size, each with its inset."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.reproduce.asked import Asked, Machines, in_a_loop
from leadline.reproduce.curves import DrawnCurve, FigureRecipe, rated, timed
from leadline.reproduce.ethernet_atm import ATM, ETHERNET, KEY, LARGEST_BYTES, PEAK_BYTES, PVM
from leadline.studies.published.ethernet_atm import SMALL_BYTES
from leadline.studies.units import Unit

CURVES = {
    "MPICH, ATM": ATM,
    "MPICH, Ethernet": ETHERNET,
    "PVM, ATM": PVM[1],
    "PVM, Ethernet": PVM[0],
}
"""Machine and library of each."""
SIZES = (
    *(1 << power for power in range(10)),
    *range(SMALL_BYTES, LARGEST_BYTES + 1, SMALL_BYTES),
)
SMALL = tuple(range(64, SMALL_BYTES + 1, 64))
"""Of the insets."""
BANDWIDTH, ROUND_TRIP = "bandwidth", "round trip"


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """Figures 1 to 4."""
    for number, quantity in ((1, BANDWIDTH), (3, ROUND_TRIP)):
        yield _figure(number, quantity, SIZES, "")
        yield _figure(number + 1, quantity, SMALL, ", small messages")


def _figure(number: int, quantity: str, sizes: tuple[int, ...], inset: str) -> FigureRecipe:
    of_rates = quantity == BANDWIDTH
    return FigureRecipe(
        id=f"{KEY}.figure{number}",
        where=f"Figure {number}",
        title=f"{quantity.capitalize()} against message size{inset}",
        quantity=quantity,
        unit=Unit.MEGABITS_PER_SECOND if of_rates else Unit.MILLISECONDS,
        curves=tuple(_curve(name, quantity, sizes) for name in CURVES),
        note="Of the other three curves the text has peaks without their sizes." * of_rates,
    )


def _curve(name: str, quantity: str, sizes: tuple[int, ...]) -> DrawnCurve:
    machine, library = CURVES[name]

    def asked(size_bytes: int) -> Asked:
        return in_a_loop((machine, library), "pingpong", 2, size_bytes)

    if quantity == ROUND_TRIP:
        return DrawnCurve(name, library, machine, timed(asked, sizes, factor=2.0))
    peak = name == next(iter(CURVES)) and PEAK_BYTES in sizes
    printed = ((PEAK_BYTES, f"{KEY}.peak.atm.mpich"),) * peak
    return DrawnCurve(name, library, machine, rated(asked, sizes), printed)
