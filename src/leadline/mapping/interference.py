"""Jobs that share a network: what the traffic of one adds to the links of the others.

Links are shared even where nodes aren't: a job whose nodes lie scattered sends through the nodes
between them. So fragmentation also slows the jobs that run already (Mueller and Resch 1998, PE
mapping and the contention problem on the T3E).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.mapping import Metrics, RankMapping, evaluate, link_loads
from leadline.topology.allocation import Allocation
from leadline.topology.job import Job, partitions
from leadline.topology.networks import Float64, Int64

Mapper = Callable[[Job], RankMapping]


@dataclass(frozen=True, slots=True)
class Division:
    """Jobs on their slots, each with its ranks placed."""

    jobs: tuple[Job, ...]
    permutations: tuple[Int64, ...]
    """For each job the slot of its allocation that holds each rank."""
    metrics: tuple[Metrics, ...]
    traffic: Float64
    """Shape (jobs, jobs): on the links that job i uses, the load that job j puts there."""

    @property
    def foreign(self) -> float:
        """The load that jobs put on the links of others, all together."""
        return float(self.traffic.sum() - np.trace(self.traffic))

    @property
    def cost(self) -> tuple[float, float]:
        """The key that is least for the best division: foreign load, then hop-bytes."""
        return self.foreign, float(sum(metrics.hop_bytes for metrics in self.metrics))


@dataclass(frozen=True, slots=True)
class Sharing:
    """The same jobs before, with mapped ranks, and with the machine divided again."""

    before: Division
    mapped: Division
    divided: Division


def share_machine(
    pool: Allocation, jobs: Sequence[Job], rough: Mapper, thorough: Mapper
) -> Sharing:
    """The interference of jobs as they are, mapped where they are, and in the best division.

    The best division is never worse than the mapped one by Division.cost.

    Args:
        pool: Slots that the jobs may be moved to.
        jobs: On disjoint slots.
        rough: Maps a job fast, to choose among the divisions.
        thorough: Maps a job as well as is asked for.
    """
    before = _divided(jobs, [np.arange(len(job.allocation), dtype=np.int64) for job in jobs])
    mapped = _mapped(jobs, thorough)
    distinct = {tuple(part.tobytes() for part in parts): parts for parts in partitions(pool, jobs)}
    candidates = (
        [
            replace(job, allocation=pool.take(np.sort(part)))
            for job, part in zip(jobs, parts, strict=True)
        ]
        for parts in distinct.values()
    )
    best = min((_mapped(moved, rough) for moved in candidates), key=lambda d: d.cost)
    divided = min(mapped, _mapped(best.jobs, thorough), key=lambda division: division.cost)
    return Sharing(before, mapped, divided)


def _mapped(jobs: Sequence[Job], mapper: Mapper) -> Division:
    return _divided(jobs, [mapper(job).permutation for job in jobs])


def _divided(jobs: Sequence[Job], permutations: Sequence[Int64]) -> Division:
    placed = [
        (job.pattern, job.allocation.machine, permutation)
        for job, permutation in zip(jobs, permutations, strict=True)
    ]
    loads = np.stack([link_loads(*each).ravel() for each in placed]).astype(np.float64)
    return Division(
        jobs=tuple(jobs),
        permutations=tuple(permutations),
        metrics=tuple(evaluate(*each) for each in placed),
        traffic=(loads > 0).astype(np.float64) @ loads.T,
    )
