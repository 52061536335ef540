"""What the paper says of how much of either network messages get, held against emulated ones."""

from __future__ import annotations

from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import estimate, ratio
from leadline.studies.ethernet_atm.curves import (
    counted_bandwidth,
    counted_peak,
    half_trip,
    peak,
    sizes,
)
from leadline.studies.ethernet_atm.stages import network
from leadline.studies.ethernet_atm.wire import link_of, message_s, payload_bytes_per_s
from leadline.studies.findings import Claim, Conclusion, Evidence, above, between
from leadline.studies.published import ethernet_atm
from leadline.studies.published.ethernet_atm import (
    ATM,
    ETHERNET,
    LARGEST_BYTES,
    MOST_OF_ATM,
    RATED_BYTES_PER_S,
)
from leadline.studies.results import Results
from leadline.studies.units import Unit

NEARLY_EIGHT = 0.75
"""Of Ethernet's 10 Mbit/s: "nearly 8" is at least so much."""
PEAK_BYTES = 8192


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


CLAIMS = (
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
