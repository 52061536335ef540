"""The paper's sentences, compared with emulated networks, and the study as a whole.

Its ATM was slow for small messages because of what adapters and their TCP took for each: an
emulated link has none of it. Where a finding rests on that, figures beside the answer say so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
    EmulatedNetwork,
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
    QuantityIn,
    RatioTest,
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
_LEAD = "at {} B MPICH's bandwidth over ATM is {} times that over Ethernet"


def _bandwidth(name: str, size_bytes: int) -> QuantityIn:
    """MPICH's over the network `name`."""
    return lambda results: counted_bandwidth(
        results, network(name), results.library("mpich"), size_bytes
    )


def _peak(name: str, kind: str) -> QuantityIn:
    """The highest bandwidth of the library `kind` over the network `name`."""
    return lambda results: counted_peak(results, network(name), results.library(kind))


# -- claims about networks -------------------------------------------------------------------------


LINKS_ALONE = (
    Evidence(
        f"the emulated links alone take {{}} for {MESSAGE_BYTES} B over Ethernet",
        Estimate(message_s(link_of(ETHERNET), MESSAGE_BYTES)),
        Unit.SECONDS,
    ),
    Evidence("over ATM {}", Estimate(message_s(link_of(ATM), MESSAGE_BYTES)), Unit.SECONDS),
    Evidence(
        "for the paper's curves to cross at 1 KiB, its ATM adapters and their TCP must have "
        "cost a message {} more than Ethernet's, which no emulated link does",
        Estimate(papers_adapter_s()),
        Unit.SECONDS,
    ),
)
"""Why a small message is faster over an emulated ATM link, in computed figures."""


def _crossover(results: Results) -> Conclusion:
    leading = uncrowded(leads(results, results.library("mpich")), PES)
    if leading.point is not None:
        evidence = Evidence("ATM is ahead from {} on", leading.point, Unit.BYTES)
        return between(evidence, CROSSOVER_BYTES / NEAR, CROSSOVER_BYTES * NEAR)
    if leading.ahead is None:
        return Conclusion(Outcome.OPEN, needs=MORE_BLOCKS)
    size = min(leading.ratios) if leading.ahead == ATM else max(leading.ratios)
    lead = f"at {size:,} B ATM's bandwidth is {{}} times Ethernet's"
    text = f"{leading.ahead} is ahead {leading.where}; {lead}"
    return Conclusion(Outcome.FAILS, (Evidence(text, leading.ratios[size]), *LINKS_ALONE))


def _gain(results: Results, name: str) -> Quantity:
    """The peak over the network `name` through PVM over that through MPICH, block by block."""
    pvm, mpich = (_peak(name, kind)(results) for kind in ("pvm", "mpich"))
    return Quantity(pvm.run, pvm.logs - mpich.logs)


def _pvm_gains_less(results: Results) -> Conclusion:
    of_pvm = ratio(*(_peak(name, "pvm")(results) for name in (ATM, ETHERNET)))
    factor = ratio(_gain(results, ATM), _gain(results, ETHERNET))
    text = "what ATM gains PVM is {} times what it gains MPICH"
    return between(
        Evidence(text, factor),
        None,
        MUCH_LESS,
        Evidence("PVM's peak over ATM is {} times that over Ethernet", of_pvm),
    )


