"""What the paper says of MPICH and PVM beside each other, held against emulated networks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from leadline.studies.estimates import ratio
from leadline.studies.ethernet_atm.curves import (
    MESSAGE_BYTES,
    counted_peak,
    small_message,
    variants,
)
from leadline.studies.ethernet_atm.stages import PVM_DIRECT, network
from leadline.studies.findings import Claim, Conclusion, Evidence, above
from leadline.studies.published.ethernet_atm import NETWORKS
from leadline.studies.results import Results


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


CLAIMS = tuple(
    Claim("abstract", sentence.format(name), partial(test, name))
    for sentence, test in (
        ("MPICH has more bandwidth than PVM over {}", _higher_bandwidth),
        ("MPICH has the lower latency over {}", _lower_latency),
    )
    for name in NETWORKS
)
