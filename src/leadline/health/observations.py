"""What a round of pairs showed, as numbers whose growth means worse."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

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
"""What a single path between two hosts, too, can be slow by."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One number of one pair in one round."""

    pair: HostPair
    symptom: Symptom
    log_slowness: float
    """The natural logarithm of a time, or of what is proportional to one: larger is worse."""


@dataclass(frozen=True, slots=True)
class Tolerances:
    """How much slower than the median is still in order; factors above 1, of time."""

    latency: float = 1.5
    rate: float = 1 / 0.9
    stalls: float = 2.0

    def of(self, symptom: Symptom) -> float:
        """The natural logarithm of that for `symptom`."""
        factors: Mapping[Symptom, float] = {
            Symptom.LATENCY: self.latency,
            Symptom.RATE: self.rate,
            Symptom.STALLS: self.stalls,
        }
        return math.log(factors[symptom])


@dataclass(frozen=True, slots=True)
class Round:
    """What came of one round."""

    pairs: tuple[HostPair, ...]
    observations: tuple[Observation, ...]

    @property
    def silent(self) -> tuple[HostPair, ...]:
        """The pairs of which nothing came."""
        heard = {one.pair for one in self.observations}
        return tuple(pair for pair in self.pairs if pair not in heard)
