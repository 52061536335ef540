"""Backends keep the contract of transport.h, and the linker keeps its rule on fallbacks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable
from errno import EEXIST
from pathlib import Path

import pytest
from harness.contracts import contract, link, linked_with, said_where_absent
from harness.kernels import NATIVE, local_backend
from harness.patience import PATIENCE_S
from harness.ranks import Ranks, said_by_rank_0
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.kernels.build import SOURCES

pytestmark = pytest.mark.long

LARGE = ("", "single_copy_always", "single_copy_refused")
"""How shm treats large messages: as it calibrates, or as a source of tests/native says."""


def called(large: str) -> str:
    return large or "calibrated"


def copied_once(message: str) -> str:
    """What ranks over shm say of the messages that are copied once."""
    return message.rstrip(")\n").rpartition(": ")[2]


null, shm = local_backend("null"), local_backend("shm")


@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("large", LARGE, ids=called)
def test_shared_memory_keeps_the_contract(large: str, ranks: int) -> None:
    """Odd numbers of ranks sanitised."""
    output = said_by_rank_0(contract("contract", shm, large, ranks % 2 == 1), ranks)
    assert "shared memory" in output
    assert numbers(output)[1] == str(ranks)


def test_null_keeps_what_can_be_kept_without_payload() -> None:
    assert "facts hold" in said_by_rank_0(contract("contract", null, sanitised=True), 4)


@pytest.mark.parametrize("checks", ["collectives", "vectors", "nonblocking"])
def test_null_takes_every_call_of_a_collective(checks: str) -> None:
    said_by_rank_0(contract(checks, null, sanitised=True), 1)


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("checks", ["collectives", "vectors"])
def test_collectives_leave_every_block_where_it_belongs(checks: str, ranks: int) -> None:
    """Odd numbers of ranks sanitised."""
    said_by_rank_0(contract(checks, shm, sanitised=ranks % 2 == 1), ranks)


def test_where_memory_may_not_be_read_everything_is_copied_twice() -> None:
    output = said_by_rank_0(contract("contract", shm, "single_copy_refused"), 2)
    assert copied_once(output) == "none"


@pytest.mark.parametrize("told", ["none", "1m,64k-resent", "16k,64k,256k,1m,16k-resent"])
@pytest.mark.parametrize("ranks", [2, 5])
def test_launch_copies_as_it_is_told(
    told: str, ranks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_SINGLE_COPY", told)
    output = said_by_rank_0(contract("contract", shm), ranks)
    assert copied_once(output) == told
    assert numbers(output)[1] == str(ranks)


def test_ranks_that_outnumber_the_cores_try_nothing() -> None:
    ranks = (os.cpu_count() or 1) + 1
    assert copied_once(said_by_rank_0(contract("contract", shm), ranks)) == "none"


def test_wrong_word_on_copies_is_refused(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("LEADLINE_SINGLE_COPY", "1m,64k-again")
    with Ranks(contract("contract", shm), 2) as job:
        _, last = job.start(0), job.start(1)
        assert last.wait(PATIENCE_S) == 1
        output = last.communicate()[1]
    assert output == snapshot


@pytest.mark.parametrize("checks", ["contract", "requests"])
def test_message_longer_than_its_receive_ends_the_job(
    checks: str, snapshot: SnapshotAssertion
) -> None:
    """One that is on its way, and one that lies in memory since nobody asked for it."""
    with Ranks(contract(checks, shm), 2, ("overlong",)) as job:
        job.start(0)
        receiver = job.start(1)
        job.wait()
        assert receiver.wait(PATIENCE_S) == 1
        output = receiver.communicate()[1]
    assert output == snapshot


@pytest.mark.parametrize(
    ("large", "ranks"),
    [("", 1), ("", 2), ("", 3), ("", 5), ("single_copy_always", 2), ("single_copy_always", 3)],
)
@pytest.mark.parametrize("checks", ["requests", "modes"])
def test_messages_under_way_over_shared_memory_find_their_receives(
    checks: str, large: str, ranks: int
) -> None:
    output = said_by_rank_0(contract(checks, shm, large, ranks % 2 == 1), ranks)
    assert "shared memory" in output
    assert numbers(output)[1] == str(ranks)


@pytest.mark.parametrize("checks", ["requests", "modes"])
def test_requests_over_null_are_complete_at_once(checks: str) -> None:
    assert "facts hold" in said_by_rank_0(contract(checks, null, sanitised=True), 4)


def test_queue_finds_what_a_search_of_a_plain_array_finds(tmp_path: Path) -> None:
    sources = [NATIVE / "queue.c", SOURCES / "backends" / "queue" / "queue.c"]
    assert link(sources, tmp_path / "queue", sanitised=True).stderr == ""
    assert int(numbers(subprocess.check_output([str(tmp_path / "queue")], text=True))[0]) > 0


def test_buffered_message_without_room_ends_the_job(snapshot: SnapshotAssertion) -> None:
    with Ranks(contract("modes", shm), 2, ("crowded",)) as job:
        sender = job.start(0)
        job.start(1)
        assert sender.wait(PATIENCE_S) == 1
        assert sender.communicate()[1] == snapshot


def test_killed_ranks_leave_no_shared_memory_behind() -> None:
    with Ranks(contract("contract", shm), 2, ("wait",)) as job:
        job.meet()
        for process in job.running:
            process.send_signal(signal.SIGKILL)
        assert not job.segment.exists()


def test_second_rank_0_of_a_job_is_refused() -> None:
    with Ranks(contract("contract", shm), 2) as job:
        job.start(0)
        while not job.segment.exists():
            time.sleep(0.005)
        second = job.start(0)
        assert os.strerror(EEXIST) in second.communicate()[1]
        assert second.returncode == 1


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"LEADLINE_RANK": "2", "LEADLINE_RANKS": "2", "LEADLINE_JOB": "x"},
        {"LEADLINE_RANK": "0", "LEADLINE_RANKS": "0", "LEADLINE_JOB": "x"},
    ],
    ids=["none", "2 of 2", "0 of 0"],
)
def test_rank_without_a_place_in_a_job_says_so(
    environment: dict[str, str], snapshot: SnapshotAssertion
) -> None:
    done = subprocess.run(
        [str(contract("contract", shm))],
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == snapshot


PLAIN = (SOURCES / "backends" / "null.c").read_text()
VECTORS, COLLECTIVES = (
    (SOURCES / "backends" / "null" / f"{name}.c").read_text() for name in ("vectors", "collectives")
)
NULL = PLAIN + COLLECTIVES
ABSENT = {"barrier_counter": "", "barrier_futex": "", "pack": "0, 0"}
"""Operation -> arguments that compile."""
REDUCTION = "0, 0, 0, TP_DOUBLE, TP_SUM"
OWN = {
    "barrier": ("dissemination", ""),
    "bcast": ("binomial", "0, 0, 0"),
    "gather": ("linear", "0, 0, 0, 0"),
    "scatter": ("linear", "0, 0, 0, 0"),
    "allgather": ("ring", "0, 0, 0"),
    "alltoall": ("pairwise", "0, 0, 0"),
    "allreduce": ("recursive doubling", REDUCTION),
    "reduce": ("binomial", f"{REDUCTION}, 0"),
    "reduce_scatter": ("pairwise", REDUCTION),
    "scan": ("recursive doubling", REDUCTION),
    "exscan": ("recursive doubling", REDUCTION),
    "neighbor_allgather": ("shifts", "0, 0, 0"),
    "neighbor_alltoall": ("shifts", "0, 0, 0"),
}
"""Operation -> the fallback's algorithm, arguments that compile."""


