"""Which state the ranks' cores are in most of the time, as a campaign goes on.

Which slices count in the end is decided by `compare`, over the whole run.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from leadline.compare.handovers import FAR, seats_of, tells_state
from leadline.record.run import Configuration
from leadline.record.slices import Slice


class CoreStates:
    """Of what a campaign has taken so far."""

    def __init__(self) -> None:
        """Of a campaign that has not begun."""
        self._seats: dict[int, Hashable] = {}
        """The cores that a configuration's ranks sit on."""
        self._least_ns: dict[tuple[Hashable, int], int] = {}
        """By the cores that ranks sit on, and rank."""
        self._near = self._far = 0
        """Visits that have a slice in the state."""
        self._lasts = False
        """The other state, as a slice that was taken again was in it too."""

    def know(self, index: int, configuration: Configuration) -> None:
        """Introduces a configuration; some tell no state."""
        if tells_state(configuration):
            self._seats[index] = seats_of(configuration)

    def is_other(self, taken: Slice) -> bool:
        """Whether its cores weren't in the state that most visits so far have; no if unknown."""
        return self._is_far(taken) is (self._far <= self._near)

    def worth_again(self, taken: Slice) -> bool:
        """Takes it in, and says whether to take it again for its state; not where that lasts."""
        self._learn(taken)
        other = self.is_other(taken)
        self._lasts = other and (self._lasts or taken.attempt > 0)
        return other and not self._lasts

    def end_visit(self, attempts: Iterable[Slice]) -> None:
        """Counts a visit, by all that was taken in it; each was taken in before."""
        seen = {self._is_far(taken) for taken in attempts}
        self._near += False in seen
        self._far += True in seen

    def _learn(self, taken: Slice) -> None:
        """Where it shows what was the least so far to be far, all visits so far were."""
        handed = self._handovers_ns(taken)
        if any(ns * FAR <= self._least_ns.get(line, ns) for line, ns in handed.items()):
            self._near, self._far = 0, self._near + self._far
        for line, ns in handed.items():
            self._least_ns[line] = min(ns, self._least_ns.get(line, ns))

    def _is_far(self, taken: Slice) -> bool | None:
        """None: it isn't known."""
        handed = self._handovers_ns(taken)
        far = any(ns >= FAR * self._least_ns.get(line, ns) for line, ns in handed.items())
        return far if handed else None

    def _handovers_ns(self, taken: Slice) -> dict[tuple[Hashable, int], int]:
        """By the cores that ranks sit on, and rank, of those that are known."""
        seats = self._seats.get(taken.configuration)
        if seats is None or taken.disturbance is None:
            return {}
        ranks = (*taken.ranks.tolist(), *taken.others.tolist())
        handed = zip(ranks, taken.disturbance.handover_ns.tolist(), strict=True)
        return {(seats, rank): ns for rank, ns in handed if ns > 0}
