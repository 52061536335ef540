"""What a pattern's messages cost, fitted to how long the pattern takes.

Its program is simulated, and the costs of messages changed until it takes as long as was measured:
piece by piece from the smallest messages on, each by least squares of relative errors.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from leadline.errors import UsageError
from leadline.models.fitting import nonnegative
from leadline.patterns.pattern import PatternChoice
from leadline.patterns.programs.calls import RankCalls
from leadline.patterns.programs.patterns import calls_of
from leadline.record.run import Cell
from leadline.simulate.execution import ended_s
from leadline.simulate.machine import MachineModel, Profile, ProfilePiece
from leadline.simulate.matching import are
from leadline.simulate.measured_patterns import MeasuredPattern, SizeLine
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import tasks_of
from leadline.simulate.timing import repetitions_of, seconds_of
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools
from leadline.topology.phases import MESSAGES

ROUNDS = 5
"""A time is what its longest chain of messages costs, and that may be another chain after each."""
NEAR = 1e-6
"""Relative errors that need no further round."""
STEP = 1e-3
"""Share of a time by which a cost is changed to compute its slope."""
Priced = Callable[[tuple[ProfilePiece, ...]], Profile]
"""Makes the profile in which messages cost what pieces say."""


@dataclass(frozen=True, slots=True)
class SimulatedCell:
    """A simulated time with the measured one."""

    ranks: int
    size_bytes: int
    simulated_s: float
    measured_s: float

    @property
    def error(self) -> float:
        """|simulated / measured - 1|."""
        return abs(self.simulated_s / self.measured_s - 1)


@dataclass(frozen=True, slots=True, eq=False)
class PatternTrial:
    """A measured pattern that is simulated by one algorithm, with any costs of messages."""

    machine: MachineModel
    measured: MeasuredPattern
    algorithm: str = ""
    """"": the pattern has none."""
    _calls: dict[tuple[int, int], RankCalls] = field(default_factory=dict)

    @property
    def can_be(self) -> bool:
        """Whether the algorithm takes these numbers of ranks."""
        cell = next(iter(self.measured.cells.values()))
        try:
            for ranks in self.measured.ranks:
                self.calls(ranks, cell)
        except UsageError:
            return False
        return True

    def calls(self, ranks: int, cell: Cell) -> RankCalls:
        """The calls of the cell."""
        key = ranks, cell.size_bytes
        if key not in self._calls:
            choice = PatternChoice(self.measured.pattern)
            algorithms = {self.measured.pattern: self.algorithm} if self.algorithm else {}
            self._calls[key] = calls_of(choice, *key, algorithms, repetitions_of(cell))
        return self._calls[key]

    def seconds(self, profile: Profile, ranks: int, size_bytes: int) -> float:
        """The time of the pattern, s."""
        cell = self.measured.cells[size_bytes]
        fabric = fabric_of(self.machine, self.machine.allocate(ranks))
        calls = self.calls(ranks, cell)
        tasks = tasks_of(calls, profile, self.machine.compute, fabric, np.arange(ranks))
        return seconds_of(tasks, ended_s(tasks, cell.pattern), cell)

    def largest_message(self, ranks: int, size_bytes: int) -> int:
        """Bytes of the largest message under way."""
        calls = self.calls(ranks, self.measured.cells[size_bytes])
        return int(np.max(calls.size_bytes[are(calls, *MESSAGES)], initial=0))

    def cells(self, profile: Profile, among: Bools) -> tuple[SimulatedCell, ...]:
        """The cells where `among`, shape (ranks, sizes), is true."""
        own, measured_s = self.measured, self.measured.seconds
        return tuple(
            SimulatedCell(
                ranks=own.ranks[row],
                size_bytes=own.sizes_bytes[column],
                simulated_s=self.seconds(profile, own.ranks[row], own.sizes_bytes[column]),
                measured_s=float(measured_s[row, column]),
            )
            for row, column in np.argwhere(among).tolist()
        )


@dataclass(frozen=True, slots=True)
class _Point:
    """A time that is to be reached."""

    ranks: int
    size_bytes: int
    seconds: float


@dataclass(slots=True)
class _Range:
    """Sizes of messages with one piece of costs, and the times that determine it."""

    least_bytes: int
    points: list[_Point]


def message_costs(
    trial: PatternTrial, lines: Mapping[int, tuple[SizeLine, ...]], priced: Priced
) -> tuple[ProfilePiece, ...]:
    """The costs of messages by size, such that the pattern takes what `lines` say at their ends.

    Args:
        trial: The pattern.
        lines: By number of ranks; those of the fewest determine where pieces begin.
        priced: Makes the profile with these costs.
    """
    pieces: tuple[ProfilePiece, ...] = ()
    for range_ in _ranges(trial, lines):
        pieces = (*pieces, _piece(trial, range_, pieces, priced))
    return pieces


def _ranges(trial: PatternTrial, lines: Mapping[int, tuple[SizeLine, ...]]) -> list[_Range]:
    fewest = min(lines)
    ranges = [_Range(0, _points(fewest, lines[fewest][0]))]
    for before, after in pairwise(lines[fewest]):
        last, first = (
            trial.largest_message(fewest, size)
            for size in (before.sizes_bytes[1], after.sizes_bytes[0])
        )
        begins = math.ceil(math.sqrt(last * first)) if last else first
        if begins > ranges[-1].least_bytes:
            ranges.append(_Range(begins, []))
        ranges[-1].points += _points(fewest, after)
    least = [range_.least_bytes for range_ in ranges]
    for ranks in lines.keys() - {fewest}:
        for point in (point for line in lines[ranks] for point in _points(ranks, line)):
            place = bisect_right(least, trial.largest_message(ranks, point.size_bytes)) - 1
            ranges[place].points.append(point)
    return ranges


def _points(ranks: int, line: SizeLine) -> list[_Point]:
    ends = zip(line.sizes_bytes, line.seconds, strict=True)
    return [_Point(ranks, size, seconds) for size, seconds in dict(ends).items()]


def _piece(
    trial: PatternTrial, of: _Range, before: tuple[ProfilePiece, ...], priced: Priced
) -> ProfilePiece:
    """The piece whose overheads and gap, none below 0, bring the range's times nearest."""
    wanted = np.array([point.seconds for point in of.points])
    largest = max(trial.largest_message(point.ranks, point.size_bytes) for point in of.points)
    steps = STEP * np.array([wanted.min(), wanted.max() / max(1, largest)])

    def taken(costs: Floats) -> Floats:
        profile = priced((*before, _costing(of.least_bytes, costs)))
        seconds = [trial.seconds(profile, point.ranks, point.size_bytes) for point in of.points]
        return np.asarray(np.array(seconds) / wanted)

    costs, best, least = steps / STEP / 2, steps, math.inf
    for _ in range(ROUNDS):
        now = taken(costs)
        if (error := float(np.linalg.norm(now - 1))) < least:
            best, least = costs, error
        if error < NEAR:
            break
        changed = [taken(costs + step) for step in np.diag(steps)]
        slopes = (np.stack(changed, axis=1) - now[:, None]) / steps
        costs = nonnegative(slopes.T @ slopes, slopes.T @ (1 - now + slopes @ costs))
    return _costing(of.least_bytes, best)


def _costing(least_bytes: int, costs: Floats) -> ProfilePiece:
    """A piece with half of the overhead at each end: where it arises is unknown."""
    overhead_s, gap_s_per_byte = costs.tolist()
    return ProfilePiece(least_bytes, overhead_s / 2, overhead_s / 2, gap_s_per_byte)
