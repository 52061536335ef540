"""The paper's sentences, compared with emulated networks, and the study as a whole.

Its ATM was slow for small messages because of what adapters and their TCP took for each: an
emulated link has none of it. Where a finding rests on that, figures beside the answer say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from leadline.papers.estimates import Quantity, estimate, ratio
from leadline.papers.ethernet_atm import KEY, SOURCE
from leadline.papers.ethernet_atm import printed as ethernet_atm
from leadline.papers.ethernet_atm.printed import (
    ATM,
    CROSSOVER_BYTES,
    ETHERNET,
    HOSTS,
    LARGEST_BYTES,
    MOST_OF_ATM,
    NETWORKS,
    PEAK_BYTES,
    RATED_BYTES_PER_S,
)
from leadline.papers.ethernet_atm.stages import (
    FULL_S,
    KINDS,
    MESSAGE_BYTES,
    PES,
    PVM_DIRECT,
    QUICK_S,
    Leads,
    counted_bandwidth,
    counted_peak,
    half_trip,
    leads,
    link_of,
    message_s,
    network,
    papers_adapter_s,
    payload_bytes_per_s,
    peak,
    sizes,
    small_message,
    stages,
    variants,
)
from leadline.papers.ethernet_atm.tables import figures, tables
from leadline.papers.findings import (
    MORE_BLOCKS,
    Claim,
    Conclusion,
    Evidence,
    Outcome,
    above,
    between,
)
from leadline.papers.results import Results, uncrowded
from leadline.papers.study import Scale, Study
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

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


_OF_NETWORKS = (
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


# -- claims about their capacity -------------------------------------------------------------------


NEARLY_EIGHT = 0.75
"""Share of Ethernet's 10 Mbit/s: "nearly 8" is at least so much."""


def _most_of_ethernet(results: Results) -> Conclusion:
    found = estimate(counted_peak(results, network(ETHERNET), results.library("mpich")))
    share = found.scaled(1 / RATED_BYTES_PER_S[ETHERNET])
    most = payload_bytes_per_s(link_of(ETHERNET)) / RATED_BYTES_PER_S[ETHERNET]
    return above(
        Evidence("MPICH's peak over Ethernet is {} of the rated capacity", share, Unit.PERCENT),
        NEARLY_EIGHT,
        Evidence("it is {}; the paper's was nearly 8", found, Unit.MEGABITS_PER_SECOND),
        Evidence("framing leaves TCP {}", Estimate(most), Unit.PERCENT),
    )


def _little_of_atm(results: Results) -> Conclusion:
    found = estimate(counted_peak(results, network(ATM), results.library("mpich")))
    share = found.scaled(1 / RATED_BYTES_PER_S[ATM])
    return between(
        Evidence("MPICH's peak over ATM is {} of the rated capacity", share, Unit.PERCENT),
        None,
        MOST_OF_ATM,
        Evidence("it is {}; the paper's was about 19", found, Unit.MEGABITS_PER_SECOND),
        *_what_hosts_take(results),
    )


def _what_hosts_take(results: Results) -> tuple[Evidence, ...]:
    """How long a message of the paper's peak took there and takes here, beside the link alone."""
    link_s = message_s(link_of(ATM), PEAK_BYTES)
    there_s = PEAK_BYTES / ethernet_atm.peak(ATM, "MPICH").bandwidth_bytes_per_s
    here = estimate(half_trip(results, network(ATM), results.library("mpich"), PEAK_BYTES))
    return (
        Evidence(f"the link alone takes {{}} for {PEAK_BYTES:,} B", Estimate(link_s), Unit.SECONDS),
        Evidence(
            "the paper's hosts and adapters added {}", Estimate(there_s - link_s), Unit.SECONDS
        ),
        Evidence("half a round trip here takes {} in all", here, Unit.SECONDS),
    )


def _peak_at_eight(results: Results) -> Conclusion:
    """Above 9,128 B a message has a second packet, which the first one's cells don't wait for."""
    variant, atm = results.library("mpich"), network(ATM)
    at_peak, beyond = (
        counted_bandwidth(results, atm, variant, size) for size in (PEAK_BYTES, LARGEST_BYTES)
    )
    text = (
        f"MPICH's bandwidth over ATM at {PEAK_BYTES:,} B is {{}} times that at {LARGEST_BYTES:,} B"
    )
    best, _ = peak(results, atm, variant)
    return above(
        Evidence(text, ratio(at_peak, beyond)),
        1,
        Evidence("the highest is at {}", Estimate(best), Unit.BYTES),
    )


