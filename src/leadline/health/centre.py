"""What is usual among sound hosts: the centre that a host is compared with, without its own part.

A pair that was met often counts once: a doubtful host is met by the same few sound ones again and
again, and would draw their medians to its own.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from leadline.health.matchings import HostPair
from leadline.health.observations import Observation, Symptom
from leadline.statistics.intervals import Floats


@dataclass(frozen=True, slots=True)
class Votes:
    """The median of each pair of sound hosts in one symptom."""

    hosts: tuple[str, ...]
    medians: Floats
    """Median of each pair over its rounds, shape (hosts, hosts); nan where a pair wasn't met."""

    def centre(self, quantile: float = 0.5) -> float:
        """The median over hosts of each one's `quantile` over partners; nan without a pair."""
        each = _row_quantiles(self.medians, quantile)
        return float(_row_quantiles(each[None, :], 0.5)[0])

    def centres_without(self, quantile: float) -> dict[str, float]:
        """By host the median over the others of each one's `quantile` over partners.

        The host and what its partners showed beside it count for nothing; nan without a pair.
        """
        number = np.arange(len(self.hosts))
        each = _quantiles_without(self.medians, quantile)
        each[number, number] = math.nan
        return dict(zip(self.hosts, _row_quantiles(each, 0.5).tolist(), strict=True))


def votes(observations: Iterable[Observation], symptom: Symptom, sound: Collection[str]) -> Votes:
    """Votes of the pairs whose hosts are both `sound`."""
    hosts = tuple(sorted(sound))
    place = {host: number for number, host in enumerate(hosts)}
    medians = np.full((len(hosts), len(hosts)), math.nan)
    for pair, values in values_by_pair(observations, symptom, sound).items():
        row, column = place[pair[0]], place[pair[1]]
        medians[row, column] = medians[column, row] = median(values)
    return Votes(hosts, medians)


def values_by_pair(
    observations: Iterable[Observation], symptom: Symptom, sound: Collection[str]
) -> dict[HostPair, Sequence[float]]:
    """All values of pairs of `sound` hosts, in the order of the rounds."""
    by_pair: dict[HostPair, list[float]] = {}
    for observation in observations:
        if observation.symptom is symptom and all(host in sound for host in observation.pair):
            by_pair.setdefault(observation.pair, []).append(observation.log_slowness)
    return {pair: tuple(values) for pair, values in by_pair.items()}


def _row_quantiles(rows: Floats, quantile: float) -> Floats:
    """Quantile of each row, shape (n, m), between its neighbouring values; nan is left out."""
    nothing = np.full((len(rows), 1), math.nan)
    quantiles: Floats = _quantiles_without(np.append(rows, nothing, axis=1), quantile)[-1]
    return quantiles


def _quantiles_without(rows: Floats, quantile: float) -> Floats:
    """Quantile of each row without one of its columns, at [column, row]; nan: nothing is left."""
    ordered, known = np.sort(rows, axis=1), ~np.isnan(rows)  # nan comes last
    rank = np.argsort(np.argsort(rows, axis=1), axis=1)
    kept = np.sum(known, axis=1)[:, None] - known
    at = np.maximum(kept - 1, 0) * quantile
    below = np.floor(at).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(kept - 1, 0))

    def picked(column: npt.NDArray[np.int64]) -> Floats:
        behind = column + (known & (column >= rank))
        return np.take_along_axis(ordered, np.minimum(behind, rows.shape[1] - 1), axis=1)

    low, high = picked(below), picked(above)
    return np.where(kept > 0, low + (at - below) * (high - low), math.nan).T
