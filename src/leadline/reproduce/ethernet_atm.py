"""Ortiz Zuazaga on two Suns: MPICH and PVM over Ethernet and ATM.

A bandwidth is the message over half of its round trip. Of peaks whose size isn't printed, the
largest message is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

from leadline.reproduce.asked import Asked, in_a_loop
from leadline.reproduce.cell import Relation
from leadline.reproduce.quantities import halves, least_ratio, rate, ratio
from leadline.reproduce.recipe import (
    ONLY_DRAWN,
    MachineRecipe,
    PaperRecipes,
    Recipe,
    Seconds,
    SentenceRecipe,
)
from leadline.simulate.machine import MachineModel
from leadline.studies.published import ethernet_atm as published
from leadline.studies.published.catalogue import figure_of, paper_of

KEY = published.KEY
ETHERNET, ATM = ("sun-ethernet-10", "mpich"), ("sun-atm-155", "mpich")
PVM = ("sun-ethernet-10", "pvm"), ("sun-atm-155", "pvm")
LARGEST_BYTES = 10_240
"""That the programs could send."""
PEAK_BYTES, FILE_BYTES = (int(figure_of(f"{KEY}.{name}").bytes) for name in (
    "peak.atm.mpich", "ftp",
))  # fmt: skip
EVEN_BYTES = int(figure_of(f"{KEY}.crossover").bytes)
BELOW, ABOVE = (8, 64, 256, 512), (2048, 4096, 8192, LARGEST_BYTES)
"""Sizes on either side of EVEN_BYTES."""
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
        reason="PVM's latency isn't printed: the files have MPICH's, which is below it",
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.largest-message",
        text="with large messages MPICH has more bandwidth over ATM than over Ethernet",
        asked=tuple(_both((LARGEST_BYTES,), ETHERNET, ATM)),
        ours=ratio,
        least=1.0,
        over=(f"{KEY}.peak.atm.mpich", f"{KEY}.peak.ethernet.mpich"),
    )


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=tuple(_recipes()),
    sentences=tuple(_sentences()),
    lacking={
        f"{KEY}.netperf": STREAM,
        **{f"{KEY}.figure{number}": ONLY_DRAWN for number in range(1, 5)},
    },
)
