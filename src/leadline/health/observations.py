"""What a round of pairs showed, as numbers whose growth means worse; and how drift is removed.

Machines and networks drift: what a round changed for all pairs at once is taken out. Otherwise
hosts and pairs that are measured late would differ from others by what changed meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from statistics import median

from leadline.health.matchings import HostPair


class Symptom(StrEnum):
    """What is observed of a pair."""

    LATENCY = "latency"
    """Half the round trip of a small message."""
    RATE = "rate"
    """Bytes of a large message over what it takes longer than a small one."""
    STALLS = "stalls"
    """The mean time of a small message over that of the best batch: a host that is stopped again
    and again needs many times as long, though what it does in between is fast."""


OF_LINKS = (Symptom.LATENCY, Symptom.RATE)
"""Symptoms by which a single path between two hosts can be slow, too."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One number of one pair in one round."""

    pair: HostPair
    symptom: Symptom
    log_slowness: float
    """The natural logarithm of a time, or of what is proportional to one: larger is worse."""


@dataclass(frozen=True, slots=True)
class Tolerances:
    """How much slower than the median is tolerated: factors above 1, of time."""

    latency: float = 1.5
    rate: float = 1 / 0.9
    stalls: float = 2.0

    def of(self, symptom: Symptom) -> float:
        """The natural logarithm of the factor for `symptom`."""
        factors: Mapping[Symptom, float] = {
            Symptom.LATENCY: self.latency,
            Symptom.RATE: self.rate,
            Symptom.STALLS: self.stalls,
        }
        return math.log(factors[symptom])


@dataclass(frozen=True, slots=True)
class Round:
    """The pairs of one round, and what was observed of them."""

    pairs: tuple[HostPair, ...]
    observations: tuple[Observation, ...]

    @property
    def silent(self) -> tuple[HostPair, ...]:
        """The pairs without any observation."""
        heard = {observation.pair for observation in self.observations}
        return tuple(pair for pair in self.pairs if pair not in heard)


FEWEST_PAIRS = 3
"""Pairs of which a single slow one isn't the median; rounds of fewer stay as they are."""
OWN_SHARE = 4
"""A host's own level is the fastest 1/OWN_SHARE of its values: a sound host's faster quarter is its
own even where half of its partners are slow."""


def undrifted(rounds: Sequence[Round]) -> list[Observation]:
    """All observations, less what their round changed: the median over the round's pairs.

    It is the median of how far each pair lies from the slower of its two hosts, so that slow hosts
    change nothing.
    """
    observations: list[Observation] = []
    for symptom in Symptom:
        by_round = [[o for o in round_.observations if o.symptom is symptom] for round_ in rounds]
        seen: dict[str, list[float]] = {}
        for observation in chain.from_iterable(by_round):
            for host in observation.pair:
                seen.setdefault(host, []).append(observation.log_slowness)
        own = {host: sorted(values)[len(values) // OWN_SHARE] for host, values in seen.items()}
        for observed in by_round:
            change = 0.0
            if len(observed) >= FEWEST_PAIRS:
                change = median(
                    observation.log_slowness - max(own[host] for host in observation.pair)
                    for observation in observed
                )
            observations += (
                replace(observation, log_slowness=observation.log_slowness - change)
                for observation in observed
            )
    return observations
