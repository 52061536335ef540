"""Results of the study of Ethernet and ATM: the paper's own, and those of links that just carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.support.study_results import noisy, results

from leadline.papers.ethernet_atm.printed import ATM, ETHERNET
from leadline.papers.ethernet_atm.stages import (
    EMULATED,
    KINDS,
    PINGPONG,
    PVM_DIRECT,
    QUICK_SIZES,
    link_of,
    message_s,
)
from leadline.papers.results import Measurand, Results

VARIANTS = (*KINDS, PVM_DIRECT)
HOST_S = {"mpich": 30e-6, "openmpi": 25e-6, "pvm": 100e-6, PVM_DIRECT: 40e-6, "tcp": 20e-6}
"""What hosts add to a message."""
Seconds = Callable[[str, str, int], float]
"""Half a round trip of a network, a variant and a size."""


def curves(seconds: Seconds, sizes: tuple[int, ...] = QUICK_SIZES) -> dict[Measurand, float]:
    """Times of every variant over both networks."""
    return {
        Measurand(network.stages[0], variant, 2, PINGPONG, size): seconds(
            network.name, variant, size
        )
        for network in EMULATED
        for variant in VARIANTS
        for size in sizes
    }


def emulated_s(network: str, variant: str, size_bytes: int) -> float:
    """Links that take what frames and cells do, and hosts of today."""
    return HOST_S[variant] + message_s(link_of(network), max(size_bytes, 1))


PAPERS: Mapping[tuple[str, str], tuple[float, float]] = {
    # start-up, s, and rate, bytes/s, that give the printed peaks and the crossing at 1,024 B
    (ETHERNET, "mpich"): (500e-6, 8.3e6 / 8),
    (ATM, "mpich"): (1117e-6, 28e6 / 8),
    (ETHERNET, "pvm"): (2000e-6, 6.9e6 / 8),
    (ATM, "pvm"): (2600e-6, 7.5e6 / 8),
    (ATM, "tcp"): (1000e-6, 30e6 / 8),
}


def papers_s(network: str, variant: str, size_bytes: int) -> float:
    """Curves as the paper's: above 8 KiB over ATM a second packet costs extra."""
    kind = {PVM_DIRECT: "pvm", "openmpi": "mpich"}.get(variant, variant)
    start_s, rate = PAPERS.get((network, kind), PAPERS[network, "mpich"])
    extra_s = 1e-3 if network == ATM and size_bytes > 8192 else 0.0
    return start_s + extra_s + size_bytes / rate


def emulated() -> Results:
    """Every block the same, so that what differs by less than noise is told."""
    return results(curves(emulated_s))


def papers() -> Results:
    return results(noisy(curves(papers_s)))
