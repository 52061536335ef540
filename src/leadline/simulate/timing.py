"""How long an operation takes: by whose clock and from when, as in measurements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leadline.patterns.pattern import PatternChoice
from leadline.record.run import Cadence, Cell, WhoseTime
from leadline.simulate.matching import RankSteps, are, ranks_of
from leadline.simulate.tasks import Tasks
from leadline.topology.networks import Float64
from leadline.topology.phases import CallKind

STREAMED = 4
"""Timed repetitions of the streaming cadence, back to back, after a first one."""
MOST_ROOTS = 16
"""Most roots that isolated operations are simulated from, where the root rotates."""
ROOT = 0
"""The rank whose time counts where the root's does."""


@dataclass(frozen=True, slots=True)
class Timed:
    """The time of an operation, and the share in which an application's ranks communicate."""

    seconds: float
    communication_share: float | None = None
    """The mean over ranks; None: it is no application, or computes at no cost."""
    communication_most: float | None = None
    """The share of the rank with the largest."""


def repetitions_of(cell: Cell) -> int:
    """Number of repetitions: one from a common start, or a first and those that are timed."""
    return 1 if cell.cadence is Cadence.ISOLATED else 1 + STREAMED


def roots_of(choice: PatternChoice, cell: Cell, ranks: int) -> tuple[int, ...]:
    """The roots that are simulated, each by itself, from the chosen one on and around.

    Where the root of isolated operations rotates all ranks, or MOST_ROOTS evenly apart; else one.
    """
    if not choice.rotates or cell.cadence is not Cadence.ISOLATED:
        return (choice.root,)
    apart = np.linspace(0, ranks, min(ranks, MOST_ROOTS), endpoint=False).astype(int)
    return tuple(((choice.root + apart) % ranks).tolist())


def seconds_of(tasks: Tasks, ended: Float64, cell: Cell) -> float:
    """The time of one operation or message of `cell`, s.

    Isolated: from the common start until it has ended; streaming: a repetition's share of the time
    from the end of the first to the end of the last.

    Args:
        tasks: Tasks of as many repetitions as `repetitions_of` says.
        ended: Shape (tasks,), s.
        cell: Says whose time counts, and how many messages a repetition has.
    """
    of_ranks = _rank_seconds(tasks, ended, cell)
    whole = of_ranks[ROOT] if cell.whose_time is WhoseTime.ROOT else np.max(of_ranks)
    return float(whole) / cell.messages_per_repetition


def communicating_shares(tasks: Tasks, ended: Float64, cell: Cell) -> Float64:
    """Shape (ranks,): the share of its time that each rank sends, receives or waits.

    Arguments as for `seconds_of`; 0 for a rank that takes no time.
    """
    work = are(tasks.calls, CallKind.WORK)
    counted = np.flatnonzero(work & (tasks.calls.repetition >= (repetitions_of(cell) > 1)))
    computed = np.zeros(tasks.calls.ranks)
    np.add.at(computed, ranks_of(tasks.calls)[counted], tasks.graph.delay_s[counted])
    took = _rank_seconds(tasks, ended, cell) * max(1, repetitions_of(cell) - 1)
    shares = 1.0 - np.divide(computed, took, out=np.ones_like(took), where=took > 0)
    return np.clip(shares, 0.0, 1.0)


def _rank_seconds(tasks: Tasks, ended: Float64, cell: Cell) -> Float64:
    """Shape (ranks,): each rank's time of a repetition, s."""
    repetitions = repetitions_of(cell)
    ends = ended[tasks.numbers.end(np.arange(len(tasks.steps.rank)))]
    until = _ends(tasks.steps, ends, repetitions - 1, tasks.calls.ranks)
    begun = _ends(tasks.steps, ends, 0, tasks.calls.ranks) if repetitions > 1 else 0.0
    return np.asarray((until - begun) / max(1, repetitions - 1))


def _ends(steps: RankSteps, ends: Float64, repetition: int, ranks: int) -> Float64:
    """Shape (ranks,): when each ended its last step of a repetition; 0: it had none."""
    found = np.zeros(ranks)
    own = steps.repetition == repetition
    np.maximum.at(found, steps.rank[own], ends[own])
    return found
