"""Clusters that exist as numbers only: what rounds of pairs would show of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from leadline.health.examination import Examination
from leadline.health.matchings import HostPair
from leadline.health.observations import Observation, Round, Symptom, Tolerances

BASE_LATENCY_S = 20e-6


@dataclass
class Cluster:
    """Hosts h1, h2 ..., their faults, and noise that is lopsided: now and then a pair is slow."""

    number: int
    rates: Mapping[str, float] = field(default_factory=dict)
    """Of the hosts whose link is slow: the share of the others' rate."""
    delays_s: Mapping[str, float] = field(default_factory=dict)
    stalls: Mapping[str, float] = field(default_factory=dict)
    """Of the hosts that stand still: times what they need without."""
    dead: Collection[str] = ()
    paths: Mapping[HostPair, float] = field(default_factory=dict)
    """Share of the rate between two hosts that are sound beside others."""
    cut: Collection[HostPair] = ()
    """Between which no message passes."""
    without_rate: Collection[str] = ()
    """Hosts whose rate can't be told."""
    change: Callable[[int], float] = lambda _: 0.0
    """What round 0, 1, ... changes for all, added to logarithms of times."""
    spread: float = 0.05
    outliers: float = 0.03
    seed: int = 0

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        self.number_of_round = -1

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(f"h{n + 1}" for n in range(self.number))

    def measured(self, pairs: Sequence[HostPair]) -> Round:
        self.number_of_round += 1
        changed = self.change(self.number_of_round)
        seen = [
            Observation(pair, symptom, value + changed + self._noise())
            for pair in pairs
            if not set(pair).intersection(self.dead) and pair not in self.cut
            for symptom, value in self._of(pair).items()
        ]
        return Round(tuple(pairs), tuple(seen))

    def _of(self, pair: HostPair) -> dict[Symptom, float]:
        delay_s = sum(self.delays_s.get(host, 0) for host in pair)
        rate = min([*(self.rates.get(host, 1) for host in pair), self.paths.get(pair, 1)])
        found = {
            Symptom.LATENCY: math.log(BASE_LATENCY_S + delay_s),
            Symptom.RATE: -math.log(rate),
            Symptom.STALLS: math.log(max(self.stalls.get(host, 1) for host in pair)),
        }
        if set(pair).intersection(self.without_rate):
            del found[Symptom.RATE]
        return found

    def _noise(self) -> float:
        outlying = self.random.random() < self.outliers
        return float(self.random.normal(0, self.spread) + outlying * self.random.exponential(0.5))


def examined(cluster: Cluster, most_rounds: int = 100, seed: int = 0) -> Examination:
    """An examination of `cluster`, to its end or for so many rounds."""
    found = Examination(cluster.hosts, Tolerances(), seed)
    for _ in range(most_rounds):
        pairs = found.next_pairs()
        if not pairs:
            break
        found.take(cluster.measured(pairs))
    return found
