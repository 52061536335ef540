"""Ortiz Zuazaga on two Suns: MPICH and PVM over Ethernet and ATM.

A bandwidth is the message over half of its round trip. Of peaks whose size isn't printed, the
largest message is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    Asked,
    Machines,
    Seconds,
    halves,
    in_a_loop,
    least_ratio,
    rate,
    ratio,
    ratios,
)
from leadline.papers.units import Unit
from leadline.simulate.machine import MachineModel

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


def _ping_pong(where: tuple[str, str], size_bytes: int) -> Asked:
    return in_a_loop(where, "pingpong", 2, size_bytes)


def _highest(seconds: Seconds) -> float:
    """B/s of the largest message on the faster network."""
    return LARGEST_BYTES / min(seconds)


def _share_of_rated(machine: MachineModel, seconds: Seconds) -> float:
    return rate(PEAK_BYTES)(seconds) / machine.links.bytes_per_s


def _recipes() -> Iterator[Recipe | MachineRecipe]:
    at_peak = (_ping_pong(ATM, PEAK_BYTES),)
    yield Recipe(figure=f"{KEY}.peak.atm.mpich", asked=at_peak, ours=rate(PEAK_BYTES))
    yield Recipe(
        figure=f"{KEY}.peak.ethernet.mpich",
        asked=(_ping_pong(ETHERNET, LARGEST_BYTES),),
        ours=rate(LARGEST_BYTES),
    )
    yield Recipe(
        figure=f"{KEY}.peak.pvm",
        asked=tuple(_ping_pong(where, LARGEST_BYTES) for where in PVM),
        ours=_highest,
    )
    yield Recipe(figure=f"{KEY}.ftp", asked=(_ping_pong(ATM, FILE_BYTES),), ours=rate(FILE_BYTES))
    yield MachineRecipe(
        figure=f"{KEY}.share-of-atm",
        machine=ATM[0],
        asked=at_peak,
        ours=_share_of_rated,
        relation=Relation.MOST,
    )


# -- sentences -------------------------------------------------------------------------------------


def _both(sizes: tuple[int, ...], first: tuple[str, str], then: tuple[str, str]) -> list[Asked]:
    return [_ping_pong(where, size) for where in (first, then) for size in sizes]


def _worst_side(seconds: Seconds) -> float:
    """The least that the network ahead is ahead by: Ethernet below, ATM above."""
    below, above = halves(seconds)
    return min(least_ratio(below), least_ratio(above))


def _sentences() -> Iterator[SentenceRecipe]:
    sizes = (*BELOW, EVEN_BYTES, *ABOVE)
    yield SentenceRecipe(
        id=f"{KEY}.sentence.crossover",
        text=f"MPICH is faster over Ethernet below {EVEN_BYTES:,} B, faster over ATM above",
        asked=(*_both(BELOW, ATM, ETHERNET), *_both(ABOVE, ETHERNET, ATM)),
        ours=_worst_side,
        least=1.0,
        rests_on=(f"{KEY}.crossover",),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.mpich-over-pvm",
        text="MPICH has more bandwidth than PVM at every size on both networks",
        asked=(
            *(_ping_pong(where, size) for where in PVM for size in sizes),
            *(_ping_pong(where, size) for where in (ETHERNET, ATM) for size in sizes),
        ),
        ours=least_ratio,
        least=1.0 + 1e-9,
        rests_on=tuple(f"{KEY}.peak.{name}" for name in ("atm.mpich", "ethernet.mpich", "pvm")),
        reason=PVM_AS_MPICH,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.largest-message",
        text="with large messages MPICH has more bandwidth over ATM than over Ethernet",
        asked=tuple(_both((LARGEST_BYTES,), ETHERNET, ATM)),
        ours=ratio,
        least=1.0,
        over=(f"{KEY}.peak.atm.mpich", f"{KEY}.peak.ethernet.mpich"),
    )
    yield from _of_latency_and_tcp()
    yield from _of_peaks()


def _of_latency_and_tcp() -> Iterator[SentenceRecipe]:
    yield SentenceRecipe(
        id=f"{KEY}.sentence.latency",
        text="MPICH has lower latency than PVM on both networks",
        asked=tuple(_ping_pong(where, 0) for where in (*PVM, ETHERNET, ATM)),
        ours=least_ratio,
        least=1.0 + 1e-9,
        reason=PVM_AS_MPICH,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.tcp",
        text="TCP alone is not much faster over ATM than MPICH",
        asked=(_ping_pong(ATM, PEAK_BYTES), _ping_pong(ATM, FILE_BYTES)),
        ours=_rate_of_file,
        most=NOT_MUCH,
        over=(f"{KEY}.ftp", f"{KEY}.peak.atm.mpich"),
    )


def _rate_of_file(seconds: Seconds) -> float:
    """B/s of the file over those of the message at the peak."""
    message_s, file_s = seconds
    return (FILE_BYTES / file_s) / (PEAK_BYTES / message_s)


def _of_peaks() -> Iterator[SentenceRecipe]:
    peaks = {name: f"{KEY}.peak.{name}" for name in ("atm.mpich", "ethernet.mpich", "pvm")}
    largest = {where: _ping_pong(where, LARGEST_BYTES) for where in (ETHERNET, ATM, *PVM)}
    yield SentenceRecipe(
        id=f"{KEY}.sentence.most-of-ethernet",
        text="MPICH gets most of Ethernet's rated capacity",
        asked=(largest[ETHERNET],),
        ours=lambda seconds: rate(LARGEST_BYTES)(seconds) / figure_of(f"{KEY}.rated.ethernet").si,
        least=MOST_OF_IT,
        over=(peaks["ethernet.mpich"], f"{KEY}.rated.ethernet"),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.ethernet-second",
        text="MPICH over Ethernet comes second: before PVM, even over ATM",
        asked=(*(largest[where] for where in PVM), largest[ETHERNET], largest[ETHERNET]),
        ours=least_ratio,
        least=1.0,
        over=(peaks["ethernet.mpich"], peaks["pvm"]),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.pvm-gains-less",
        text="ATM gains PVM much less than MPICH (PVM's gain over MPICH's)",
        asked=(largest[PVM[0]], largest[ETHERNET], largest[PVM[1]], largest[ATM]),
        ours=_gain_over,
        most=MUCH_LESS,
        rests_on=tuple(peaks.values()),
        reason=PVM_TWICE,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.peak-at-8-kib",
        text=f"MPICH peaks over ATM at {PEAK_BYTES:,} B (its rate there over the largest's)",
        asked=(_ping_pong(ATM, PEAK_BYTES), largest[ATM]),
        ours=lambda seconds: PEAK_BYTES / seconds[0] / (LARGEST_BYTES / seconds[1]),
        least=1.0,
        reason=RISING,
    )


def _gain_over(seconds: Seconds) -> float:
    """By the faster network, the first library's gain over the second's."""
    first, second = ratios(seconds)
    return first / second


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


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=tuple(_recipes()),
    sentences=tuple(_sentences()),
    lacking={
        f"{KEY}.netperf": STREAM,
        **{f"{KEY}.figure{number}": ONLY_DRAWN for number in range(1, 5)},
    },
    drawings=figures,
)
