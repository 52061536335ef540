"""Ortiz Zuazaga on two Suns: MPICH and PVM over Ethernet and ATM.

A bandwidth is the message over half of its round trip. Of peaks whose size isn't printed, the
largest message is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from leadline.papers.catalogue import figure_of, paper_of
from leadline.papers.ethernet_atm import KEY
from leadline.papers.ethernet_atm.printed import LARGEST_BYTES, PEAK_BYTES, SMALL_BYTES
from leadline.papers.recipe import (
    ONLY_DRAWN,
    DrawnCurve,
    FigureRecipe,
    MachineRecipe,
    PaperRecipes,
    Recipe,
    Relation,
    SentenceRecipe,
    rated,
    timed,
)
from leadline.papers.simulation import (
    CellSpec,
    Machines,
    Seconds,
    halves,
    in_a_loop,
    least_ratio,
    rate,
    ratio,
    ratio_of_ratios,
)
from leadline.papers.units import Unit

ETHERNET, ATM = ("sun-ethernet-10", "mpich"), ("sun-atm-155", "mpich")
PVM = ("sun-ethernet-10", "pvm"), ("sun-atm-155", "pvm")
FILE_BYTES = int(figure_of(f"{KEY}.ftp").bytes)
EVEN_BYTES = int(figure_of(f"{KEY}.crossover").bytes)
BELOW, ABOVE = (8, 64, 256, 512), (2048, 4096, 8192, LARGEST_BYTES)
"""Sizes on either side of EVEN_BYTES."""
NOT_MUCH, MOST_OF_IT, MUCH_LESS = 1.5, 0.75, 0.5
"""How many times as fast is "not much" faster; shares that are "most", and "much less"."""
PVM_AS_MPICH = "PVM's latency isn't printed: the files have MPICH's, which is below it"
PVM_TWICE = "no more of PVM is printed than one peak, of both networks"
RISING = "a simulated rate rises with the size; what lies beyond 8 KiB is only drawn"
STREAM = "a program that streams: its rate is taken as that of a station's interface, as it is"


def _ping_pong(where: tuple[str, str], size_bytes: int) -> CellSpec:
    return in_a_loop(where, "pingpong", 2, size_bytes)


FIGURES: tuple[Recipe | MachineRecipe, ...] = (
    Recipe(
        figure=f"{KEY}.peak.atm.mpich",
        cells=(_ping_pong(ATM, PEAK_BYTES),),
        ours=rate(PEAK_BYTES),
    ),
    Recipe(
        figure=f"{KEY}.peak.ethernet.mpich",
        cells=(_ping_pong(ETHERNET, LARGEST_BYTES),),
        ours=rate(LARGEST_BYTES),
    ),
    Recipe(
        figure=f"{KEY}.peak.pvm",
        cells=tuple(_ping_pong(where, LARGEST_BYTES) for where in PVM),
        ours=lambda seconds: LARGEST_BYTES / min(seconds),  # on the faster network
    ),
    Recipe(figure=f"{KEY}.ftp", cells=(_ping_pong(ATM, FILE_BYTES),), ours=rate(FILE_BYTES)),
    MachineRecipe(
        figure=f"{KEY}.share-of-atm",
        machine=ATM[0],
        cells=(_ping_pong(ATM, PEAK_BYTES),),
        ours=lambda machine, seconds: rate(PEAK_BYTES)(seconds) / machine.links.bytes_per_s,
        relation=Relation.MOST,
    ),
)


# -- sentences -------------------------------------------------------------------------------------


def _both(sizes: tuple[int, ...], first: tuple[str, str], then: tuple[str, str]) -> list[CellSpec]:
    return [_ping_pong(where, size) for where in (first, then) for size in sizes]


def _worst_side(seconds: Seconds) -> float:
    """The least that the network ahead is ahead by: Ethernet below, ATM above."""
    below, above = halves(seconds)
    return min(least_ratio(below), least_ratio(above))


def _rate_of_file(seconds: Seconds) -> float:
    """B/s of the file over those of the message at the peak."""
    message_s, file_s = seconds
    return (FILE_BYTES / file_s) / (PEAK_BYTES / message_s)


PEAKS = {name: f"{KEY}.peak.{name}" for name in ("atm.mpich", "ethernet.mpich", "pvm")}
"""Ids of their figures."""
LARGEST = {where: _ping_pong(where, LARGEST_BYTES) for where in (ETHERNET, ATM, *PVM)}
SIDES = (*BELOW, EVEN_BYTES, *ABOVE)

SENTENCES = (
    SentenceRecipe(
        id=f"{KEY}.sentence.crossover",
        text=f"MPICH is faster over Ethernet below {EVEN_BYTES:,} B, faster over ATM above",
        cells=(*_both(BELOW, ATM, ETHERNET), *_both(ABOVE, ETHERNET, ATM)),
        ours=_worst_side,
        least=1.0,
        rests_on=(f"{KEY}.crossover",),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.mpich-over-pvm",
        text="MPICH has more bandwidth than PVM at every size on both networks",
        cells=(
            *(_ping_pong(where, size) for where in PVM for size in SIDES),
            *(_ping_pong(where, size) for where in (ETHERNET, ATM) for size in SIDES),
        ),
        ours=least_ratio,
        least=1.0 + 1e-9,
        rests_on=tuple(PEAKS.values()),
        reason=PVM_AS_MPICH,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.largest-message",
        text="with large messages MPICH has more bandwidth over ATM than over Ethernet",
        cells=tuple(_both((LARGEST_BYTES,), ETHERNET, ATM)),
        ours=ratio,
        least=1.0,
        over=(f"{KEY}.peak.atm.mpich", f"{KEY}.peak.ethernet.mpich"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.latency",
        text="MPICH has lower latency than PVM on both networks",
        cells=tuple(_ping_pong(where, 0) for where in (*PVM, ETHERNET, ATM)),
        ours=least_ratio,
        least=1.0 + 1e-9,
        reason=PVM_AS_MPICH,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.tcp",
        text="TCP alone is not much faster over ATM than MPICH",
        cells=(_ping_pong(ATM, PEAK_BYTES), _ping_pong(ATM, FILE_BYTES)),
        ours=_rate_of_file,
        most=NOT_MUCH,
        over=(f"{KEY}.ftp", f"{KEY}.peak.atm.mpich"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.most-of-ethernet",
        text="MPICH gets most of Ethernet's rated capacity",
        cells=(LARGEST[ETHERNET],),
        ours=lambda seconds: rate(LARGEST_BYTES)(seconds) / figure_of(f"{KEY}.rated.ethernet").si,
        least=MOST_OF_IT,
        over=(PEAKS["ethernet.mpich"], f"{KEY}.rated.ethernet"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.ethernet-second",
        text="MPICH over Ethernet comes second: before PVM, even over ATM",
        cells=(*(LARGEST[where] for where in PVM), LARGEST[ETHERNET], LARGEST[ETHERNET]),
        ours=least_ratio,
        least=1.0,
        over=(PEAKS["ethernet.mpich"], PEAKS["pvm"]),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.pvm-gains-less",
        text="ATM gains PVM much less than MPICH (PVM's gain over MPICH's)",
        cells=(LARGEST[PVM[0]], LARGEST[ETHERNET], LARGEST[PVM[1]], LARGEST[ATM]),
        ours=ratio_of_ratios,
        most=MUCH_LESS,
        rests_on=tuple(PEAKS.values()),
        reason=PVM_TWICE,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.peak-at-8-kib",
        text=f"MPICH peaks over ATM at {PEAK_BYTES:,} B (its rate there over the largest's)",
        cells=(_ping_pong(ATM, PEAK_BYTES), LARGEST[ATM]),
        ours=lambda seconds: PEAK_BYTES / seconds[0] / (LARGEST_BYTES / seconds[1]),
        least=1.0,
        reason=RISING,
    ),
)


# -- drawings --------------------------------------------------------------------------------------


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
"""Sizes of the insets."""
BANDWIDTH, ROUND_TRIP = "bandwidth", "round trip"


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """Figures 1 to 4."""
    for number, quantity, sizes, inset in (
        (1, BANDWIDTH, SIZES, ""),
        (2, BANDWIDTH, SMALL, ", small messages"),
        (3, ROUND_TRIP, SIZES, ""),
        (4, ROUND_TRIP, SMALL, ", small messages"),
    ):
        of_rates = quantity == BANDWIDTH
        yield FigureRecipe(
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
    cell_at = partial(_ping_pong, CURVES[name])
    if quantity == ROUND_TRIP:
        return DrawnCurve(name, library, machine, timed(cell_at, sizes, factor=2.0))
    peak = name == next(iter(CURVES)) and PEAK_BYTES in sizes
    printed = ((PEAK_BYTES, f"{KEY}.peak.atm.mpich"),) * peak
    return DrawnCurve(name, library, machine, rated(cell_at, sizes), printed)


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=FIGURES,
    sentences=SENTENCES,
    lacking={
        f"{KEY}.netperf": STREAM,
        **{f"{KEY}.figure{number}": ONLY_DRAWN for number in range(1, 5)},
    },
    drawings=figures,
)