_OF_NETWORKS = (
    Claim(
        "abstract",
        "For small messages ATM has less bandwidth than Ethernet, and so the longer round trip",
        RatioTest(
            _LEAD.format(f"{MESSAGE_BYTES:,}", "{}"),
            _bandwidth(ATM, MESSAGE_BYTES),
            _bandwidth(ETHERNET, MESSAGE_BYTES),
            most=1,
            further=LINKS_ALONE,
        ),
    ),
    Claim(
        "abstract",
        "For large messages ATM has more bandwidth",
        RatioTest(
            _LEAD.format(f"{LARGE_BYTES:,}", "{}"),
            _bandwidth(ATM, LARGE_BYTES),
            _bandwidth(ETHERNET, LARGE_BYTES),
            least=1,
        ),
    ),
    Claim("results", "The two cross at messages of 1,024 B", _crossover),
    Claim(
        "results",
        "ATM gains PVM much less than MPICH: half as much at most",
        _pvm_gains_less,
    ),
    Claim(
        "results",
        "MPICH over Ethernet comes second: before PVM, even over ATM",
        RatioTest(
            "MPICH's peak over Ethernet is {} times PVM's over ATM",
            _peak(ETHERNET, "mpich"),
            _peak(ATM, "pvm"),
            least=1,
        ),
    ),
)


# -- claims about their capacity -------------------------------------------------------------------


NEARLY_EIGHT = 0.75
"""Share of Ethernet's 10 Mbit/s: "nearly 8" is at least so much."""
MPICH_OVER_ATM = ethernet_atm.peak(ATM, "MPICH").bandwidth_bytes_per_s
"""The paper's peak."""
TCP_OVER_MPICH = ethernet_atm.tcp().bandwidth_bytes_per_s / MPICH_OVER_ATM
"""The paper's peaks over ATM."""
LINK_S = message_s(link_of(ATM), PEAK_BYTES)
"""What a message of the paper's peak occupies the emulated link for."""


def _pvm_stays_low(results: Results) -> Conclusion:
    peaks = {name: estimate(_peak(name, "pvm")(results)) for name in NETWORKS}
    best = max(peaks, key=lambda name: peaks[name].value)
    (other,) = peaks.keys() - {best}
    text = f"PVM's peak over {best} is {{}}; the paper's was 6 over either"
    return between(
        Evidence(text, peaks[best], Unit.MEGABITS_PER_SECOND),
        None,
        ethernet_atm.peak(best, "PVM").bandwidth_bytes_per_s,
        Evidence(f"over {other} {{}}", peaks[other], Unit.MEGABITS_PER_SECOND),
    )


def _slow_tcp(results: Results) -> Conclusion:
    atm, variant = network(ATM), results.library("tcp")
    largest = max(sizes(results, atm), default=LARGEST_BYTES)
    rate = estimate(counted_bandwidth(results, atm, variant, largest))
    most = Estimate(payload_bytes_per_s(link_of(ATM)))
    return between(
        Evidence(
            f"raw TCP's bandwidth over ATM at {largest:,} B is {{}}; the paper's ftp got 25",
            rate,
            Unit.MEGABITS_PER_SECOND,
        ),
        None,
        ethernet_atm.tcp().bandwidth_bytes_per_s,
        Evidence("full segments carry {} there", most, Unit.MEGABITS_PER_SECOND),
    )


