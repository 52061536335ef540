"""What the study measures, and how it is read: messages of two PEs, collectives of more.

As the paper's programs did: one buffer to send and one to receive, neither of them rewritten, and
collectives called in a loop. Besides, where each PE has a core, one operation at a time, which all
begin together.

The paper's time of a broadcast is the last end on any PE minus the root's start, over the calls of
a loop that begins after a barrier. Here a loop is long and begins anywhere, so that a call takes
what it takes on the slowest PE. One at a time, all begin at a deadline by the clock they share, the
root with them, and the last end counts: the paper's definition with a single call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.measure.spec import Request
from leadline.papers import catalogue
from leadline.papers.estimates import Quantity, Signed, highest, highest_of_all, intercept, rates
from leadline.papers.results import Measurand, Results, UnmeasuredError, uncrowded
from leadline.papers.study import Stage
from leadline.papers.t3e_mpi import KEY, LIBRARIES
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.record.run import Buffers, Cadence

MESSAGES = "messages"
LOOPED, SINGLE, CROWDED = "looped", "single", "crowded"
"""Collectives in a loop and one at a time, and in a loop where PEs share cores."""
FULL_S, QUICK_S = 400.0, 98.0
"""Default budgets."""
PATIENCE_S = 15.0
"""Libraries that never yield a core need seconds for what others do in a microsecond."""
KINDS = ("mpich", "impi", "openmpi", "mpi")
"""The paper's, then whoever stands in the place of the vendor's own, in this order."""


@dataclass(frozen=True, slots=True)
class MessageMode:
    """A way to send that the paper measured."""

    name: str
    """As the paper calls it."""
    id: str
    """In the ids of its figures."""
    pattern: str
    figure: int
    """Its number in the paper."""


SEND = MessageMode("MPI_Send", "send", "pingpong", 1)
SSEND = MessageMode("MPI_Ssend", "ssend", "pingpong_sync", 2)
ISEND = MessageMode("MPI_Isend", "isend", "pingpong_nonblocking", 3)
MODES = (SEND, SSEND, ISEND)
BCAST, REDUCE = "bcast", "reduce"
COLLECTIVES = (BCAST, REDUCE)
COLLECTIVE_BYTES = 1024
"""Bytes of a broadcast, and of a reduction's 128 numbers."""

