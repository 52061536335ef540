"""Patterns of messages under way, in every mode, over every backend that has it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from harness.contracts import NULL, linked_with, said_where_absent
from harness.kernels import LOST_RECEIVES, SANITISED, kernel, variant
from harness.scripts import EVERY_MODE, ids, obey, obeyed, results
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import plan_for, run_campaign

from leadline.backends.backend import Backend
from leadline.kernels.build import Additions
from leadline.kernels.messages import Fault, Result


@pytest.mark.parametrize(
    ("kind", "additions"),
    [
        ("null", SANITISED),
        ("shm", None),
        ("shm", SANITISED),
        ("tcp", SANITISED),
        ("trace", SANITISED),
    ],
    ids=["null", "shm", "shm sanitised", "tcp", "trace"],
)
def test_every_mode_moves_every_byte(
    kind: str, additions: Additions | None, tmp_path: Path
) -> None:
    for text in obey(kernel(kind, additions), EVERY_MODE, tmp_path):
        assert sorted(results(text)) == ids(EVERY_MODE)


@pytest.mark.parametrize("ranks", [2, 4])
def test_every_mode_over_openshmem_moves_every_byte(ranks: int, tmp_path: Path) -> None:
    first, *others = obey(kernel("shmem"), EVERY_MODE, tmp_path, ranks)
    assert sorted(results(first)) == ids(EVERY_MODE)
    assert [m for text in others for m in text if isinstance(m, Fault)] == []


@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
def test_every_mode_over_mpi_moves_every_byte(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    output = obeyed(installed_backends[kind], EVERY_MODE, 2, tmp_path)
    assert [type(message) for message in output[0][1:]] == [Result] * len(EVERY_MODE), output


@pytest.mark.parametrize("kind", ["shm", "tcp", "trace", "shmem"])
def test_message_that_arrives_elsewhere_fails_its_cell(kind: str, tmp_path: Path) -> None:
    lines = tuple(line for line in EVERY_MODE if "size=0" not in line)
    output = obey(kernel(kind, LOST_RECEIVES), lines, tmp_path)
    failed = {message.id for rank in output for message in rank if isinstance(message, Fault)}
    assert sorted(failed) == ids(lines)


@pytest.mark.parametrize("kind", ["shm", "tcp", "trace"])
def test_all_pairs_of_an_even_number_of_ranks_send_at_once(kind: str, tmp_path: Path) -> None:
    lines = ("id=1 pattern=message_rate size=8", "id=2 pattern=message_rate size=20000")
    for rank in obey(kernel(kind), lines, tmp_path, ranks=4):
        assert sorted(results(rank)) == [1, 2]
        assert all(len(result.batches) > 0 for result in results(rank).values())


@pytest.mark.parametrize("ranks", [1, 3])
def test_odd_number_of_ranks_has_no_message_rate(
    ranks: int, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    output = obey(kernel("shm"), ("id=1 pattern=message_rate size=8",), tmp_path, ranks)
    assert [type(message) for rank in output for message in rank[1:]] == [Fault] * ranks
    assert str(output[0][1]) == snapshot


def test_persistent_operations_refuse_buffers_that_rotate(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    line = "id=1 pattern=pingpong_persistent size=8 buffers=cold cold_bytes=100000"
    output = obey(kernel("shm"), (line,), tmp_path)
    assert str(output[0][1]) == snapshot


def test_modes_that_a_raw_transport_is_made_to_have_are_named(snapshot: SnapshotAssertion) -> None:
    own = {"shm": "native", "tcp": "native", "shmem": "mailbox"}
    modes = [f"pingpong_{mode}" for mode in ("sync", "buffered", "persistent")]
    for kind, name in own.items():
        patterns = variant(kind).capability.patterns
        assert {mode: patterns[mode].algorithm for mode in modes} == snapshot(name=kind)
        assert patterns["stream"].algorithm == name
        assert patterns["pingpong_anysource"].algorithm == name


def test_rank_that_dies_within_a_window_is_named_and_its_cell_alone_fails(tmp_path: Path) -> None:
    variants = [variant("tcp", "good"), variant("tcp", "bad", "exit:0:0")]
    run, _ = run_campaign(tmp_path / "run", variants, plan_for(variants, "stream", (8,), 1))
    (failure,) = run.failures
    assert run.configurations[failure.configuration].variant == "bad"
    assert failure.code == "exit"
    assert "rank 0 " in failure.message


CALLS = {
    "isend": "tp_isend(0, 0, 0, 0, 0)",
    "matching": "tp_recv_any(0, 0, 0)",
    "ssend": "tp_ssend(0, 0, 0, 0)",
    "bsend": "tp_bsend(0, 0, 0, 0)",
    "persistent": "tp_start(0)",
}


@pytest.mark.parametrize("operation", CALLS)
def test_mode_is_absent_where_the_backend_has_none(
    operation: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    assert said_where_absent(operation, CALLS[operation], tmp_path) == snapshot


@pytest.mark.parametrize(
    ("half", "operation"),
    [
        ("void tp_wait(int slot)\n{\n    (void)slot;\n}\n", "isend"),
        ("void tp_buffer_detach(void)\n{\n}\n", "bsend"),
        ("void tp_start(int slot)\n{\n    (void)slot;\n}\n", "persistent"),
    ],
)
def test_backend_with_half_of_a_group_does_not_link(
    half: str, operation: str, tmp_path: Path
) -> None:
    program, errors = linked_with(NULL + half, operation, CALLS[operation], tmp_path)
    assert not program.exists()
    assert "multiple definition" in errors