def _pvm_stays_low(results: Results) -> Conclusion:
    found = {
        name: estimate(counted_peak(results, network(name), results.library("pvm")))
        for name in ethernet_atm.NETWORKS
    }
    best = max(found, key=lambda name: found[name].value)
    (other,) = found.keys() - {best}
    text = f"PVM's peak over {best} is {{}}; the paper's was 6 over either"
    return between(
        Evidence(text, found[best], Unit.MEGABITS_PER_SECOND),
        None,
        ethernet_atm.peak(best, "PVM").bandwidth_bytes_per_s,
        Evidence(f"over {other} {{}}", found[other], Unit.MEGABITS_PER_SECOND),
    )


def _slow_tcp(results: Results) -> Conclusion:
    atm, variant = network(ATM), results.library("tcp")
    largest = max(sizes(results, atm), default=LARGEST_BYTES)
    found = estimate(counted_bandwidth(results, atm, variant, largest))
    most = Estimate(payload_bytes_per_s(link_of(ATM)))
    return between(
        Evidence(
            f"raw TCP's bandwidth over ATM at {largest:,} B is {{}}; the paper's ftp got 25",
            found,
            Unit.MEGABITS_PER_SECOND,
        ),
        None,
        ethernet_atm.tcp().bandwidth_bytes_per_s,
        Evidence("full segments carry {} there", most, Unit.MEGABITS_PER_SECOND),
    )


def _tcp_little_faster(results: Results) -> Conclusion:
    tcp, mpich = (
        counted_peak(results, network(ATM), results.library(kind)) for kind in ("tcp", "mpich")
    )
    theirs = (
        ethernet_atm.tcp().bandwidth_bytes_per_s
        / ethernet_atm.peak(ATM, "MPICH").bandwidth_bytes_per_s
    )
    return between(
        Evidence("raw TCP's peak over ATM is {} times MPICH's", ratio(tcp, mpich)),
        None,
        theirs,
        Evidence("in the paper it was {} times", Estimate(theirs), published=True),
    )


_OF_CAPACITY = (
    Claim(
        "results",
        "MPICH gets most of Ethernet's rated capacity: nearly 8 of 10 Mbit/s",
        _most_of_ethernet,
    ),
    Claim(
        "conclusions",
        "Even the largest messages get less than 13 % of ATM's rated capacity",
        _little_of_atm,
    ),
    Claim("results", "MPICH over ATM peaks at 8,192 B", _peak_at_eight),
    Claim("results", "PVM's peak is only 6 Mbit/s", _pvm_stays_low),
    Claim("abstract", "TCP alone gets no more than about 25 Mbit/s over ATM", _slow_tcp),
    Claim(
        "conclusions",
        "TCP alone is little faster over ATM than MPICH: it is the limit, not the library",
        _tcp_little_faster,
    ),
)


# -- claims about the libraries --------------------------------------------------------------------


def _higher_bandwidth(name: str, results: Results) -> Conclusion:
    def evidence(text: str, variant: str) -> Evidence:
        mpich = counted_peak(results, network(name), results.library("mpich"))
        return Evidence(text, ratio(mpich, counted_peak(results, network(name), variant)))

    first = f"over {name} MPICH's peak is {{}} times that of PVM by its daemons"
    others = (evidence("{} times that of PVM past them", one) for one in _direct(results))
    return above(evidence(first, results.library("pvm")), 1, *others)


def _lower_latency(name: str, results: Results) -> Conclusion:
    def evidence(text: str, variant: str) -> Evidence:
        mpich = small_message(results, network(name), results.library("mpich"))
        return Evidence(text, ratio(small_message(results, network(name), variant), mpich))

    first = (
        f"over {name} a round trip of {MESSAGE_BYTES} B by PVM's daemons takes {{}} times MPICH's"
    )
    others = (evidence("past them {} times", one) for one in _direct(results))
    return above(evidence(first, results.library("pvm")), 1, *others)


def _direct(results: Results) -> Iterator[str]:
    return (one for one in variants(results) if one == PVM_DIRECT)


_OF_LIBRARIES = tuple(
    Claim("abstract", sentence.format(name), partial(test, name))
    for sentence, test in (
        ("MPICH has more bandwidth than PVM over {}", _higher_bandwidth),
        ("MPICH has the lower latency over {}", _lower_latency),
    )
    for name in NETWORKS
)


# -- the study -------------------------------------------------------------------------------------


CLAIMS = (*_OF_NETWORKS, *_OF_CAPACITY, *_OF_LIBRARIES)
"""The paper's findings: of networks, of their capacity, of libraries."""

STUDY = Study(
    name="ethernet-atm",
    title="MPICH and PVM over Ethernet and ATM",
    question="Does what a paper found of MPICH and PVM over Ethernet and ATM hold today?",
    source=SOURCE,
    paper=KEY,
    scale=Scale(HOSTS, (PES,)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    figures=figures,
)
