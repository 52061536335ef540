"""What the paper says of the two networks beside each other, held against emulated ones.

Its ATM was slow for small messages because of what adapters and their TCP took for each: an
emulated link has none of it. Where a finding rests on that, figures beside the answer say so.
"""

from __future__ import annotations

from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import Quantity, ratio
from leadline.studies.ethernet_atm.crossover import Leads, leads
from leadline.studies.ethernet_atm.curves import MESSAGE_BYTES, counted_bandwidth, counted_peak
from leadline.studies.ethernet_atm.stages import PES, network
from leadline.studies.ethernet_atm.wire import link_of, message_s, papers_adapter_s
from leadline.studies.findings import (
    MORE_BLOCKS,
    Claim,
    Conclusion,
    Evidence,
    Outcome,
    above,
    between,
)
from leadline.studies.published.ethernet_atm import ATM, CROSSOVER_BYTES, ETHERNET
from leadline.studies.results import Results, uncrowded
from leadline.studies.units import Unit

LARGE_BYTES = 8192
MUCH_LESS = 0.5
"""In the paper what ATM gains PVM is 0.4 times what it gains MPICH."""
NEAR = 2.0
"""Crossovers within this factor of the paper's are its own: its figures have no finer sizes."""


def _lead(results: Results, size_bytes: int) -> Evidence:
    """ATM's bandwidth over Ethernet's, by MPICH."""
    variant = results.library("mpich")
    atm, ethernet = (
        counted_bandwidth(results, network(name), variant, size_bytes) for name in (ATM, ETHERNET)
    )
    text = f"at {size_bytes:,} B MPICH's bandwidth over ATM is {{}} times that over Ethernet"
    return Evidence(text, ratio(atm, ethernet))


def _links_alone() -> tuple[Evidence, ...]:
    """Why a small message is faster over an emulated ATM link, in computed figures."""
    took = [Estimate(message_s(link_of(name), MESSAGE_BYTES)) for name in (ETHERNET, ATM)]
    return (
        Evidence(
            f"the emulated links alone take {{}} for {MESSAGE_BYTES} B over Ethernet",
            took[0],
            Unit.SECONDS,
        ),
        Evidence("over ATM {}", took[1], Unit.SECONDS),
        Evidence(
            "for the paper's curves to cross at 1 KiB, its ATM adapters and their TCP must have "
            "cost a message {} more than Ethernet's, which no emulated link does",
            Estimate(papers_adapter_s()),
            Unit.SECONDS,
        ),
    )


def _small_ones_slower(results: Results) -> Conclusion:
    return between(_lead(results, MESSAGE_BYTES), None, 1, *_links_alone())


def _large_ones_faster(results: Results) -> Conclusion:
    return above(_lead(results, LARGE_BYTES), 1)


def _crossover(results: Results) -> Conclusion:
    found = uncrowded(leads(results, results.library("mpich")), PES)
    if found.point is not None:
        text = "ATM is ahead from {} on"
        evidence = Evidence(text, found.point, Unit.BYTES)
        return between(evidence, CROSSOVER_BYTES / NEAR, CROSSOVER_BYTES * NEAR)
    return _without_crossover(found)


def _without_crossover(found: Leads) -> Conclusion:
    if found.ahead is None:
        return Conclusion(Outcome.OPEN, needs=MORE_BLOCKS)
    size = min(found.ratios) if found.ahead == ATM else max(found.ratios)
    lead = f"at {size:,} B ATM's bandwidth is {{}} times Ethernet's"
    text = f"{found.ahead} is ahead {found.where}; {lead}"
    return Conclusion(Outcome.FAILS, (Evidence(text, found.ratios[size]), *_links_alone()))


def _gain(results: Results, name: str) -> Quantity:
    """The peak over the network `name` through PVM over that through MPICH, block by block."""
    pvm, mpich = (
        counted_peak(results, network(name), results.library(kind)) for kind in ("pvm", "mpich")
    )
    return Quantity(pvm.run, pvm.logs - mpich.logs)


def _pvm_gains_less(results: Results) -> Conclusion:
    of_pvm = ratio(
        *(counted_peak(results, network(n), results.library("pvm")) for n in (ATM, ETHERNET))
    )
    found = ratio(_gain(results, ATM), _gain(results, ETHERNET))
    text = "what ATM gains PVM is {} times what it gains MPICH"
    return between(
        Evidence(text, found),
        None,
        MUCH_LESS,
        Evidence("PVM's peak over ATM is {} times that over Ethernet", of_pvm),
    )


def _mpich_on_ethernet_second(results: Results) -> Conclusion:
    mpich = counted_peak(results, network(ETHERNET), results.library("mpich"))
    pvm = counted_peak(results, network(ATM), results.library("pvm"))
    text = "MPICH's peak over Ethernet is {} times PVM's over ATM"
    return above(Evidence(text, ratio(mpich, pvm)), 1)


CLAIMS = (
    Claim(
        "abstract",
        "For small messages ATM has less bandwidth than Ethernet, and so the longer round trip",
        _small_ones_slower,
    ),
    Claim("abstract", "For large messages ATM has more bandwidth", _large_ones_faster),
    Claim("results", "The two cross at messages of 1,024 B", _crossover),
    Claim(
        "results",
        "ATM gains PVM much less than MPICH: half as much at most",
        _pvm_gains_less,
    ),
    Claim(
        "results",
        "MPICH over Ethernet comes second: before PVM, even over ATM",
        _mpich_on_ethernet_second,
    ),
)
