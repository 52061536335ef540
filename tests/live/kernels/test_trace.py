"""The backend trace: messages through named pipes, waiting ranks that sleep, logs of calls."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import FAULTS, SANITISED, kernel, local_backend, variant
from harness.patience import PATIENCE_S, patience_for
from harness.ranks import Ranks, said_by_rank_0
from harness.scripts import GRIDS, ids, obey, results
from syrupy.assertion import SnapshotAssertion
from tests.support.calls import trace, trace_one
from tests.support.campaigns import failure_at_104_bytes
from tests.support.texts import numbers

from leadline.kernels.build import describe
from leadline.kernels.messages import Fault, Result, Traced
from leadline.native.compiler import run
from leadline.topology.phases import Call, CallKind

TAG, TAG_BCAST, TAG_ALLREDUCE, TAG_EXCHANGE = 1, 32761, 32762, 32755
BROADCAST = "bcast: binomial"
backend = local_backend("trace")


@pytest.fixture(autouse=True)
def pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the ranks' pipes are: this path, a point and the rank."""
    monkeypatch.setenv("LEADLINE_INBOX", str(tmp_path / "inbox"))
    return tmp_path / "inbox"


# -- messages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2, 3, 8])
@pytest.mark.parametrize("checks", ["contract", "requests", "modes", "orders"])
def test_trace_keeps_the_contract_of_messages(checks: str, ranks: int) -> None:
    output = said_by_rank_0(contract(checks, backend, sanitised=ranks % 2 == 1), ranks)
    assert "traced messages" in output
    assert numbers(output)[1] == str(ranks)


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_trace_keeps_the_contract_of_one_sided_operations(ranks: int) -> None:
    """Odd numbers of ranks sanitised."""
    output = said_by_rank_0(contract("one_sided", backend, sanitised=ranks % 2 == 1), ranks)
    assert "traced messages" in output
    assert numbers(output)[1] == str(ranks)


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("checks", ["collectives", "vectors", "nonblocking"])
def test_collectives_over_trace_leave_every_block_where_it_belongs(checks: str, ranks: int) -> None:
    said_by_rank_0(contract(checks, backend, sanitised=True), ranks)


@pytest.mark.parametrize("checks", ["datatypes", "packing"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_messages_with_gaps_and_packed_ones_arrive_over_trace(checks: str, ranks: int) -> None:
    said_by_rank_0(contract(checks, backend, sanitised=True), ranks)


@pytest.mark.parametrize("checks", ["contract", "requests"])
def test_message_longer_than_its_receive_ends_the_job(
    checks: str, snapshot: SnapshotAssertion
) -> None:
    with Ranks(contract(checks, backend), 2, ("overlong",)) as job:
        job.start(0)
        receiver = job.start(1)
        assert receiver.wait(PATIENCE_S) == 1
        output = receiver.communicate()[1]
    assert output == snapshot


def test_buffered_message_without_room_ends_the_job(snapshot: SnapshotAssertion) -> None:
    with Ranks(contract("modes", backend), 2, ("crowded",)) as job:
        sender = job.start(0)
        job.start(1)
        assert sender.wait(PATIENCE_S) == 1
        assert sender.communicate()[1] == snapshot


# -- waiting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [2, 3, 8])
def test_ranks_sleep_while_they_wait_and_no_order_of_large_messages_is_a_deadlock(
    ranks: int,
) -> None:
    output = said_by_rank_0(contract("waiting", backend), ranks)
    assert numbers(output)[:2] == ["8", str(ranks)]


def test_ranks_that_never_sleep_are_found_out() -> None:
    with Ranks(contract("waiting", backend, "sleepless"), 2) as job:
        job.start_all()
        job.wait()
        output = "".join(process.communicate()[1] for process in job.running if process.returncode)
    assert "who_waits_for_a_message_sleeps" in output


def test_ranks_that_take_nothing_in_while_they_send_are_found_out() -> None:
    with Ranks(contract("waiting", backend, "deaf"), 2, ("crossing",)) as job:
        job.start_all()
        job.wait()
        assert -signal.SIGALRM in [process.poll() for process in job.running]


# -- pipes -----------------------------------------------------------------------------------------


def test_pipes_are_the_users_alone_and_gone_when_the_job_ends(pipes: Path) -> None:
    with Ranks(contract("contract", backend), 3, ("wait",)) as job:
        job.meet()
        files = sorted(pipes.parent.glob("inbox.*"))
        assert [file.name for file in files] == ["inbox.0", "inbox.1", "inbox.2"]
        assert {file.stat().st_mode for file in files} == {0o010600}
    said_by_rank_0(contract("packing", backend), 3)
    assert list(pipes.parent.glob("inbox.*")) == []


def test_rank_that_may_not_open_so_many_files_says_how_many_it_needs_room_for(
    snapshot: SnapshotAssertion,
) -> None:
    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))

    place = {"LEADLINE_RANK": "0", "LEADLINE_RANKS": "1024"}
    done = subprocess.run(
        [str(contract("contract", backend))],
        env=os.environ | place,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        preexec_fn=few_files,
    )
    assert done.returncode == 1
    assert done.stderr == snapshot


