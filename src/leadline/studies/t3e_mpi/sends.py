"""What was measured of messages between two PEs, by library and mode, and who stands for whom."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.studies.estimates import (
    Quantity,
    Signed,
    highest,
    highest_of_all,
    intercept,
    rates,
)
from leadline.studies.published import t3e_mpi
from leadline.studies.published.catalogue import figure_of
from leadline.studies.results import Measurand, Results, UnmeasuredError
from leadline.studies.t3e_mpi.stages import KINDS, MEGABYTE, MESSAGES, PES, MessageMode

MPICH, *VENDORS = KINDS
A_VENDORS = "a vendor's"
NO_VENDOR = (
    "a second MPI, in the place of the vendor's own: leadline get impi, or name one in --backends"
)


def printed(*words: str) -> float:
    """The paper's figure with these `words` in its id, in its SI unit."""
    return figure_of(".".join((t3e_mpi.KEY, *words))).si


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
    found = (one for kind in VENDORS for one in results.variants(kind))
    for one in found:
        return one
    raise UnmeasuredError(NO_VENDOR)


def mpichs(results: Results) -> str:
    """The variant of MPICH; UnmeasuredError where there is none."""
    return results.library(MPICH)


STANDING_FOR = dict(zip(t3e_mpi.LIBRARIES, (mpichs, vendors), strict=True))
"""The paper's libraries by their names in ids, and who has their place and colours here."""
LACKING = dict(zip(t3e_mpi.LIBRARIES, (MPICH, A_VENDORS), strict=True))
"""What tables call those whose place nobody has."""


def stands_for(results: Results, variant: str) -> str | None:
    """The paper's library in whose place `variant` is; None: in none's."""
    for library, here in STANDING_FOR.items():
        try:
            found = here(results)
        except UnmeasuredError:
            found = LACKING[library]
        if found == variant:
            return library
    return None


def latency(results: Results, variant: str, mode: MessageMode) -> Quantity:
    """Half the round trip of an empty message; UnmeasuredError says why there is none."""
    return results.time(Measurand(MESSAGES, variant, PES, mode.pattern, 0))


def intercept_of(results: Results, variant: str, mode: MessageMode) -> Signed:
    """The constant of the line through messages of 1 to 2 MB; UnmeasuredError as above."""
    found = intercept(_curve(results, variant, mode))
    if found is None:
        raise UnmeasuredError(f"{variant}, {mode.pattern}: two sizes of 1 to 2 MB in a block")
    return found


def bandwidths(results: Results, variant: str, mode: MessageMode) -> dict[int, Quantity]:
    """By size, rising; UnmeasuredError as above."""
    return rates(_curve(results, variant, mode))


def bandwidth(results: Results, variant: str, mode: MessageMode, size_bytes: int) -> Quantity:
    """Of messages of a size above 0; UnmeasuredError as above."""
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
    found = _all_bandwidths(results, variant, mode)
    here = found.pop(MEGABYTE, None)
    if here is None or not found:
        raise UnmeasuredError(results.why(_at(variant, mode, MEGABYTE)))
    return here, highest_of_all(found)[1]


def _all_bandwidths(results: Results, variant: str, mode: MessageMode) -> dict[int, Quantity]:
    """Those of every size of the run: what is lost may be the highest."""
    found = bandwidths(results, variant, mode)
    for cell in results.runs[MESSAGES].cells:
        if cell.pattern == mode.pattern and cell.size_bytes and cell.size_bytes not in found:
            raise UnmeasuredError(results.why(_at(variant, mode, cell.size_bytes)))
    return found


def _at(variant: str, mode: MessageMode, size_bytes: int) -> Measurand:
    return Measurand(MESSAGES, variant, PES, mode.pattern, size_bytes)


def _curve(results: Results, variant: str, mode: MessageMode) -> dict[int, Quantity]:
    found = results.curve(MESSAGES, variant, mode.pattern)
    if not any(found):
        raise UnmeasuredError(results.why(_at(variant, mode, MEGABYTE)))
    return found
