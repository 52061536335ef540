"""A machine of measured runs: two ranks' messages as their ping-pong, collectives as they fit best.

Every other size is fitted, the rest is held out: simulated on the machine that was found, and held
to what was measured. A ping-pong can't tell where a message's time goes, so that a half of what is
there at no bytes is the sender's; all else is the library's own limit, and links are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.errors import UsageError
from leadline.kernels.patterns import PatternChoice
from leadline.record.run import Cell
from leadline.simulate.deadlock import ended_s
from leadline.simulate.machine import Compute, Links, MachineModel, Mode, Nic, Profile, ProfilePiece
from leadline.simulate.programs.collectives import ALGORITHMS
from leadline.simulate.programs.patterns import PATTERNS, calls_of
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import tasks_of
from leadline.simulate.timing import repetitions_of, seconds_of

RANKS = 2
PINGPONG = "pingpong"
Timed = tuple[Cell, float]
"""A cell, and the median of its blocks in s."""


@dataclass(frozen=True, slots=True)
class HeldOutTimes:
    """What was held out of one library's pattern, simulated."""

    variant: str
    pattern: str
    algorithm: str
    """That fits best; "": the pattern has none."""
    errors: tuple[float, ...]
    """|simulated / measured - 1|, by size."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A machine, and how far it is from what it wasn't fitted to."""

    machine: MachineModel
    held_out: tuple[HeldOutTimes, ...]


def calibrated(analysis: Analysis, name: str) -> Calibration:
    """The machine called `name` that a run of two ranks shows.

    Raises:
        UsageError: No library's ping-pong was measured on two ranks at three sizes.
        MachineError: There is no C compiler.
    """
    measured = _measured(analysis)
    if not measured:
        raise UsageError(
            f"calibrate needs {PINGPONG} on {RANKS} ranks at 3 sizes at least, the run has none; "
            f"measure it: leadline run --patterns {PINGPONG} --ranks {RANKS}"
        )
    profiles, found = {}, []
    for variant, patterns in measured.items():
        profile = Profile(variant, f"{variant}, as measured", _pieces(patterns[PINGPONG]), {})
        for pattern, timed in patterns.items():
            profile, one = _held_out(profile, pattern, timed)
            found.append(one)
        profiles[variant] = profile
    return Calibration(_machine(name, profiles), tuple(found))


def pieces_through(sizes_bytes: Sequence[int], seconds: Sequence[float]) -> list[ProfilePiece]:
    """A piece from each size to the next: the line through both, neither of its parts below 0.

    A line that would have one passes between both at equal distance in ratio. The first piece
    holds from no bytes on, the last without end.
    """
    pieces = []
    for place in range(len(sizes_bytes) - 1):
        (low, high), (first, last) = sizes_bytes[place : place + 2], seconds[place : place + 2]
        gap = (last - first) / (high - low)
        base = first - gap * low
        if gap < 0:
            gap, base = 0.0, float(np.sqrt(first * last))
        elif base < 0:
            gap, base = float(np.sqrt(first * last / (low * high))), 0.0
        pieces.append(ProfilePiece(low if place else 0, base / 2, base / 2, gap))
    return pieces


def _measured(analysis: Analysis) -> dict[str, dict[str, list[Timed]]]:
    """By variant and pattern in their default form, sizes rising; those with a ping-pong."""
    run, found = analysis.run, dict[str, dict[str, list[Timed]]]()
    for c, configuration in enumerate(run.configurations):
        for k, cell in enumerate(run.cells):
            blocks = analysis.medians.seconds[c, k]
            known = configuration.ranks == RANKS and not np.isnan(blocks).all()
            if known and cell.pattern in (PINGPONG, *ALGORITHMS) and cell.pattern in PATTERNS:
                patterns = found.setdefault(configuration.variant, {})
                patterns.setdefault(cell.pattern, []).append((cell, float(np.nanmedian(blocks))))
    for patterns in found.values():
        for timed in patterns.values():
            timed.sort(key=lambda one: one[0].size_bytes)
    return {name: one for name, one in found.items() if len(one.get(PINGPONG, ())) > RANKS}


def _pieces(timed: Sequence[Timed]) -> dict[Mode, tuple[ProfilePiece, ...]]:
    """Through every other size."""
    fitted = timed[::2]
    sizes = [cell.size_bytes for cell, _ in fitted]
    return {Mode.STANDARD: tuple(pieces_through(sizes, [seconds for _, seconds in fitted]))}


def _held_out(
    profile: Profile, pattern: str, timed: Sequence[Timed]
) -> tuple[Profile, HeldOutTimes]:
    """The profile with the algorithm that is nearest at the fitted sizes, and its errors."""
    choices = [
        replace(profile, collectives={**profile.collectives, pattern: algorithm})
        for algorithm in ALGORITHMS.get(pattern, ())
    ]
    best = min(choices or [profile], key=lambda one: float(np.median(_errors(one, timed[::2]))))
    errors = _errors(best, timed[1::2])
    algorithm = best.collectives.get(pattern, "")
    return best, HeldOutTimes(profile.name, pattern, algorithm, tuple(errors))


def _errors(profile: Profile, timed: Sequence[Timed]) -> list[float]:
    machine = _machine(profile.name, {profile.name: profile})
    return [abs(_seconds(machine, profile, cell) / seconds - 1) for cell, seconds in timed]


def _seconds(machine: MachineModel, profile: Profile, cell: Cell) -> float:
    choice = PatternChoice(cell.pattern)
    calls = calls_of(
        choice, RANKS, cell.size_bytes, profile.collectives, repetitions=repetitions_of(cell)
    )
    fabric = fabric_of(machine, machine.allocate(RANKS))
    tasks = tasks_of(calls, profile, machine.compute, fabric, np.arange(RANKS))
    return seconds_of(tasks, ended_s(tasks, cell.pattern), cell)


def _machine(name: str, profiles: Mapping[str, Profile]) -> MachineModel:
    """One node; its links and interface carry nothing, and are as fast as the fastest library."""
    gaps = [
        piece.gap_s_per_byte for one in profiles.values() for piece in one.pieces_of(Mode.STANDARD)
    ]
    rate = 1.0 / min((gap for gap in gaps if gap > 0), default=1.0)
    return MachineModel(
        name=name,
        summary=f"{RANKS} ranks of one node, as measured",
        network=f"nodes:1x{RANKS}",
        allocation="first",
        cores_per_node=1,
        split_ties=False,
        links=Links(rate, 0.0),
        nic=Nic(0.0, rate, rate),
        compute=Compute(),
        profiles=profiles,
        sources={},
        fitted_to={},
        text="",
    )
