"""What the study measures, messages between two hosts over either network, and how it is read.

Sizes beyond the paper's are stages of their own, that what takes long there leaves blocks to the
others. A mebibyte is a second on the Ethernet each way and a slice of it twenty: it goes over ATM
alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.curves import overtaken_at
from leadline.hosts.emulated.link import SEGMENT_HEADERS_BYTES, EmulatedLink, parse_link
from leadline.measure.spec import Request, VariantSpec
from leadline.papers.estimates import Quantity, highest, highest_of_all, ratio
from leadline.papers.ethernet_atm.printed import ATM, CROSSOVER_BYTES, ETHERNET, LARGEST_BYTES
from leadline.papers.results import Measurand, Results, UnmeasuredError, uncrowded
from leadline.papers.study import Addition, Stage, StageNetwork
from leadline.statistics.estimate import Estimate

PINGPONG = "pingpong"
FULL_S, QUICK_S = 380.0, 80.0
"""Default budgets."""
PATIENCE_S = 60.0
"""PVM's daemons take some seconds for a slice of the longest messages on the Ethernet."""
SIZES = (
    0, 64, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, LARGEST_BYTES,
)  # fmt: skip
QUICK_SIZES = (0, 64, 256, 1024, 4096, 8192, LARGEST_BYTES)
LONG_SIZES = (65_536, 1_048_576)
"""Beyond the paper's."""

PES = 2
"""Each on a host of its own."""
KINDS = ("mpich", "openmpi", "pvm", "tcp")
"""In the paper's order, what it didn't have behind; raw TCP is the limit of all."""
PVM_DIRECT = "pvm-direct"
PAST_THE_DAEMON = Addition("pvm", variants=(VariantSpec(PVM_DIRECT, "pvm", arguments=("direct",)),))
"""The paper's PVM went by its daemons, which is the default."""


@dataclass(frozen=True, slots=True)
class EmulatedNetwork:
    """One of the paper's two networks, as it is emulated."""

    name: str
    """The paper's."""
    link: str
    """As `leadline hosts up --link` names it."""
    stages: tuple[str, ...]
    """Measured over it; the first has the paper's sizes."""


EMULATED = (
    EmulatedNetwork(ETHERNET, "ethernet-10", ("ethernet", "ethernet-long")),
    EmulatedNetwork(ATM, "atm-155", ("atm", "atm-long")),
)


def network(name: str) -> EmulatedNetwork:
    """The network that the paper calls `name`."""
    return next(emulated for emulated in EMULATED if emulated.name == name)


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """The campaigns that take about `budget_s` seconds together; `cores` change nothing.

    The Ethernet has the larger part: a visit to all its sizes takes seconds.
    """
    ethernet, atm = EMULATED
    if quick:
        return (
            _stage(ethernet, 0, 0.65 * budget_s, QUICK_SIZES),
            _stage(atm, 0, 0.35 * budget_s, QUICK_SIZES),
        )
    return (
        _stage(ethernet, 0, 0.4 * budget_s, SIZES),
        _stage(atm, 0, 0.2 * budget_s, SIZES),
        _stage(ethernet, 1, 0.2 * budget_s, LONG_SIZES[:1]),
        _stage(atm, 1, 0.2 * budget_s, LONG_SIZES),
    )


def _stage(over: EmulatedNetwork, number: int, budget_s: float, sizes: tuple[int, ...]) -> Stage:
    """Stage `number` of the network."""
    request = Request(patterns=(PINGPONG,), sizes=sizes, budget_s=budget_s, patience_s=PATIENCE_S)
    network = StageNetwork(over.stages[0], over.link, PES)
    return Stage(over.stages[number], request, additions=(PAST_THE_DAEMON,), network=network)


# -- what the links alone take ---------------------------------------------------------------------


def link_of(name: str) -> EmulatedLink:
    """The link that the network which the paper calls `name` is emulated by."""
    return parse_link(network(name).link)


def message_s(link: EmulatedLink, size_bytes: int) -> float:
    """What `size_bytes` of payload, 1 at least, occupy `link` for, in TCP's full segments.

    Nothing else is sent: no library's header, no acknowledgement of its own.
    """
    most = link.mtu - SEGMENT_HEADERS_BYTES
    full, rest = divmod(size_bytes, most)
    sizes = [most] * full + [rest] * bool(rest)
    sent = sum(link.wire_bytes(size + SEGMENT_HEADERS_BYTES) for size in sizes)
    return 8 * sent / link.rate_bits_per_s


def payload_bytes_per_s(link: EmulatedLink) -> float:
    """The most that TCP carries over `link` one way: full segments, nothing coming back.

    What comes back in a ping-pong is the echo, with the acknowledgements in it.
    """
    full = link.mtu - SEGMENT_HEADERS_BYTES
    return full / message_s(link, full)


