"""Times and bandwidths of the two networks by library and size, as the paper defines them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from leadline.studies.estimates import Quantity, highest, highest_of_all
from leadline.studies.ethernet_atm.stages import KINDS, PES, PINGPONG, PVM_DIRECT, EmulatedNetwork
from leadline.studies.published.ethernet_atm import LARGEST_BYTES
from leadline.studies.results import Measurand, Results, UnmeasuredError, uncrowded

BySize = Callable[[Results, EmulatedNetwork, str, int], Quantity]
"""Of a network, a variant and a size."""
MESSAGE_BYTES = 64
"""The smallest message that isn't empty: what counts as a small one."""


def variants(results: Results) -> list[str]:
    """All that were measured over either network, in the order of `KINDS`, others behind."""
    return results.in_order(KINDS)


def lacking(results: Results) -> Iterator[tuple[str, str]]:
    """The libraries that the study wants and nobody measured, and why."""
    for kind in KINDS:
        if not results.variants(kind):
            yield kind, results.lack(kind)
    if results.variants("pvm") and PVM_DIRECT not in variants(results):
        yield PVM_DIRECT, "pvm-direct wasn't measured"


def sizes(results: Results, network: EmulatedNetwork) -> list[int]:
    """Those that were to be measured over `network`, rising."""
    runs = (results.runs[name] for name in network.stages if name in results.runs)
    return sorted({cell.size_bytes for run in runs for cell in run.cells})


def place(results: Results, network: EmulatedNetwork, variant: str, size_bytes: int) -> Measurand:
    """Where the half round trip of `size_bytes` was measured, or should have been."""
    stages = [
        name
        for name in network.stages
        if name in results.runs
        and size_bytes in {cell.size_bytes for cell in results.runs[name].cells}
    ]
    return Measurand((stages or network.stages)[0], variant, PES, PINGPONG, size_bytes)


def half_trip(
    results: Results, network: EmulatedNetwork, variant: str, size_bytes: int
) -> Quantity:
    """Half a round trip, s, between hosts of `network`; UnmeasuredError says why there is none."""
    return results.time(place(results, network, variant, size_bytes))


def round_trip(
    results: Results, network: EmulatedNetwork, variant: str, size_bytes: int
) -> Quantity:
    """A round trip, s: the paper's latency."""
    half = half_trip(results, network, variant, size_bytes)
    return Quantity(half.run, half.logs + math.log(2), half.crowded)


def bandwidth(
    results: Results, network: EmulatedNetwork, variant: str, size_bytes: int
) -> Quantity:
    """Twice the message over its round trip, bytes/s; `size_bytes` is above 0."""
    half = half_trip(results, network, variant, size_bytes)
    return Quantity(half.run, math.log(size_bytes) - half.logs, half.crowded)


def bandwidths(results: Results, network: EmulatedNetwork, variant: str) -> dict[int, Quantity]:
    """By size, rising, up to the paper's largest; UnmeasuredError says why there is none."""
    found = {}
    for size in sizes(results, network):
        if 0 < size <= LARGEST_BYTES and place(results, network, variant, size) in results.times:
            found[size] = bandwidth(results, network, variant, size)
    if not found:
        half_trip(results, network, variant, LARGEST_BYTES)  # says why
        raise UnmeasuredError(
            f"{variant}: messages of 1 to {LARGEST_BYTES:,} B over {network.name}"
        )
    return found


def peak(results: Results, network: EmulatedNetwork, variant: str) -> tuple[int, Quantity]:
    """The size up to the paper's largest at which the bandwidth is highest, and that bandwidth."""
    return highest(bandwidths(results, network, variant))


def counted_bandwidth(
    results: Results, network: EmulatedNetwork, variant: str, size_bytes: int
) -> Quantity:
    """The bandwidth as it takes part in findings: with a core for each PE."""
    return uncrowded(bandwidth(results, network, variant, size_bytes), PES)


def counted_peak(results: Results, network: EmulatedNetwork, variant: str) -> Quantity:
    """The highest bandwidth as it takes part in findings; UnmeasuredError where a size is lost."""
    found = bandwidths(results, network, variant)
    for size in sizes(results, network):
        if 0 < size <= LARGEST_BYTES:
            half_trip(results, network, variant, size)  # says why it is lost
    return uncrowded(highest_of_all(found)[1], PES)


def small_message(results: Results, network: EmulatedNetwork, variant: str) -> Quantity:
    """Half a round trip of MESSAGE_BYTES as it takes part in findings."""
    return results.counted(place(results, network, variant, MESSAGE_BYTES))
