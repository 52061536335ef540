"""Core-to-core latency between two ranks that are stepped in virtual time, disturbed as told."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.kernels import NATIVE

from leadline.kernels.build import SOURCES
from leadline.native.compiler import C_FLAGS, c_compiler, run

SOURCE = SOURCES / "channel" / "core_latency.c"
STEPPED = NATIVE / "stepped_core_latencies.c"
RANKS = ("FIRST", "SECOND")
FUNCTIONS = ("core_latency_ns", "core_latency_open")
READING_NS = 30
"""What a reading of the clock takes there."""


@dataclass(frozen=True)
class Rank:
    """A rank of a scenario: which slices it takes, and when it ends."""

    number: int
    first: int = 1
    count: int = 3
    ends_before: int = -1
    """Operation of its; -1: none."""

    def __str__(self) -> str:
        return f"{self.number} {self.first} {self.count} {self.ends_before}"


ABSENT = Rank(-1)


@dataclass(frozen=True)
class Away:
    """A rank, 0 or 1 by its place, has no core for a while before its operation number `op`."""

    rank: int
    op: int
    ns: int

    def __str__(self) -> str:
        return f"{self.rank} {self.op} {self.ns}"


@dataclass(frozen=True)
class Scenario:
    """Two ranks, what a store takes until both see it, and when they have no core."""

    ranks: tuple[Rank, Rank] = (Rank(0), Rank(1))
    far_ns: int = 50
    away: tuple[Away, ...] = ()
    kept: bool = False
    """Whether the pages are as the scenario before left them."""

    def __str__(self) -> str:
        first, second = self.ranks
        away = " ".join(map(str, (len(self.away), *self.away)))
        return f"{int(self.kept)} {self.far_ns} {first} {second} {away}"


@dataclass(frozen=True)
class Taken:
    """A slice of a rank."""

    found_ns: int
    took_ns: int
    ops_before: int


Played = dict[int, dict[int, Taken]]
"""By place of the rank and number of the slice."""


def stepped(into: Path, text: str) -> Path:
    """The program that plays scenarios; `text` is core_latency.c, or has a fault."""
    source = into / "core_latency.c"
    source.write_text(text)
    words = [c_compiler(), *C_FLAGS, f"-I{SOURCES}"]
    objects = []
    for rank in RANKS:
        objects.append(str(into / f"{rank}.o"))
        names = [f"-D{name}={rank}_{name}" for name in FUNCTIONS]
        run([*words, "-fsanitize=thread", *names, "-c", str(source), "-o", objects[-1]], {})
    target = into / "stepped"
    wrapped = "-Wl,--wrap=clock_gettime"
    run([*words, str(STEPPED), *objects, wrapped, "-o", str(target)], {})
    return target


def played(program: Path, scenarios: Sequence[Scenario]) -> list[Played]:
    """What each of `scenarios` came to."""
    done = ending(program, scenarios)
    assert done.returncode == 0, done.stderr
    came_to: list[Played] = [{} for _ in scenarios]
    for line in done.stdout.splitlines():
        number, rank, slice_, *taken = map(int, line.split())
        came_to[number].setdefault(rank, {})[slice_] = Taken(*taken)
    return came_to


def ending(program: Path, scenarios: Sequence[Scenario]) -> subprocess.CompletedProcess[str]:
    lines = "".join(f"{scenario}\n" for scenario in scenarios)
    return subprocess.run([program], input=lines, capture_output=True, text=True, check=False)
