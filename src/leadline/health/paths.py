"""The path between two hosts of which each is sound beside others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from leadline.health.centre import values_by_pair, votes
from leadline.health.diagnosis import rounds_needed
from leadline.health.matchings import HostPair
from leadline.health.observations import OF_LINKS, Observation, Symptom, Tolerances
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import median

PATHS_ERROR = 0.01
"""Probability that any path named is sound, for all pairs of all hosts and both symptoms."""


@dataclass(frozen=True, slots=True)
class SlowPath:
    """A pair that was slower than tolerated whenever it was looked at."""

    pair: HostPair
    symptom: Symptom
    log_slowness: Estimate
    """Above the median of the hosts."""
    certain: bool
    """Whether it was looked at often enough: that a sound one is slow every time is by chance."""


def slow_paths(
    observations: Sequence[Observation],
    hosts: Sequence[str],
    sound: Collection[str],
    tolerances: Tolerances,
) -> Iterator[SlowPath]:
    """The pairs of `sound` hosts that never were as fast as tolerated.

    A sound pair is slow each of k times with a probability of 2^-k at most, so that one look more
    mostly clears it. `hosts` are all that the examination began with: as many pairs might err.
    """
    tests = len(OF_LINKS) * len(hosts) * (len(hosts) - 1) // 2
    for symptom in OF_LINKS:
        centre = votes(observations, symptom, sound).centre()
        for pair, values in values_by_pair(observations, symptom, sound).items():
            if min(values) - centre > tolerances.of(symptom):
                certain = len(values) >= rounds_needed(tests, PATHS_ERROR)
                confidence = 1 - 2 * PATHS_ERROR / tests
                slowness = median([value - centre for value in values], confidence)
                yield SlowPath(pair, symptom, slowness, certain)
