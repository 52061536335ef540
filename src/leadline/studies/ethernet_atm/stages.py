"""What the study measures: messages between two hosts, over either network.

Sizes beyond the paper's are stages of their own, that what takes long there leaves blocks to the
others. A mebibyte is a second on the Ethernet each way and a slice of it twenty: it goes over ATM
alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from leadline.measure.spec import Order, VariantSpec
from leadline.studies.published.ethernet_atm import ATM, ETHERNET, LARGEST_BYTES
from leadline.studies.stage import Addition, Stage, StageNetwork

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
    return next(one for one in EMULATED if one.name == name)


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
    order = Order(patterns=(PINGPONG,), sizes=sizes, budget_s=budget_s, patience_s=PATIENCE_S)
    network = StageNetwork(over.stages[0], over.link, PES)
    return Stage(over.stages[number], order, additions=(PAST_THE_DAEMON,), network=network)
