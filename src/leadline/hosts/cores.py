"""Assignment of ranks to cores; emulated hosts of one machine share its cores."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Core = tuple[str, int]
"""Machine, and the number of one of its cores."""


MOST_CORES = 1 << 16
"""Most cores of a host that a list is accepted for."""


@dataclass(frozen=True, slots=True)
class Site:
    """Host as it was before anything was planned."""

    name: str
    """Name that it gives itself."""
    machine: str
    """Boot id of its machine: containers and emulated hosts with the same id share its cores."""
    cores: tuple[int, ...]
    """Cores that ranks may use there, in the order in which they are taken; one listed twice takes
    two ranks before its turn is over. Never empty."""
    asked: str = ""
    """Name in --hosts; empty: it is this host, which wasn't asked."""

    def is_that_of(self, name: str, machine: str) -> bool:
        """Whether a process that reports this name and machine runs here."""
        return (self.name, self.machine) == (name, machine)


@dataclass(frozen=True, slots=True)
class Seating:
    """Cores that the ranks of a launch are bound to."""

    seats: tuple[Core, ...]
    """Core of each rank, then of each rank's second thread, and so on."""

    @property
    def cores(self) -> tuple[int, ...]:
        """Numbers of the cores, each as its machine counts."""
        return tuple(number for _, number in self.seats)

    @property
    def taken(self) -> int:
        """Number of different cores that have a rank."""
        return len(set(self.seats))

    @property
    def oversubscribed(self) -> bool:
        """Whether a core has two ranks, or threads of them."""
        return self.taken < len(self.seats)


def cores_of(sites: Sequence[Site]) -> set[Core]:
    """All cores that ranks may use, each once."""
    return {(site.machine, core) for site in sites for core in site.cores}


def seated(sites: Sequence[Site], threads: int = 1) -> Seating:
    """Seating of each rank on the least loaded core that it may use; of several, the first.

    Args:
        sites: Site of each rank.
        threads: Number of threads of each rank; second ones are placed after all first ones.
    """
    seats: list[Core] = []
    load = Counter[Core]()
    for site in [*sites] * threads:
        turns = Counter(site.cores)
        rounds = {(site.machine, core): load[site.machine, core] // turns[core] for core in turns}
        seats.append(min(rounds, key=rounds.__getitem__))
        load[seats[-1]] += 1
    return Seating(tuple(seats))


def repeated(cores: Sequence[int]) -> Sequence[int]:
    """Shortest list that gives `cores` when it is repeated, the last time perhaps in part.

    By the lengths of the longest borders of its prefixes (Knuth, Morris and Pratt 1977).
    """
    borders = [0] * len(cores)
    length = 0
    for place in range(1, len(cores)):
        while length and cores[place] != cores[length]:
            length = borders[length - 1]
        length += cores[place] == cores[length]
        borders[place] = length
    return cores[: len(cores) - length]


def parse_cores(ranges: str) -> tuple[int, ...]:
    """Cores in "0-63,128", as the system lists them; ValueError where it is no such list."""
    parts = [part.partition("-") for part in ranges.split(",") if part]
    runs = [range(int(first), int(last or first) + 1) for first, _, last in parts]
    if sum(map(len, runs)) > MOST_CORES:
        raise ValueError(f"no host has more than {MOST_CORES:,} cores")
    return tuple(itertools.chain.from_iterable(runs))
