"""Times of neighbours' exchanges, in order and mapped, and who was measured."""

from __future__ import annotations

from leadline.studies.estimates import Quantity
from leadline.studies.mapping.stages import (
    ALONE,
    KINDS,
    NEIGHBOURS,
    PAIR,
    PES,
    UNCONGESTED,
    mapped,
)
from leadline.studies.results import Measurand, Results, UnmeasuredError


def libraries(results: Results) -> list[str]:
    """Those that were measured, in the order of `KINDS`."""
    return [kind for kind in KINDS if results.variants(kind)]


def library(results: Results) -> str:
    """The first that was measured; UnmeasuredError where none was."""
    found = libraries(results)
    return found[0] if found else results.library(KINDS[0])


def sizes(results: Results) -> list[int]:
    """Sizes of messages that were to be measured, rising."""
    return sorted({cell.size_bytes for run in results.runs.values() for cell in run.cells})


def in_order(results: Results, variant: str, pattern: str, size_bytes: int) -> Quantity:
    """An exchange's time where ranks lie in their order."""
    return results.time(Measurand(NEIGHBOURS, variant, PES, pattern, size_bytes))


def reordered(results: Results, variant: str, pattern: str, size_bytes: int) -> Quantity:
    """An exchange's time where ranks are mapped."""
    return results.time(Measurand(NEIGHBOURS, mapped(variant), PES, pattern, size_bytes))


def uncongested(results: Results, variant: str, size_bytes: int) -> Quantity:
    """An exchange of one pair, with the links for itself."""
    return results.time(Measurand(UNCONGESTED, variant, ALONE, PAIR, size_bytes))


def bound_by_links(found: Quantity, what: str) -> Quantity:
    """`found`, where a link was shown to be its limit or each PE had a core; else UnmeasuredError.

    Of so many PEs on a few cores nothing else says that it was the network that was measured.
    """
    if found.crowded:
        raise UnmeasuredError(
            f"{what}: no link carried 70 % of its rate, and PEs share cores; quieten the machine"
        )
    return found
