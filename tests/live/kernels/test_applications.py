"""Applications: whole solutions, each set anew and checked, with what they spend on messages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from harness.kernels import ALLOCATIONS, HEAT, HEAT_BY_PUTS, kernel
from harness.scripts import obey, results
from syrupy.assertion import SnapshotAssertion
from tests.support.calls import trace
from tests.support.texts import numbers

from leadline.kernels.build import Additions, describe
from leadline.kernels.messages import Fault, Message, Result
from leadline.native.compiler import run
from leadline.record.slices import BatchFlag
from leadline.topology.phases import CallKind

REPETITIONS = 3
"""Of a solution."""
HEAT_FLOWS = "id=1 pattern=heat cube=small"
TEN_BATCHES = "slice_ns=2000000000 max_batches=10 warm_up_ns=1000000"


@pytest.fixture(autouse=True)
def pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_INBOX", str(tmp_path / "inbox"))


def faults(message: list[list[Message]]) -> list[Fault]:
    return [one for rank in message for one in rank if isinstance(one, Fault)]


def solved(message: list[list[Message]]) -> list[Result]:
    assert faults(message) == []
    return [results(rank)[1] for rank in message]


@pytest.mark.parametrize("additions", [HEAT, HEAT_BY_PUTS], ids=["messages", "puts"])
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_slice_has_whole_solutions_of_single_repetitions(
    additions: Additions, ranks: int, tmp_path: Path
) -> None:
    for one in solved(obey(kernel("shm", additions), (HEAT_FLOWS,), tmp_path, ranks)):
        flags = one.batches[:, 2] & int(BatchFlag.WARM_UP)
        assert one.repetitions == 1
        assert flags.tolist() == [BatchFlag.WARM_UP, *[0] * (len(flags) - 1)]
        assert len(flags) - 1 >= REPETITIONS
        assert (len(flags) - 1) % REPETITIONS == 0


def test_solutions_begin_anew_wherever_other_patterns_left_off(tmp_path: Path) -> None:
    messages = "pattern=pingpong size=8 repetitions=1 max_batches="
    lines = [f"id={10 + more} {messages}{5 + 2 * more}" for more in range(REPETITIONS)]
    flows = [HEAT_FLOWS.replace("id=1", f"id={20 + more}") for more in range(REPETITIONS)]
    mixed = tuple(line for pair in zip(lines, flows, strict=True) for line in pair)
    output = obey(kernel("shm", HEAT), mixed, tmp_path)
    assert faults(output) == []
    assert all({20, 21, 22} <= results(rank).keys() for rank in output)


def test_slice_goes_on_to_the_most_batches_that_make_whole_solutions(tmp_path: Path) -> None:
    output = obey(kernel("shm", HEAT), (HEAT_FLOWS,), tmp_path, of_a_slice=TEN_BATCHES)
    assert [len(one.batches) for one in solved(output)] == [1 + 9, 1 + 9]


def test_communication_is_part_of_the_time_of_batches_that_count(tmp_path: Path) -> None:
    for one in solved(obey(kernel("shm", HEAT), (HEAT_FLOWS,), tmp_path)):
        lengths = one.batches[1:, 1] - one.batches[1:, 0]
        assert one.solved is not None
        assert one.solved.elapsed_ns == np.sum(lengths)
        assert 0 < one.solved.communication_ns < one.solved.elapsed_ns


def test_pattern_that_only_moves_messages_says_nothing_of_it(tmp_path: Path) -> None:
    output = obey(kernel("shm", HEAT), ("id=1 pattern=pingpong size=8",), tmp_path)
    assert [one.solved for one in solved(output)] == [None, None]


@pytest.mark.parametrize(
    ("plant", "check", "values"),
    [
        ("weight", "heat", []),
        ("count", "warm points", ["12", "11"]),
        ("later", "warm points", ["12", "11"]),
    ],
)
def test_wrong_result_is_a_fault_that_has_expected_and_seen(
    plant: str, check: str, values: list[str], tmp_path: Path
) -> None:
    environment = {"LEADLINE_PLANT": plant}
    output = obey(
        kernel("shm", HEAT),
        (HEAT_FLOWS,),
        tmp_path,
        environment=environment,
        of_a_slice=TEN_BATCHES,
    )
    found = faults(output)
    assert [one.code for one in found] == ["wrong_result"] * 2
    assert check in found[0].text
    assert numbers(found[0].text)[: len(values)] == values
    assert not any(results(rank) for rank in output)


def test_rank_without_memory_ends_the_slice_for_all(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    environment = {"LEADLINE_PLANT": "memory"}
    lines = (HEAT_FLOWS, "id=2 pattern=pingpong size=8")
    output = obey(kernel("shm", HEAT), lines, tmp_path, environment=environment)
    assert [one.text for one in faults(output)] == snapshot
    assert all(2 in results(rank) for rank in output)


def test_rank_without_memory_for_messages_ends_the_slice_for_all(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    environment = {"LEADLINE_PLANT": "none"}
    lines = (HEAT_FLOWS, HEAT_FLOWS.replace("id=1", "id=2"))
    output = obey(kernel("shm", ALLOCATIONS), lines, tmp_path, environment=environment)
    assert [one.text for one in faults(output)] == snapshot
    assert all(results(rank).keys() == {2} for rank in output)


def test_messages_of_an_application_take_memory_in_its_slices_alone(tmp_path: Path) -> None:
    environment = {"LEADLINE_PLANT": "logged", "LEADLINE_ALLOCATIONS": str(tmp_path / "log")}
    lines = ("id=3 pattern=pingpong size=8", "id=2 pattern=stap cube=small", HEAT_FLOWS)
    obey(kernel("shm", ALLOCATIONS), lines, tmp_path, environment=environment)
    for rank in range(2):
        kept: dict[str, int] = {}
        for line in (tmp_path / f"log.{rank}").read_text().splitlines():
            sign, place, size = line.split()
            if sign == "+":
                kept[place] = int(size)
            else:
                del kept[place]
        assert list(kept.values()) == [64]


def test_applications_have_one_place_for_their_messages() -> None:
    patterns = describe(kernel("null")).patterns.values()
    found = [one for one in patterns if one.application]
    assert {"mg", "stap"} <= {one.name for one in found}
    assert all(one.one_buffer and not one.granularity for one in found)


@pytest.mark.parametrize(
    ("line", "ranks"),
    [(HEAT_FLOWS, 3), (HEAT_FLOWS, 16), (f"{HEAT_FLOWS} cadence=isolated", 2)],
    ids=["three", "sixteen", "isolated"],
)
def test_what_an_application_cant_do_is_refused_with_the_reason(
    line: str, ranks: int, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (first, *others) = faults(obey(kernel("shm", HEAT), (line,), tmp_path, ranks))
    assert first.code == "refused"
    assert first.text == snapshot
    assert len(others) == ranks - 1


@pytest.mark.parametrize("additions", [HEAT, HEAT_BY_PUTS], ids=["messages", "puts"])
def test_trace_has_the_work_between_calls_and_nothing_of_setting_up(
    additions: Additions, tmp_path: Path
) -> None:
    logs, found = trace((f"{HEAT_FLOWS} repetitions=3",), 4, tmp_path, additions)
    assert found == []
    for log in logs:
        work = [call for call in log[1] if call.kind is CallKind.WORK]
        assert [(call.number, call.size_bytes) for call in work] == [(5 * 4096, 16 * 4096)] * 3
        assert not any(call.operation for call in log[1])
        assert log[1][-1].kind is CallKind.WORK


def test_trace_of_more_than_a_solution_is_refused(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    _, found = trace((f"{HEAT_FLOWS} repetitions=4",), 2, tmp_path, HEAT)
    assert [(one.code, one.text) for one in found] == snapshot


def test_kernel_describes_the_problem_of_each_class() -> None:
    output = json.loads(run([str(kernel("shm", HEAT)), "--describe"], {}))
    (heat,) = [one for one in output["patterns"] if one["name"] == "heat"]
    assert heat["application"]["problems"]["small"] == {
        "repetitions": 3,
        "most_ranks": 8,
        "flop": 65536,
        "bytes": 262144,
    }
    application = describe(kernel("shm", HEAT)).patterns["heat"].application
    assert application is not None
    assert application.problems["medium"].most_ranks == 16
