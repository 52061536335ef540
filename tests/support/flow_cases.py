"""Tasks on shared resources: written by hand, random ones, and the slow way to their times."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leadline.simulate.flow import TaskGraph, flow
from leadline.topology.networks import Float64

TOGETHER = 1e-9


@dataclass(frozen=True)
class Task:
    """A task as a test writes it."""

    size: float = 0
    route: Sequence[int] = ()
    delay: float = 0
    most: float = math.inf
    after: Sequence[int] = ()


def graph_of(
    tasks: Sequence[Task],
    capacities: Sequence[float],
    crowds: Mapping[int, tuple[int, float]] | None = None,
) -> TaskGraph:
    """The graph of `tasks`; `crowds` has (crowd, factor) of some resources."""
    crowd = np.full(len(capacities), 2**62)
    crowded = np.ones(len(capacities))
    for resource, (number, factor) in (crowds or {}).items():
        crowd[resource], crowded[resource] = number, factor
    route_starts, routes = _rows([task.route for task in tasks])
    after_starts, after = _rows([task.after for task in tasks])
    return TaskGraph(
        capacity_bytes_per_s=np.array(capacities, dtype=np.float64),
        delay_s=np.array([task.delay for task in tasks], dtype=np.float64),
        size_bytes=np.array([task.size for task in tasks], dtype=np.float64),
        most_bytes_per_s=np.array([task.most for task in tasks], dtype=np.float64),
        route_starts=route_starts,
        routes=routes,
        after_starts=after_starts,
        after=after,
        crowd=crowd if crowds else None,
        crowded=crowded if crowds else None,
    )


def _rows(lists: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return starts, np.array([item for row in lists for item in row], dtype=np.int64)


# -- the slow way ----------------------------------------------------------------------------------


class Slowly:
    """All rates from nothing after every event, by filling all flows alike."""

    def __init__(
        self,
        tasks: Sequence[Task],
        capacities: Sequence[float],
        crowds: Mapping[int, tuple[int, float]] | None = None,
    ) -> None:
        """Takes what graph_of takes."""
        self._tasks, self._capacities, self._crowds = tasks, capacities, crowds or {}
        self._left = {i: task.size for i, task in enumerate(tasks)}
        self._due: dict[int, float] = {}
        self._flows: set[int] = set()
        self.ended = np.full(len(tasks), np.nan)

    def run(self) -> Float64:
        """When each task ends."""
        now = 0.0
        self._begin(now)
        while self._due or self._flows:
            rates = self._rates()
            finish = {i: now + self._left[i] / rates[i] for i in self._flows}
            until = min([*self._due.values(), *finish.values()])
            if until > now:
                self._left |= {i: self._left[i] - rates[i] * (until - now) for i in self._flows}
            now = until
            self._happen(now, finish)
        return self.ended

    def _happen(self, now: float, finish: Mapping[int, float]) -> None:
        """All that is due, and what follows at once."""
        over = {i for i, time in finish.items() if time <= now * (1 + TOGETHER)}
        self._flows -= over
        while over or any(time <= now * (1 + TOGETHER) for time in self._due.values()):
            for i in [i for i, time in self._due.items() if time <= now * (1 + TOGETHER)]:
                del self._due[i]
                (self._flows if self._tasks[i].size else over).add(i)
            self.ended[list(over)] = now
            over = set()
            self._begin(now)

    def _begin(self, now: float) -> None:
        for i, task in enumerate(self._tasks):
            begun = i in self._due or i in self._flows or not math.isnan(self.ended[i])
            if not begun and not any(math.isnan(self.ended[j]) for j in task.after):
                self._due[i] = now + task.delay

    def _rates(self) -> dict[int, float]:
        rates: dict[int, float] = {}
        while len(rates) < len(self._flows):
            full = {r: self._full_at(r, rates) for r in range(len(self._capacities))}
            level = min(
                [*full.values(), *(self._tasks[i].most for i in self._flows if i not in rates)]
            )
            for i in self._flows - rates.keys():
                held = any(full[r] <= level * (1 + TOGETHER) for r in self._tasks[i].route)
                if held or self._tasks[i].most <= level or level == math.inf:
                    rates[i] = level
        return rates

    def _full_at(self, resource: int, rates: Mapping[int, float]) -> float:
        users = [i for i in self._flows if resource in self._tasks[i].route]
        rising = [i for i in users if i not in rates]
        number, factor = self._crowds.get(resource, (len(users), 1.0))
        capacity = self._capacities[resource] * (factor if len(users) > number else 1)
        used = sum(rates[i] for i in users if i in rates)
        return max(capacity - used, 0) / len(rising) if rising else math.inf


# -- random ones -----------------------------------------------------------------------------------


def random_case(
    random: np.random.Generator,
) -> tuple[list[Task], list[float], dict[int, tuple[int, float]]]:
    """A few tasks on a few resources, half of the cases with many equal times and rates."""
    plain = random.random() < 0.5
    resources = int(random.integers(1, 9))
    capacities = [
        float(random.choice([1, 2, 4]) if plain else random.random()) for _ in range(resources)
    ]
    crowds = {
        r: (int(random.integers(0, 4)), float(random.choice([0.5, 0.8, 1.5])))
        for r in range(resources)
        if random.random() < 0.1
    }
    tasks = [
        _random_task(random, number, resources, plain) for number in range(random.integers(1, 16))
    ]
    return tasks, capacities, crowds


def _random_task(random: np.random.Generator, number: int, resources: int, plain: bool) -> Task:
    length = int(random.integers(0, min(resources, 4) + 1))
    before = int(random.integers(0, 3)) if number and random.random() < 0.4 else 0
    return Task(
        size=float(random.integers(0, 4)) if plain else random.random(),
        route=random.choice(resources, length, replace=False).tolist(),
        delay=float(random.integers(0, 2)) if plain else random.random() * random.integers(0, 2),
        most=float(random.choice([0.5, 1])) if random.random() < 0.2 else math.inf,
        after=random.choice(number, min(before, number), replace=False).tolist(),
    )


def check_random_case(seed: int) -> None:
    """The random case `seed` ends as it does the slow way."""
    case = random_case(np.random.default_rng(seed))
    found, slowly = flow(graph_of(*case)).ended_s, Slowly(*case).run()
    assert np.allclose(found, slowly, rtol=1e-7, atol=0), (seed, found, slowly)


if __name__ == "__main__":  # the library that is named first, then how many
    import leadline.simulate.flow

    setattr(leadline.simulate.flow, "flow_library", lambda: sys.argv[1])  # noqa: B010
    for case_number in range(int(sys.argv[2])):
        check_random_case(case_number)
