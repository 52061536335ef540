"""The kernel under SimGrid: its clock is the simulator's, its ranks are one process."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.scripts import results
from syrupy.assertion import SnapshotAssertion
from tests.support.simgrid import ENVELOPE_BYTES, LATENCY_S, RATE, simulate

from leadline.backends.discovery.smpi import find_smpi
from leadline.kernels.build import build_kernel, describe
from leadline.kernels.messages import Fault, Result
from leadline.patterns.pattern import Pattern

NS = 1e-9


def timed_s(result: Result) -> list[float]:
    """What each timed batch took, for a repetition."""
    lasted = result.batches[2:, 1] - result.batches[2:, 0]
    return [float(ns) * NS / result.repetitions for ns in lasted]


def test_a_round_trip_takes_what_the_machine_says_to_the_nanosecond(tmp_path: Path) -> None:
    one_way = 2 * LATENCY_S + (1e6 + ENVELOPE_BYTES) / RATE
    root = simulate(("id=1 pattern=pingpong size=1000000",), 2, tmp_path)[0]
    assert timed_s(results(root)[1]) == pytest.approx([2 * one_way] * 3, abs=NS)


def test_ranks_begin_isolated_operations_together_in_simulated_time(tmp_path: Path) -> None:
    output = simulate(("id=1 pattern=alltoall size=8 cadence=isolated",), 5, tmp_path)
    begun = [results(rank)[1].batches[:, 0].tolist() for rank in output]
    assert len(begun[0]) == 2
    assert all(begins == begun[0] for begins in begun)


def suited(pattern: Pattern) -> bool:
    """Whether SMPI has it, and simulates it; its barrier without waiting lets ranks go that are
    to wait."""
    simulated = not pattern.threads and not pattern.application
    return pattern.algorithm != "absent" and simulated and pattern.name != "ibarrier"


def test_every_pattern_moves_the_right_bytes(tmp_path: Path) -> None:
    patterns = filter(suited, describe(build_kernel(find_smpi())).patterns.values())
    lines = {
        number: f"id={number} pattern={one.name} size={64 * max(1, one.granularity)} "
        f"cadence={one.cadence}"
        for number, one in enumerate(patterns, 1)
    }
    root = simulate(tuple(lines.values()), 4, tmp_path)[0]
    assert [one for one in root if isinstance(one, Fault)] == []
    assert results(root).keys() == lines.keys()


def test_what_smpi_has_not_is_made_of_messages() -> None:
    found = describe(build_kernel(find_smpi())).patterns
    assert found["neighbor_alltoall"].algorithm != "native"
    assert found["bcast"].algorithm == "native"


@pytest.mark.parametrize("word", ["overlapped", "computing"])
def test_computation_beside_messages_is_refused(
    word: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    line = f"id=1 pattern=ibcast size=8 cadence=isolated overlap={word}"
    (fault,) = (one for one in simulate((line,), 2, tmp_path)[0] if isinstance(one, Fault))
    assert fault.code == "refused"
    assert fault.text == snapshot