PES = 2
"""Number of PEs that exchange messages."""
MEGABYTE = 2**20
REGRESSION_SIZES = (MEGABYTE, 1_310_720, 1_572_864, 1_835_008, 2 * MEGABYTE)
"""In which the intercept is fitted."""
SIZES = (
    0, 8, 64, 512, 1024, 4096, 16_384, 65_536, 131_072, 262_144, 524_288, *REGRESSION_SIZES,
)  # fmt: skip
QUICK_SIZES = (0, 1024, 16_384, 65_536, 262_144, *REGRESSION_SIZES[::2])
PAPERS_PES = (2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
"""The powers of two among the paper's even numbers, and the numbers half way between."""
MOST_CROWDED = {True: 6, False: 16}
"""By quick: up to so many share cores, if fewer don't."""
MOST_NUMBERS = {True: 3, False: len(PAPERS_PES)}
"""By quick: of PEs with a core each; each number has launches of its own."""


def numbers_of_pes(quick: bool, cores: int) -> tuple[int, ...]:
    """The least and the largest of the paper's that have a core each, rising."""
    within = [pes for pes in PAPERS_PES if pes <= cores] or [PAPERS_PES[0]]
    return (within[0], *within[1:][-(MOST_NUMBERS[quick] - 1) :])


def crowd(quick: bool, cores: int) -> tuple[int, ...]:
    """Numbers of PEs that share cores, where there are few; with `quick` the largest alone."""
    most = numbers_of_pes(quick, cores)[-1]
    numbers = tuple(pes for pes in PAPERS_PES if most < pes <= MOST_CROWDED[quick])
    return numbers[-1:] if quick else numbers


def between_powers(pes: int) -> bool:
    """Whether so many are no power of two."""
    return not is_power_of_two(pes)


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """The campaigns that take about `budget_s` seconds together."""
    pes, few = numbers_of_pes(quick, cores), crowd(quick, cores)
    modes = tuple(mode.pattern for mode in MODES)
    sizes = QUICK_SIZES if quick else SIZES
    campaigns = [
        Stage(MESSAGES, _request(0.53 * budget_s, modes, sizes, (PES,))),
        Stage(LOOPED, _collectives(0.17 * budget_s, pes, Cadence.STREAMING)),
        Stage(SINGLE, _collectives(0.13 * budget_s, pes, Cadence.ISOLATED)),
    ]
    if few:
        campaigns.append(Stage(CROWDED, _collectives(0.17 * budget_s, few, Cadence.STREAMING)))
    return tuple(campaigns)


def _collectives(budget_s: float, pes: tuple[int, ...], cadence: Cadence) -> Request:
    return _request(budget_s, COLLECTIVES, (COLLECTIVE_BYTES,), pes, cadence)


def _request(
    budget_s: float,
    patterns: tuple[str, ...],
    sizes: tuple[int, ...],
    pes: tuple[int, ...],
    cadence: Cadence | None = None,
) -> Request:
    return Request(
        patterns=patterns,
        sizes=sizes,
        ranks=pes,
        buffers=Buffers.SEPARATE,
        cadence=cadence,
        budget_s=budget_s,
        patience_s=PATIENCE_S,
    )


# -- messages --------------------------------------------------------------------------------------


MPICH, *VENDORS = KINDS
A_VENDORS = "a vendor's"
NO_VENDOR = (
    "a second MPI, in the place of the vendor's own: leadline get impi, or name one in --backends"
)


def printed(*words: str) -> float:
    """The paper's figure with these `words` in its id, in its SI unit."""
    return catalogue.printed(KEY, *words)


def variants(results: Results) -> list[str]:
    """All that were measured, the paper's first."""
    return results.in_order(KINDS)


def lacking(results: Results) -> Iterator[tuple[str, str]]:
    """Who of the two that the paper compares nobody stands for here, and why."""
    if not results.variants(MPICH):
        yield MPICH, results.lack(MPICH)
    if not any(map(results.variants, VENDORS)):
        yield A_VENDORS, NO_VENDOR


def vendors(results: Results) -> str:
    """The variant in the place of Cray's own MPI; UnmeasuredError where there is none."""
    measured = (variant for kind in VENDORS for variant in results.variants(kind))
    for variant in measured:
        return variant
    raise UnmeasuredError(NO_VENDOR)


def mpichs(results: Results) -> str:
    """The variant of MPICH; UnmeasuredError where there is none."""
    return results.library(MPICH)


STANDING_FOR = dict(zip(LIBRARIES, (mpichs, vendors), strict=True))
"""The paper's libraries by their names in ids, and who has their place and colours here."""
LACKING = dict(zip(LIBRARIES, (MPICH, A_VENDORS), strict=True))
"""What tables call those whose place nobody has."""


def stands_for(results: Results, variant: str) -> str | None:
    """The paper's library in whose place `variant` is; None: in none's."""
    for library, variant_of in STANDING_FOR.items():
        try:
            stand_in = variant_of(results)
        except UnmeasuredError:
            stand_in = LACKING[library]
        if stand_in == variant:
            return library
    return None


def latency(results: Results, variant: str, mode: MessageMode) -> Quantity:
    """Half the round trip of an empty message; UnmeasuredError says why there is none."""
    return results.time(Measurand(MESSAGES, variant, PES, mode.pattern, 0))


def intercept_of(results: Results, variant: str, mode: MessageMode) -> Signed:
    """The constant of the line through messages of 1 to 2 MB; UnmeasuredError as above."""
    signed = intercept(_curve(results, variant, mode))
    if signed is None:
        raise UnmeasuredError(f"{variant}, {mode.pattern}: two sizes of 1 to 2 MB in a block")
    return signed


def bandwidths(results: Results, variant: str, mode: MessageMode) -> dict[int, Quantity]:
    """By size, rising; UnmeasuredError as above."""
    return rates(_curve(results, variant, mode))


def bandwidth(results: Results, variant: str, mode: MessageMode, size_bytes: int) -> Quantity:
    """Bandwidth of messages of a size above 0; UnmeasuredError as above."""
    place = Measurand(MESSAGES, variant, PES, mode.pattern, size_bytes)
    return rates({size_bytes: results.time(place)})[size_bytes]


def peak(results: Results, variant: str, mode: MessageMode) -> tuple[int, Quantity]:
    """The size at which the bandwidth is highest, as the paper gives it, and that bandwidth.

    Of sizes that have an interval, if any has.
    """
    return highest(bandwidths(results, variant, mode))


def peak_of_all(results: Results, variant: str, mode: MessageMode) -> tuple[int, Quantity]:
    """Likewise of all sizes, as findings take it: UnmeasuredError where one is lost."""
    return highest_of_all(_all_bandwidths(results, variant, mode))


def at_a_megabyte(results: Results, variant: str, mode: MessageMode) -> tuple[Quantity, Quantity]:
    """The bandwidth at a megabyte, and the highest at another size."""
    by_size = _all_bandwidths(results, variant, mode)
    quantity = by_size.pop(MEGABYTE, None)
    if quantity is None or not by_size:
        raise UnmeasuredError(results.why(_at(variant, mode, MEGABYTE)))
    return quantity, highest_of_all(by_size)[1]


def _all_bandwidths(results: Results, variant: str, mode: MessageMode) -> dict[int, Quantity]:
    """Bandwidths at every size of the run: a size that is lost may be the highest."""
    by_size = bandwidths(results, variant, mode)
    for cell in results.runs[MESSAGES].cells:
        if cell.pattern == mode.pattern and cell.size_bytes and cell.size_bytes not in by_size:
            raise UnmeasuredError(results.why(_at(variant, mode, cell.size_bytes)))
    return by_size


def _at(variant: str, mode: MessageMode, size_bytes: int) -> Measurand:
    return Measurand(MESSAGES, variant, PES, mode.pattern, size_bytes)


def _curve(results: Results, variant: str, mode: MessageMode) -> dict[int, Quantity]:
    by_size = results.curve(MESSAGES, variant, mode.pattern)
    if not any(by_size):
        raise UnmeasuredError(results.why(_at(variant, mode, MEGABYTE)))
    return by_size


# -- broadcasts and reductions ---------------------------------------------------------------------


A_CORE_EACH = "one at a time: only where each PE has a core"


def looped(results: Results, variant: str, pattern: str, pes: int) -> Quantity:
    """A call in a loop, s, be it on shared cores; UnmeasuredError says why there is none."""
    shared = pes in results.pes(CROWDED) and pes not in results.pes(LOOPED)
    stage = CROWDED if shared else LOOPED
    return results.time(Measurand(stage, variant, pes, pattern, COLLECTIVE_BYTES))


def looped_pes(results: Results) -> list[int]:
    """The numbers of PEs that called in a loop, rising."""
    return sorted({*results.pes(LOOPED), *results.pes(CROWDED)})


def single(results: Results, variant: str, pattern: str, pes: int) -> Quantity:
    """A call alone, s; UnmeasuredError as above."""
    if pes not in results.pes(SINGLE) and pes in results.pes(CROWDED):
        raise UnmeasuredError(A_CORE_EACH)
    return results.time(Measurand(SINGLE, variant, pes, pattern, COLLECTIVE_BYTES))


def counted(results: Results, variant: str, pattern: str, pes: int) -> Quantity:
    """A call in a loop as it takes part in findings: with a core for each PE."""
    return uncrowded(looped(results, variant, pattern, pes), pes)


def received(time: Quantity, pes: int) -> Quantity:
    """What `pes` PEs receive together of a broadcast that takes so long, bytes/s."""
    return Quantity(time.run, math.log(pes * COLLECTIVE_BYTES) - time.logs, time.crowded)


def counted_pes(results: Results, *variants: str, pattern: str) -> list[int]:
    """The numbers of PEs at which all of `variants` were measured with a core for each."""
    sweeps = [
        results.sweep(Measurand(LOOPED, variant, 0, pattern, COLLECTIVE_BYTES))
        for variant in variants
    ]
    return [pes for pes in results.pes(LOOPED) if all(pes in sweep for sweep in sweeps)]