def without(text: str, name: str) -> str:
    """`text`, a C file, without the string or function `name`."""
    string = f'const char {name}[] = "native";\n'
    if string in text:
        return text.replace(string, "")
    before, _, after = text.partition(f"void {name}(")
    assert after, f"{name} isn't defined"
    return before + after.partition("\n}\n")[2]


def named_by(text: str, operations: Iterable[str], folder: Path) -> list[str]:
    """The algorithms of `operations` over the backend `text`, as one program finds them."""
    first, *others = operations
    puts = ", ".join(f"puts(tp_{name}_algorithm)" for name in others)
    program, errors = linked_with(text, first, puts, folder)
    assert errors == ""
    return subprocess.check_output([str(program)], text=True).splitlines()


def test_backends_own_operations_win_over_the_fallback(tmp_path: Path) -> None:
    assert named_by(NULL, OWN, tmp_path) == ["native"] * len(OWN)


@pytest.mark.parametrize("operation", OWN)
def test_operation_that_a_backend_lacks_comes_from_the_fallback(
    operation: str, tmp_path: Path
) -> None:
    text = without(without(NULL, f"tp_{operation}"), f"tp_{operation}_algorithm")
    program, errors = linked_with(text, operation, "", tmp_path)
    assert errors == ""
    assert subprocess.check_output([str(program)], text=True) == f"{OWN[operation][0]}\n"


@pytest.mark.parametrize(
    ("forgotten", "defined"), [("tp_{}", "tp_{}_algorithm"), ("tp_{}_algorithm", "tp_{}")]
)
def test_backend_that_defines_half_of_a_pair_does_not_link(
    forgotten: str, defined: str, tmp_path: Path
) -> None:
    """The linker names every operation that is there twice, so that one link tells of all."""
    text = NULL
    for operation in OWN:
        text = without(text, forgotten.format(operation))
    uses = [
        f"puts(tp_{name}_algorithm), tp_{name}({arguments})" for name, (_, arguments) in OWN.items()
    ]
    program, errors = linked_with(text, "bcast", ", ".join(uses), tmp_path)
    assert not program.exists()
    twice = set(re.findall(r"multiple definition of [`']tp_(\w+)'", errors))
    assert twice == {defined.format(name).removeprefix("tp_") for name in OWN}


VECTOR_ALGORITHMS = {
    "gatherv": "linear",
    "scatterv": "linear",
    "allgatherv": "ring",
    "alltoallv": "pairwise",
    "reduce_scatterv": "pairwise",
}


def test_backend_without_layouts_takes_vector_operations_from_the_fallback(
    tmp_path: Path,
) -> None:
    assert named_by(PLAIN, VECTOR_ALGORITHMS, tmp_path) == [*VECTOR_ALGORITHMS.values()]


@pytest.mark.parametrize("operation", VECTOR_ALGORITHMS)
def test_backend_with_layouts_of_its_own_must_bring_every_vector_operation(
    operation: str, tmp_path: Path
) -> None:
    text = without(without(VECTORS, f"tp_{operation}"), f"tp_{operation}_algorithm")
    layout = "tp_layout_free(tp_layout_make(0, 0))"
    program, errors = linked_with(PLAIN + text, operation, layout, tmp_path)
    assert not program.exists()
    assert "multiple definition" in errors


@pytest.mark.parametrize("operation", ABSENT)
def test_absent_operation_says_what_is_absent_and_ends_the_rank(
    operation: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    text = said_where_absent(operation, f"tp_{operation}({ABSENT[operation]})", tmp_path)
    assert text == snapshot
