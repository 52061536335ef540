"""How processes ended, and what they printed: signals by name, output by who printed it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from harness.callers import hello
from syrupy.assertion import SnapshotAssertion

from leadline.kernels.messages import parse_hello
from leadline.measure.diagnostics import crashed, ending, first_to_fail, whose_end
from leadline.measure.launch import LEAST_BYTES, TAIL_BYTES, Outputs

HYDRA = """=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 4711 RUNNING AT h2
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)"""


ENDS = (
    (-11, "", "crash", "SIGSEGV"),
    (139, "", "crash", "SIGSEGV"),
    (255, HYDRA, "crash", "SIGSEGV"),
    (1, "exited on signal 6 (Aborted), others on signal 15", "crash", "SIGABRT"),
    (255, "=   PID 4711 RUNNING AT h2\n=   EXIT CODE: 11", "crash", "SIGSEGV"),
    (255, "=   EXIT CODE: 134", "crash", "SIGABRT"),
    (11, "Abort(17) on node 1: Fatal error\n=   EXIT CODE: 11", "exit", None),
    (3, "=   EXIT CODE: 3", "exit", None),
    (1, "Segmentation fault", "crash", None),
    (255, "", "exit", None),
    (200, "", "exit", None),
    (1, "killed by signal: 9, no signal 99", "exit", None),
    (None, "", "exit", None),
)


@pytest.mark.parametrize(("status", "tail", "code", "signal"), ENDS)
def test_signal_is_named_wherever_it_shows(
    status: int | None, tail: str, code: str, signal: str | None
) -> None:
    found, words = ending(status, tail)
    assert found == code
    assert re.findall(r"SIG\w+", words) == ([signal] if signal else [])


def test_end_is_told_by_its_signal_or_status(snapshot: SnapshotAssertion) -> None:
    assert [(status, tail, ending(status, tail)[1]) for status, tail, *_ in ENDS] == snapshot


@pytest.mark.parametrize(
    ("statuses", "first"),
    [
        ([1, -11], 1),
        ([1, 139, 3], 1),
        ([3, None, 7, 3], 2),
        ([3, 0, None], 0),
        ([0, None], 0),
        ([255, 1], 0),
        ([], 0),
    ],
)
def test_process_that_a_signal_ended_is_the_first_to_fail(
    statuses: list[int | None], first: int
) -> None:
    assert first_to_fail(statuses, hung_up=3) == first


@pytest.mark.parametrize(
    ("tail", "rank"),
    [
        (HYDRA, 1),
        ("[h1:00042] *** Process received signal ***", 0),
        ("[h2:4711 :0:4711] Caught signal 11 (Segmentation fault)", 1),
        ("noticed that process rank 2 with PID 0 on node h3 exited on signal 11", 2),
        ("[h2:4711] a message was truncated", None),
        ("PID 99 RUNNING AT h2", None),
        ("", None),
    ],
)
def test_rank_that_crashed_is_told_from_those_that_were_ended_with_it(
    tail: str, rank: int | None
) -> None:
    assert crashed(tail, {("h1", 42): 0, ("h2", 4711): 1}) == rank


@pytest.mark.parametrize(
    ("role", "rank", "tail", "afar", "who"),
    [
        ("pvmd", 0, HYDRA, True, "pvmd"),
        ("", 0, "", True, "rank 0 on h1"),
        ("", 0, HYDRA, True, "rank 1 on h2"),
        ("", 1, "", False, "rank 1"),
        ("", None, "", True, "the launch"),
        ("", 0, "process rank 7 with PID 0 on node h9 exited", True, "the launch"),
    ],
)
def test_who_ended_is_named_with_the_host_where_hosts_were_asked_for(
    role: str, rank: int | None, tail: str, afar: bool, who: str
) -> None:
    pids = {0: ("h1", 42), 1: ("h2", 4711)}
    hellos = {
        rank: replace(parse_hello(hello(rank, 2).decode()), host=host, pid=pid)
        for rank, (host, pid) in pids.items()
    }
    assert whose_end(role, rank, tail, hellos, afar) == who


def test_what_processes_printed_says_which_of_them_did(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    outputs = Outputs(tmp_path)
    outputs.of("rank 0 on h1").write_text("")
    outputs.of("rank 1 on h2").write_text("no memory\n")
    outputs.of("rank 2 on h3").write_text("connection reset\n")
    text = outputs.tail(f"rank {rank} on h{rank + 1}" for rank in range(4))
    assert text == snapshot


def test_launcher_that_starts_the_ranks_speaks_for_them(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path)
    assert outputs.tail(["", ""]) == ""
    printed = "PID 7 RUNNING AT h2"
    outputs.of("").write_text(f"{printed}\n")
    assert outputs.tail(["", ""]) == printed


def test_ends_of_many_outputs_share_the_room(tmp_path: Path) -> None:
    outputs, roles = Outputs(tmp_path), [f"rank {rank}" for rank in range(64)]
    for role in roles:
        outputs.of(role).write_text("x" * TAIL_BYTES + "the end")
    assert len(outputs.tail(roles[:1])) < TAIL_BYTES + 20
    assert outputs.tail(roles[:2]).count("the end") == 2
    assert len(outputs.tail(roles)) < 64 * (LEAST_BYTES + 20)


@pytest.mark.parametrize(
    ("status", "short", "full"), [(135, True, True), (135, False, False), (139, True, False)]
)
def test_bus_error_where_shared_memory_is_full_says_so(
    status: int, short: bool, full: bool
) -> None:
    code, how = ending(status, "", short)
    assert code == "crash"
    assert ("/dev/shm" in how) is full