def saved_by_atm_s(size_bytes: int) -> float:
    """What an ATM link saves such a message beside Ethernet's."""
    return message_s(link_of(ETHERNET), size_bytes) - message_s(link_of(ATM), size_bytes)


def papers_adapter_s() -> float:
    """What the paper's ATM adapters and their TCP added to each message, beside Ethernet's.

    Where its curves cross, they take what the link saves.
    """
    return saved_by_atm_s(CROSSOVER_BYTES)


# -- times and bandwidths --------------------------------------------------------------------------


BySize = Callable[[Results, EmulatedNetwork, str, int], Quantity]
"""A quantity of a network, a variant and a size."""
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
    """Sizes that were to be measured over `network`, ascending."""
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
    by_size = {}
    for size in sizes(results, network):
        if 0 < size <= LARGEST_BYTES and place(results, network, variant, size) in results.times:
            by_size[size] = bandwidth(results, network, variant, size)
    if not by_size:
        half_trip(results, network, variant, LARGEST_BYTES)  # says why
        raise UnmeasuredError(
            f"{variant}: messages of 1 to {LARGEST_BYTES:,} B over {network.name}"
        )
    return by_size


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
    by_size = bandwidths(results, network, variant)
    for size in sizes(results, network):
        if 0 < size <= LARGEST_BYTES:
            half_trip(results, network, variant, size)  # says why it is lost
    return uncrowded(highest_of_all(by_size)[1], PES)


def small_message(results: Results, network: EmulatedNetwork, variant: str) -> Quantity:
    """Half a round trip of MESSAGE_BYTES as it takes part in findings."""
    return results.counted(place(results, network, variant, MESSAGE_BYTES))


# -- where ATM overtakes Ethernet ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leads:
    """ATM's bandwidth over Ethernet's, by size, of one library."""

    variant: str
    ratios: dict[int, Estimate]
    """By size, rising; above 1 ATM is faster."""
    point: Estimate | None
    """From how many bytes on ATM is; None where it doesn't overtake Ethernet, or undecided."""
    crowded: bool
    """Measured with more PEs than cores."""

    @property
    def decided(self) -> dict[int, bool]:
        """Whether it is ATM that is faster, at the sizes where the interval says so."""
        bounds = {size: estimate.bounds for size, estimate in self.ratios.items()}
        return {
            size: bound[0] > 1
            for size, bound in bounds.items()
            if bound is not None and not bound[0] <= 1 <= bound[1]
        }

    @property
    def ahead(self) -> str | None:
        """The network that is faster wherever it is decided; None: each is somewhere.

        None, too, where it isn't decided at the end at which the other would be faster: the
        smallest size is Ethernet's, the largest ATM's, and the curves may cross before it.
        """
        decided = self.decided
        if set(decided.values()) == {True}:
            return ATM if min(self.ratios) in decided else None
        if set(decided.values()) == {False}:
            return ETHERNET if max(self.ratios) in decided else None
        return None

    @property
    def where(self) -> str:
        """At which sizes the network that is ahead is."""
        decided = len(self.decided) == len(self.ratios)
        return "at every size" if decided else "wherever it is decided"

    @property
    def overtakes(self) -> bool:
        """Whether ATM is faster only beyond sizes at which Ethernet is."""
        atm, ethernet = (
            [s for s, is_atm in self.decided.items() if is_atm is side] for side in (True, False)
        )
        return bool(atm and ethernet) and min(atm) > max(ethernet)


def leads(results: Results, variant: str) -> Leads:
    """Leads up to the paper's largest message; UnmeasuredError where a network lacks them."""
    atm, ethernet = (bandwidths(results, network(name), variant) for name in (ATM, ETHERNET))
    common = sorted(atm.keys() & ethernet.keys())
    if not common:
        raise UnmeasuredError(f"{variant}: a size that was measured over both networks")
    ratios = {size: ratio(atm[size], ethernet[size]) for size in common}
    crowded = any(quantity.crowded for side in (atm, ethernet) for quantity in side.values())
    without_point = Leads(variant, ratios, None, crowded)
    if not without_point.overtakes:
        return without_point
    # the runs' blocks are independent, so that any pairs of them are as good as these, in their
    # order; a longer run's last ones have no partner
    blocks = min(len(quantity.logs) for side in (atm, ethernet) for quantity in side.values())
    behind = np.array([ethernet[n].logs[:blocks] - atm[n].logs[:blocks] for n in common])
    point = overtaken_at(common, behind)
    return replace(without_point, point=point)
