"""Programs on machines: each ends, and takes what the cost form of its algorithm says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.algorithms import EXACT, SIZE, calls_by, cost_of, trace_of, waits_in
from harness.simulated import LATENCY_S, RATE, cell, machine, profile, seconds

from leadline.errors import UsageError
from leadline.patterns.pattern import PatternChoice
from leadline.patterns.powers_of_two import core_of
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.patterns.programs.patterns import PATTERNS, calls_of
from leadline.simulate.execution import ended_s
from leadline.simulate.machine import MachineModel, ProfilePiece
from leadline.simulate.machine_files import machine_named
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import tasks_of

RANKS = range(2, 17)
FOLDING = {
    ("allreduce", "recursive doubling"), ("allreduce", "Rabenseifner"),
    ("reduce", "Rabenseifner"), ("reduce_scatter", "recursive halving"),
}  # fmt: skip
"""Where ranks fold, others don't wait: what these send meets what is folded on its way in."""
FAST = 1e22
"""B/s at which no message takes time."""
T3E = machine_named("cray-t3e-900")


def free_machine(ranks: int, latency_s: float, rate: float) -> MachineModel:
    """On which nothing costs but the latency, and the bytes into and out of a node."""
    plain = machine(ranks, links=FAST, of=profile(ProfilePiece(0, 0.0, 0.0, 0.0)))
    nic = replace(plain.nic, latency_s=latency_s, in_bytes_per_s=rate, out_bytes_per_s=rate)
    return replace(plain, nic=nic)


def seconds_on(on: MachineModel, collective: str, algorithm: str, ranks: int) -> float:
    return seconds(on, calls_by(collective, algorithm, ranks), cell(collective, SIZE))


@pytest.mark.parametrize(("collective", "algorithm"), [one for one in EXACT if one[0] != "barrier"])
def test_bytes_take_what_the_form_of_an_algorithm_says(collective: str, algorithm: str) -> None:
    for ranks in RANKS:
        cost = cost_of(collective, algorithm, ranks)
        if cost is None:
            continue
        found = seconds_on(free_machine(ranks, 0.0, RATE), collective, algorithm, ranks)
        expected = cost.contributions * SIZE / RATE
        if (collective, algorithm) in FOLDING and core_of(ranks) != ranks:
            assert expected <= found <= 1.7 * expected, ranks
        else:
            assert found == pytest.approx(expected), ranks


@pytest.mark.parametrize(("collective", "algorithm"), EXACT)
def test_messages_that_wait_take_a_latency_each(collective: str, algorithm: str) -> None:
    for ranks in RANKS:
        if cost_of(collective, algorithm, ranks) is None:
            continue
        found = seconds_on(free_machine(ranks, LATENCY_S, FAST), collective, algorithm, ranks)
        waits = waits_in(trace_of(calls_by(collective, algorithm, ranks)))
        assert found == pytest.approx(waits * LATENCY_S, rel=1e-3), ranks


def check_ends(pattern: str, ranks: int, algorithms: dict[str, str]) -> None:
    """On the T3E each rank that calls something gets through it, and none without taking time."""
    try:
        calls = calls_of(PatternChoice(pattern), ranks, 96_000, algorithms, 2)
    except UsageError:
        return  # not for so many ranks
    for one in T3E.profiles.values():
        fabric = fabric_of(T3E, T3E.allocate(ranks))
        ended = ended_s(tasks_of(calls, one, T3E.compute, fabric, np.arange(ranks)), pattern)
        assert np.isfinite(ended).all()
        assert ended.max(initial=0.0) > 0 or not len(calls.kind)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_pattern_ends_on_a_machine(pattern: str) -> None:
    for ranks in (2, 3, 8, 12):
        check_ends(pattern, ranks, {})


@pytest.mark.parametrize("collective", ALGORITHMS)
def test_every_algorithm_ends_on_a_machine(collective: str) -> None:
    for algorithm in ALGORITHMS[collective]:
        for ranks in (2, 3, 8, 12):
            check_ends(collective, ranks, {collective: algorithm})
