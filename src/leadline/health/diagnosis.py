"""Hosts, and paths between sound ones, that are certainly slower than tolerated.

A pair is as slow as the slower of its two hosts, or by both delays. A host is met by many partners:
the median over these says what it has itself, as long as most partners are sound. Each round is a
look of its own at a host: launches and partners are others. So how many of k rounds lie beyond a
bound is binomial, whatever the noise is like: that all k do by chance has a probability of 2^-k,
and k = log2(tests / error) rounds decide, of n hosts log2(n) and a constant.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from leadline.health.centre import values_by_pair, votes
from leadline.health.matchings import HostPair
from leadline.health.observations import OF_LINKS, Observation, Symptom, Tolerances
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median, median_rows

ERROR = 0.05
"""Error of each of two statements: any host named is slow, and the bound of all others holds."""


def error_of(look: int) -> float:
    """The error that look number 0, 1, ... spends: 1/2, 1/6, 1/12, ... of ERROR, never more."""
    return ERROR / ((look + 1) * (look + 2))


def rounds_needed(tests: int, error: float) -> int:
    """How many values decide a test, where all of `tests` together may err with `error`."""
    return math.ceil(math.log2(tests / error))


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far a host lies from the median of all, in one symptom."""

    host: str
    symptom: Symptom
    log_slowness: Estimate
    """Above the median of the other sound hosts; each bound alone errs as often as the test may."""
    largest: float
    """Largest of the values that it rests on."""

    @property
    def most(self) -> float | None:
        """How slow the host may be at most; None without an interval."""
        return self.log_slowness.bounds[1] if self.log_slowness.bounds else None

    def beyond(self, tolerances: Tolerances) -> bool:
        """Whether it is certainly slower than tolerated."""
        bounds = self.log_slowness.bounds
        return bounds is not None and bounds[0] > tolerances.of(self.symptom)

    def within(self, tolerances: Tolerances) -> bool:
        """Whether it certainly isn't."""
        return self.most is not None and self.most < tolerances.of(self.symptom)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All deviations at one look."""

    slow: tuple[Deviation, ...]
    """Beyond what is tolerated."""
    others: tuple[Deviation, ...]
    """Deviations of hosts that have none such."""


FEWEST_SOUND = 3
"""Hosts that it takes to say which one is slower than the others."""


def diagnosed(
    observations: Sequence[Observation],
    hosts: Collection[str],
    tolerances: Tolerances,
    confidence: float,
) -> Diagnosis:
    """The deviations of `hosts`, with intervals of `confidence` each.

    The slowest host is named first, and what its partners showed beside it then counts no more, so
    that the next is seen by itself. At first the centre lies among the hosts' faster quarters,
    which sound hosts have of their own even if half of their partners are slow; who isn't slow
    from the median of those that are left, either, isn't named. Values that are too few for an
    interval name nobody, and clear nobody of whom the faster quarters gave cause to doubt.
    """
    sound, named = set(hosts), set[str]()
    while beyond := _beyond(deviations(observations, sound, sound, confidence, 0.25), tolerances):
        worst = max(
            beyond,
            key=lambda deviation: deviation.log_slowness.value / tolerances.of(deviation.symptom),
        )
        sound.remove(worst.host)
        named.add(worst.host)
    judged = deviations(observations, named, sound, confidence)
    slow = _beyond(judged, tolerances)
    intervals = Counter(deviation.host for deviation in judged if deviation.log_slowness.bounds)
    cleared = {host for host in named if intervals[host] == len(Symptom)}
    sound |= cleared - {deviation.host for deviation in slow}
    return Diagnosis(tuple(slow), tuple(deviations(observations, sound, sound, confidence)))


def _beyond(judged: Sequence[Deviation], tolerances: Tolerances) -> list[Deviation]:
    return [deviation for deviation in judged if deviation.beyond(tolerances)]


def deviations(
    observations: Sequence[Observation],
    hosts: Collection[str],
    sound: Collection[str],
    confidence: float,
    quantile: float = 0.5,
) -> list[Deviation]:
    """Deviations of `hosts` beside `sound` partners from the other sound ones' median `quantile`.

    Hosts that no sound partner was beside have none, nor has who isn't beside two others.
    """
    judged = []
    for symptom in Symptom:
        seen = _by_host(observations, symptom, sound)
        usual = votes(observations, symptom, sound)
        centres = usual.centres_without(quantile)
        rows = {
            host: [value - centre for value in seen[host]]
            for host in sorted(seen.keys() & hosts)
            if not math.isnan(centre := centres.get(host, usual.centre(quantile)))
        }
        values = _rows([*rows.values()])
        for host, row, middle in zip(rows, values, median_rows(values, confidence), strict=True):
            judged.append(Deviation(host, symptom, middle, float(np.nanmax(row))))
    return judged


def _rows(values: Sequence[Sequence[float]]) -> Floats:
    """Rows of unequal length as one array, shape (rows, longest), filled up by nan."""
    table = np.full((len(values), max(map(len, values), default=0)), math.nan)
    for row, filled in zip(table, values, strict=True):
        row[: len(filled)] = filled
    return table


def _by_host(
    observations: Sequence[Observation], symptom: Symptom, sound: Collection[str]
) -> dict[str, list[float]]:
    """Values of each host with its `sound` partners, in the order of the rounds."""
    by_host: dict[str, list[float]] = {}
    for observation in observations:
        if observation.symptom is symptom:
            for host, partner in (observation.pair, observation.pair[::-1]):
                if partner in sound:
                    by_host.setdefault(host, []).append(observation.log_slowness)
    return by_host


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
    """Whether it was looked at so often that a sound one is hardly slow every time."""


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
