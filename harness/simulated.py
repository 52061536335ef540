"""Small machines whose times can be reckoned by hand, and programs on them."""

from __future__ import annotations

import numpy as np

from leadline.patterns.pattern import PatternChoice
from leadline.patterns.programs.calls import RankCalls
from leadline.patterns.programs.patterns import calls_of
from leadline.record.run import Buffers, Cadence, Cell, WhoseTime
from leadline.simulate.execution import ended_s
from leadline.simulate.machine import Compute, Links, MachineModel, Mode, Nic, Profile, ProfilePiece
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import tasks_of
from leadline.simulate.timing import repetitions_of, seconds_of

OVERHEAD_S, FOUND_S, LATENCY_S = 2e-6, 3e-6, 10e-6
RATE = 100e6
"""B/s into and out of a node."""
PLAIN = ProfilePiece(0, OVERHEAD_S, FOUND_S, 0.0)


def profile(piece: ProfilePiece = PLAIN, mode: Mode = Mode.STANDARD) -> Profile:
    """Of one piece, in all modes or that of one in `mode`."""
    pieces = {Mode.STANDARD: (PLAIN,)} | {mode: (piece,)}
    return Profile("plain", "for reckoning by hand", pieces, {})


def machine(
    ranks: int = 2,
    bus: float | None = None,
    links: float = 1e12,
    of: Profile | None = None,
    compute: Compute | None = None,
) -> MachineModel:
    """A row of nodes."""
    return MachineModel(
        name="row",
        summary="a row of nodes",
        network=f"mesh:{ranks}",
        allocation="first",
        cores_per_node=1,
        ties="one way",
        links=Links(links, 0.0),
        nic=Nic(LATENCY_S, RATE, RATE, bus),
        compute=compute or Compute(),
        profiles={"plain": of or profile()},
        sources={},
        fitted={},
        text="",
    )


def cell(
    pattern: str,
    size_bytes: int,
    cadence: Cadence = Cadence.ISOLATED,
    whose: WhoseTime = WhoseTime.SLOWEST,
    messages: int = 1,
) -> Cell:
    """A cell that is timed as told."""
    return Cell(pattern, size_bytes, Buffers.ECHO, cadence, messages, whose)


def pattern_seconds(
    on: MachineModel, ranks: int, of: Cell, slots: list[int] | None = None
) -> float:
    """What the pattern of the cell takes."""
    choice = PatternChoice(of.pattern)
    calls = calls_of(choice, ranks, of.size_bytes, {}, repetitions_of(of))
    return seconds(on, calls, of, slots)


def seconds(on: MachineModel, calls: RankCalls, of: Cell, slots: list[int] | None = None) -> float:
    """What `calls` take; each rank on the slot of its number, or on those told."""
    fabric = fabric_of(on, on.allocate(calls.ranks))
    places = np.arange(calls.ranks) if slots is None else np.array(slots)
    (first,) = on.profiles.values()
    tasks = tasks_of(calls, first, on.compute, fabric, places)
    return seconds_of(tasks, ended_s(tasks, of.pattern), of)
