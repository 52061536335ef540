"""Which core each rank takes; a machine has its cores once, however many hosts it plays."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Core = tuple[str, int]
"""A machine, and the number of one of its cores there."""


MOST_CORES = 1 << 16
"""Of a host, as far as lists are believed."""


@dataclass(frozen=True, slots=True)
class Site:
    """A host as it was before anything was planned."""

    name: str
    """What it calls itself."""
    machine: str
    """The id of its machine's boot: containers and emulated hosts with the same share its cores."""
    cores: tuple[int, ...]
    """That ranks may use there, in the order in which they take them; one named twice takes two
    before its turn is over. Never empty."""
    asked: str = ""
    """Its name in --hosts; empty: nobody asked, it is this host."""

    def is_that_of(self, name: str, machine: str) -> bool:
        """Whether a process that says so runs here."""
        return (self.name, self.machine) == (name, machine)


@dataclass(frozen=True, slots=True)
class Seating:
    """What the ranks of a launch sit on."""

    seats: tuple[Core, ...]
    """Of each rank, then of each rank's second thread, and so on."""

    @property
    def cores(self) -> tuple[int, ...]:
        """The numbers of the cores, each as its machine counts."""
        return tuple(number for _, number in self.seats)

    @property
    def taken(self) -> int:
        """How many different cores have a rank."""
        return len(set(self.seats))

    @property
    def oversubscribed(self) -> bool:
        """Whether a core has two ranks, or threads of them."""
        return self.taken < len(self.seats)


def cores_of(sites: Sequence[Site]) -> set[Core]:
    """All that ranks may use, each once."""
    return {(site.machine, core) for site in sites for core in site.cores}


def seated(sites: Sequence[Site], threads: int = 1) -> Seating:
    """Each rank on the least loaded core that it may use; of several, the first.

    Args:
        sites: Of each rank.
        threads: Of each rank; second ones sit down when all first ones have.
    """
    seats: list[Core] = []
    load = Counter[Core]()
    for site in [*sites] * threads:
        seats.append(_least_loaded(site, load))
        load[seats[-1]] += 1
    return Seating(tuple(seats))


def _least_loaded(site: Site, load: Counter[Core]) -> Core:
    turns = Counter(site.cores)
    return min(
        ((site.machine, core) for core in turns), key=lambda seat: load[seat] // turns[seat[1]]
    )


def repeated(cores: Sequence[int]) -> Sequence[int]:
    """The shortest list that makes `cores` when it is repeated, the last time perhaps in part.

    By the lengths of the longest borders of its beginnings (Knuth, Morris and Pratt 1977).
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
    """The cores in "0-63,128", as the system lists them; ValueError for what is no such list."""
    parts = [part.partition("-") for part in ranges.split(",") if part]
    runs = [range(int(first), int(last or first) + 1) for first, _, last in parts]
    if sum(map(len, runs)) > MOST_CORES:
        raise ValueError(f"no host has more than {MOST_CORES:,} cores")
    return tuple(itertools.chain.from_iterable(runs))