_OF_CAPACITY = (
    Claim(
        "results",
        "MPICH gets most of Ethernet's rated capacity: nearly 8 of 10 Mbit/s",
        RatioTest(
            "MPICH's peak over Ethernet is {} of the rated capacity",
            _peak(ETHERNET, "mpich"),
            RATED_BYTES_PER_S[ETHERNET],
            least=NEARLY_EIGHT,
            unit=Unit.PERCENT,
            shown=("it is {}; the paper's was nearly 8", Unit.MEGABITS_PER_SECOND),
            further=(
                Evidence(
                    "framing leaves TCP {}",
                    Estimate(payload_bytes_per_s(link_of(ETHERNET)) / RATED_BYTES_PER_S[ETHERNET]),
                    Unit.PERCENT,
                ),
            ),
        ),
    ),
    Claim(
        "conclusions",
        "Even the largest messages get less than 13 % of ATM's rated capacity",
        RatioTest(
            "MPICH's peak over ATM is {} of the rated capacity",
            _peak(ATM, "mpich"),
            RATED_BYTES_PER_S[ATM],
            most=MOST_OF_ATM,
            unit=Unit.PERCENT,
            shown=("it is {}; the paper's was about 19", Unit.MEGABITS_PER_SECOND),
            further=(
                Evidence(
                    f"the link alone takes {{}} for {PEAK_BYTES:,} B",
                    Estimate(LINK_S),
                    Unit.SECONDS,
                ),
                Evidence(
                    "the paper's hosts and adapters added {}",
                    Estimate(PEAK_BYTES / MPICH_OVER_ATM - LINK_S),
                    Unit.SECONDS,
                ),
                lambda results: Evidence(
                    "half a round trip here takes {} in all",
                    estimate(
                        half_trip(results, network(ATM), results.library("mpich"), PEAK_BYTES)
                    ),
                    Unit.SECONDS,
                ),
            ),
        ),
    ),
    Claim(
        "results",
        "MPICH over ATM peaks at 8,192 B",
        # above 9,128 B a message has a second packet, which the first one's cells don't wait for
        RatioTest(
            f"MPICH's bandwidth over ATM at {PEAK_BYTES:,} B is {{}} times that at "
            f"{LARGEST_BYTES:,} B",
            _bandwidth(ATM, PEAK_BYTES),
            _bandwidth(ATM, LARGEST_BYTES),
            least=1,
            further=(
                lambda results: Evidence(
                    "the highest is at {}",
                    Estimate(peak(results, network(ATM), results.library("mpich"))[0]),
                    Unit.BYTES,
                ),
            ),
        ),
    ),
    Claim("results", "PVM's peak is only 6 Mbit/s", _pvm_stays_low),
    Claim("abstract", "TCP alone gets no more than about 25 Mbit/s over ATM", _slow_tcp),
    Claim(
        "conclusions",
        "TCP alone is little faster over ATM than MPICH: it is the limit, not the library",
        RatioTest(
            "raw TCP's peak over ATM is {} times MPICH's",
            _peak(ATM, "tcp"),
            _peak(ATM, "mpich"),
            most=TCP_OVER_MPICH,
            further=(
                Evidence("in the paper it was {} times", Estimate(TCP_OVER_MPICH), published=True),
            ),
        ),
    ),
)


# -- claims about the libraries --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _BeforePvm:
    """A claim's test: over a network MPICH is better than PVM by its daemons."""

    network: EmulatedNetwork
    quantity: Callable[[Results, EmulatedNetwork, str], Quantity]
    """What is compared, of a variant over the network."""
    higher: bool
    """Whether more of it is better."""
    by_daemons: str
    """A sentence with a gap for how many times better MPICH is than that."""
    past_them: str
    """Likewise, of PVM past its daemons."""

    def __call__(self, results: Results) -> Conclusion:
        """Holds where the whole interval is above 1; PVM past its daemons decides nothing."""

        def beside(text: str, variant: str) -> Evidence:
            mpich = self.quantity(results, self.network, results.library("mpich"))
            pvm = self.quantity(results, self.network, variant)
            return Evidence(text, ratio(mpich, pvm) if self.higher else ratio(pvm, mpich))

        first = beside(self.by_daemons, results.library("pvm"))
        past = (variant for variant in variants(results) if variant == PVM_DIRECT)
        return above(first, 1, *(beside(self.past_them, variant) for variant in past))


_OF_LIBRARIES = (
    *(
        Claim(
            "abstract",
            f"MPICH has more bandwidth than PVM over {name}",
            _BeforePvm(
                network(name),
                counted_peak,
                True,
                f"over {name} MPICH's peak is {{}} times that of PVM by its daemons",
                "{} times that of PVM past them",
            ),
        )
        for name in NETWORKS
    ),
    *(
        Claim(
            "abstract",
            f"MPICH has the lower latency over {name}",
            _BeforePvm(
                network(name),
                small_message,
                False,
                f"over {name} a round trip of {MESSAGE_BYTES} B by PVM's daemons takes {{}} times "
                "MPICH's",
                "past them {} times",
            ),
        )
        for name in NETWORKS
    ),
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