def test_folder_that_takes_no_pipes_is_named_with_the_remedy(
    pipes: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("LEADLINE_INBOX", f"{pipes}/nowhere/inbox")
    with Ranks(contract("contract", backend), 1) as job:
        alone = job.start(0)
        assert alone.wait(PATIENCE_S) == 1
        output = alone.communicate()[1]
    assert output.replace(str(pipes), "DIR") == snapshot


@pytest.mark.parametrize("missing", ["LEADLINE_INBOX", "LEADLINE_RANKS"])
def test_rank_without_a_place_in_a_job_says_so(
    missing: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("LEADLINE_RANK", "0")
    monkeypatch.setenv("LEADLINE_RANKS", "1")
    monkeypatch.delenv(missing)
    program = str(contract("contract", backend))
    done = subprocess.run(
        [program], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 1
    assert done.stderr == snapshot


@pytest.mark.parametrize(
    ("fault", "code", "word"),
    [
        ("crash:1:104", "crash", "SIGSEGV"),
        ("exit:1:104", "exit", "exited"),
        ("hang:1:104", "hang", "rank 0: validating"),
        ("wrong_byte:1:104", "wrong_byte", "offset 5"),
    ],
)
def test_rank_that_misbehaves_over_trace_is_named_and_its_cell_alone_fails(
    fault: str, code: str, word: str, tmp_path: Path
) -> None:
    good, bad = variant("trace", "good"), variant("trace", "bad", fault)
    failure = failure_at_104_bytes(tmp_path / "run", good, bad, patience_for(code))
    assert (failure.code, word in failure.message) == (code, True), failure.message


# -- logs ------------------------------------------------------------------------------------------


def sent(peer: int, size: int, tag: int, depth: int, operation: str = "") -> Call:
    return Call(CallKind.SEND, peer, size, tag, depth, operation)


def received(peer: int, size: int, tag: int, depth: int, operation: str = "") -> Call:
    return Call(CallKind.RECEIVE, peer, size, tag, depth, operation)


def test_each_message_of_a_pingpong_waits_for_the_one_before(tmp_path: Path) -> None:
    first, second = trace_one("pattern=pingpong size=8 repetitions=2", 2, tmp_path)
    assert first == [sent(1, 8, TAG, 0), received(1, 8, TAG, 1), sent(1, 8, TAG, 2),
                     received(1, 8, TAG, 3)]  # fmt: skip
    assert second == [received(0, 8, TAG, 0), sent(0, 8, TAG, 1), received(0, 8, TAG, 2),
                      sent(0, 8, TAG, 3)]  # fmt: skip


def test_binomial_broadcast_is_as_deep_as_its_tree(tmp_path: Path) -> None:
    logs = trace_one("pattern=bcast size=100", 5, tmp_path)

    def out(peer: int, depth: int) -> Call:
        return sent(peer, 100, TAG_BCAST, depth, BROADCAST)

    def into(peer: int, depth: int) -> Call:
        return received(peer, 100, TAG_BCAST, depth, BROADCAST)

    assert logs == [
        [out(1, 0), out(2, 0), out(4, 0)],
        [into(0, 0), out(3, 1)],
        [into(0, 0)],
        [into(1, 1)],
        [into(0, 0)],
    ]


def test_halo_has_a_phase_for_each_axis_or_one_for_all(tmp_path: Path) -> None:
    by_axis = trace_one("pattern=halo size=10 grid=2x2", 4, tmp_path)
    assert [(c.kind, c.peer, c.depth) for c in by_axis[0]] == [
        ("send", 2, 0), ("receive", 2, 0), ("send", 1, 1), ("receive", 1, 1)
    ]  # fmt: skip
    at_once = trace_one("pattern=halo size=10 grid=2x2 steps=at_once", 4, tmp_path)
    assert [(c.kind, c.peer, c.depth) for c in at_once[3]] == [
        ("send", 1, 0), ("send", 2, 0), ("receive", 1, 0), ("receive", 2, 0)
    ]  # fmt: skip


def test_put_with_a_flag_is_a_message_and_the_wait_its_receive(tmp_path: Path) -> None:
    first, second = trace_one("pattern=put_flag size=100 repetitions=2", 2, tmp_path)

    def turn(peer: int, depth: int) -> list[Call]:
        return [
            Call(CallKind.PUT, peer, 100, 0, depth, ""),
            Call(CallKind.FLAG, peer, 8, 0, depth, ""),
        ]

    def wait(peer: int, depth: int) -> list[Call]:
        return [Call(CallKind.WAIT, peer, 8, 0, depth, "")]

    assert first == [*turn(1, 0), *wait(1, 1), *turn(1, 2), *wait(1, 3)]
    assert second == [*wait(0, 0), *turn(0, 1), *wait(0, 2), *turn(0, 3)]
    bare, _ = trace_one("pattern=put_flag size=0", 2, tmp_path)
    assert [call.kind for call in bare] == ["flag", "wait"]


def test_gets_wait_for_each_other_unless_they_are_under_way_together(tmp_path: Path) -> None:
    one, target = trace_one("pattern=get size=8 repetitions=3", 2, tmp_path)
    assert one == [Call(CallKind.GET, 1, 8, 0, depth, "") for depth in range(3)]
    assert target == []
    window, _ = trace_one("pattern=get_window size=8 repetitions=2", 2, tmp_path)
    assert Counter(call.depth for call in window) == {0: 64, 1: 64}
    puts, _ = trace_one("pattern=put size=8 repetitions=3", 2, tmp_path)
    assert [call.depth for call in puts] == [0, 0, 0]


def test_atomics_wait_for_their_answers_and_those_on_an_own_word_are_no_messages(
    tmp_path: Path,
) -> None:
    words = "pattern=fetch_add contention=contended repetitions=2"
    owner, *callers = trace_one(words, 3, tmp_path)
    assert owner == []
    assert callers == [[Call(CallKind.ATOMIC, 0, 8, 0, depth, "") for depth in (0, 1)]] * 2


def test_work_of_a_reduction_stands_between_its_messages(tmp_path: Path) -> None:
    name = "allreduce: recursive doubling"
    first, second = trace_one("pattern=allreduce size=80", 2, tmp_path)
    assert first == [
        sent(1, 80, TAG_ALLREDUCE, 0, name),
        received(1, 80, TAG_ALLREDUCE, 0, name),
        Call(CallKind.WORK, -1, 240, 10, 1, name),
    ]
    assert [call.kind for call in second] == ["send", "receive", "work"]


def test_work_that_a_pattern_declares_follows_its_calls(tmp_path: Path) -> None:
    logs = trace_one("pattern=vector_sum_log2 size=80", 4, tmp_path)
    assert [log[-1] for log in logs] == [Call(CallKind.WORK, -1, 2 * 240, 2 * 10, 2, "")] * 4
    master, *others = trace_one("pattern=gsum_master", 3, tmp_path)
    done = [(c.size_bytes, c.number) for c in master if c.kind == "work"]
    assert done == [(32, 3)]
    assert not any(call.kind == "work" for log in others for call in log)
    overlapped = trace_one("pattern=ibarrier overlap=overlapped work=20000", 2, tmp_path)
    assert [log[-1].kind for log in overlapped] == ["work"] * 2


def test_call_is_named_after_the_outermost_collective(tmp_path: Path) -> None:
    patterns = ("ibcast size=8", "barrier", "alltoall size=8")
    lines = tuple(f"id={number} pattern={words}" for number, words in enumerate(patterns, 1))
    logs, faults = trace(lines, 2, tmp_path)
    assert faults == []
    assert [{call.operation for call in logs[0][number]} for number in (1, 2, 3)] == [
        {"ibcast: binomial"}, {"barrier: dissemination"}, {"alltoall: pairwise"}
    ]  # fmt: skip


def test_rank_that_takes_no_part_and_what_sends_nothing_have_empty_logs(tmp_path: Path) -> None:
    assert trace_one("pattern=pingpong size=8", 4, tmp_path)[2:] == [[], []]
    assert trace_one("pattern=pack size=8", 2, tmp_path) == [[], []]
    assert trace_one("pattern=barrier", 1, tmp_path) == [[]]


def test_what_was_obeyed_before_leaves_no_trace(tmp_path: Path) -> None:
    words = ("bcast size=8 root=rotating", "vector_sum_log2 size=64", "unexpected size=8 depth=5")
    lines = tuple(f"id={number} pattern={text}" for number, text in enumerate(words * 2))
    for rank in trace(lines, 3, tmp_path)[0]:
        assert [rank[number] for number in range(3)] == [rank[number] for number in range(3, 6)]


def test_trace_and_timed_slices_take_turns_in_a_launch(tmp_path: Path) -> None:
    timed = "id=2 pattern=allreduce size=800 cadence=isolated"
    lines = (timed.replace("id=2", "trace id=1"), timed, timed.replace("id=2", "trace id=3"))
    for _, *text in obey(kernel("trace"), lines, tmp_path):
        assert [type(message) for message in text] == [Traced, Result, Traced]


@pytest.mark.parametrize("ranks", [2, 3, 4, 5, 8, 16])
def test_every_pattern_is_traced_and_every_message_is_received(ranks: int, tmp_path: Path) -> None:
    patterns = describe(kernel("trace")).patterns.values()
    able = (p for p in patterns if p.algorithm != "absent" and not p.application)
    possible = [p for p in able if not (p.in_pairs and ranks % 2)]
    lines = tuple(
        f"id={number} pattern={pattern.name} repetitions=2 size={16 * pattern.granularity}"
        for number, pattern in enumerate(possible)
    )
    logs, faults = trace(lines, ranks, tmp_path, SANITISED if ranks == 3 else None)
    assert faults == []
    for number, pattern in enumerate(possible):
        sends = Counter(
            (rank, call.peer, call.size_bytes, call.number, call.depth)
            for rank, log in enumerate(logs) for call in log[number] if call.kind == "send"
        )  # fmt: skip
        receives = Counter(
            (call.peer, rank, call.size_bytes, call.number, call.depth)
            for rank, log in enumerate(logs) for call in log[number] if call.kind == "receive"
        )  # fmt: skip
        assert sends == receives, pattern.name


@pytest.mark.parametrize("ranks", GRIDS)
def test_neighbours_on_every_grid_move_every_byte_over_trace(ranks: int, tmp_path: Path) -> None:
    for rank in obey(kernel("trace"), GRIDS[ranks], tmp_path, ranks):
        assert sorted(results(rank)) == ids(GRIDS[ranks])


def test_kernel_says_whether_it_writes_calls_down() -> None:
    messages = {
        kind: json.loads(run([str(kernel(kind)), "--describe"], {})) for kind in ("shm", "trace")
    }
    assert {kind: text["tracing"] for kind, text in messages.items()} == {
        "shm": "absent", "trace": "native"
    }  # fmt: skip


def test_tracing_is_refused_in_words_where_nothing_is_logged(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    lines = ("trace id=1 pattern=pingpong size=8", "id=2 pattern=pingpong size=8")
    texts = []
    for text in obey(kernel("shm"), lines, tmp_path):
        (refused,) = [message for message in text if isinstance(message, Fault)]
        assert (refused.id, refused.code) == (1, "refused")
        texts.append(refused.text)
        assert list(results(text)) == [2]
    assert texts == snapshot


def test_wrong_byte_is_a_fault_of_the_trace(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    fault = {"LEADLINE_FAULT": "wrong_byte:1:104"}
    lines = ("id=1 pattern=bcast size=104", "id=2 pattern=bcast size=8")
    logs, (found,) = trace(lines, 3, tmp_path, FAULTS, fault)
    assert [list(log) for log in logs] == [[1, 2], [2], [1, 2]]
    assert (found.id, found.rank, found.code) == (1, 1, "wrong_byte")
    assert found.text == snapshot


def test_cell_that_cannot_be_is_refused_instead_of_traced(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    logs, faults = trace(("id=1 pattern=halo size=8 grid=2x2",), 3, tmp_path)
    assert logs == [{}, {}, {}]
    assert [fault.text for fault in faults] == snapshot
