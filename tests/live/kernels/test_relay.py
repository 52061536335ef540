"""What a relay makes of its ranks' answers, and what becomes of it, of them and the front-end."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from errno import EEXIST
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from harness.kernels import NATIVE, kernel
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.relays import PlayedRank, RelayedHost, relayed_host

from leadline.kernels.build import Additions
from leadline.kernels.messages import Result, Solved
from leadline.measure.launch import SliceError, kill
from leadline.measure.slices import kept_of, slice_of
from leadline.record.run import WhoseTime
from leadline.record.slices import SPREAD, Slice, Verified

RANKS = 24
SLICES = 25
HIGHER_OF_EQUALS = Additions(
    sources=(NATIVE / "higher_of_equals.c",), link_flags=("-Wl,--wrap=reduction_add",)
)


@pytest.fixture
def host() -> Iterator[RelayedHost]:
    with relayed_host(RANKS) as up:
        yield up


def drawn(rng: np.random.Generator, ranks: int) -> list[npt.NDArray[np.int64]]:
    """Batches of each rank: a few more or fewer of them, now and then equal times, or no batch."""
    found = []
    for _ in range(ranks):
        count = 0 if rng.random() < 0.05 else int(rng.integers(20, 23))
        start = 10**15 + np.cumsum(rng.integers(0, 10**6, count))
        elapsed = rng.integers(0, rng.choice([3, 10**9]), count)
        found.append(np.stack([start, start + elapsed, rng.integers(0, 32, count)], axis=1))
    return found


def as_slice(results: Sequence[Result]) -> Slice:
    return kept_of(slice_of(0, 0, (0, 0), 0, results), WhoseTime.SLOWEST, all_ranks=False)


def numbers(taken: Slice) -> dict[str, object]:
    """All that `taken` consists of, as it is compared bit for bit."""
    plain = ("ranks", "others", "start_ns", "end_ns", "flags", "slowest")
    found = {name: getattr(taken, name) for name in plain}
    found |= {name: getattr(taken.spread, name) for name in SPREAD if taken.spread}
    around = taken.disturbance
    assert around is not None
    found |= {"run_delay_ns": around.run_delay_ns, "window_ns": around.window_ns}
    return {name: (value.dtype.str, value.tolist()) for name, value in found.items()}


def measured(host: RelayedHost, reduce: bool) -> list[Result]:
    return host.launch.measure("pattern=barrier", "a slice", RANKS, PATIENCE_S, reduce)


def play(
    ranks: Sequence[PlayedRank], number: int, batches: Sequence[npt.NDArray[np.int64]]
) -> None:
    for one in ranks:
        one.answers(number, batches[one.rank])


def test_what_the_relay_reduces_is_bit_for_bit_what_is_reduced_of_all(host: RelayedHost) -> None:
    rng = np.random.default_rng(14)
    played = host.starts([int(rank) for rank in rng.permutation(RANKS)])
    for number in range(1, 2 * SLICES, 2):
        batches = drawn(rng, RANKS)
        play(played, number, batches)
        reduced = measured(host, reduce=True)
        play(played, number + 1, batches)
        whole = measured(host, reduce=False)
        assert sum(len(one.batches) > 0 for one in reduced) == 1
        assert [one.batches.tolist() for one in whole] == [one.tolist() for one in batches]
        assert numbers(as_slice(reduced)) == numbers(as_slice(whole))


def test_relay_that_reduces_otherwise_is_found_out() -> None:
    equal = [np.array([[100, 200, 0]])] * RANKS
    with relayed_host(RANKS, additions=HIGHER_OF_EQUALS) as host:
        played = host.starts(range(RANKS))
        play(played, 1, equal)
        reduced = measured(host, reduce=True)
        play(played, 2, equal)
        assert numbers(as_slice(reduced)) != numbers(as_slice(measured(host, reduce=False)))


def test_two_hosts_reduced_apart_are_what_all_ranks_are_together() -> None:
    rng = np.random.default_rng(15)
    with relayed_host(RANKS // 2, RANKS) as one, relayed_host(RANKS // 2, RANKS) as other:
        played = [*one.starts(range(RANKS // 2)), *other.starts(range(RANKS // 2, RANKS))]
        one.launch.connections |= other.launch.connections
        one.launch.hellos |= other.launch.hellos
        for number in range(1, SLICES, 2):
            batches = drawn(rng, RANKS)
            play(played, number, batches)
            reduced = measured(one, reduce=True)
            play(played, number + 1, batches)
            assert numbers(as_slice(reduced)) == numbers(as_slice(measured(one, reduce=False)))


def test_ranks_hear_each_command_once_and_nothing_of_the_relays_own(host: RelayedHost) -> None:
    played = host.starts(range(RANKS))
    for one in played:
        one.answers(1)
    measured(host, reduce=True)
    host.launch.dismiss()
    assert {one.hears() for one in played} == {"pattern=barrier id=1"}
    assert {one.hears() for one in played} == {"end"}


def test_placements_go_through_in_all_their_pieces(host: RelayedHost) -> None:
    played = host.starts(range(RANKS))
    for one in played:
        one.line.sendall(f"placed id=1 rank={one.rank}\n".encode())
    host.launch.place(1, list(reversed(range(RANKS))), PATIENCE_S)
    assert host.launch.placed == {1}
    assert played[3].hears().startswith("placement ")


def test_what_applications_spent_is_handed_on_rank_by_rank(host: RelayedHost) -> None:
    for one in host.starts(range(RANKS)):
        one.answers(1, [[1, 2, 0]], f" spent={one.rank}:100 verified=norm:5:5.5")
    found = measured(host, reduce=True)
    assert [one.solved for one in found] == [
        Solved(rank, 100, Verified("norm", 5.0, 5.5)) for rank in range(RANKS)
    ]


def test_fault_among_results_is_said_as_it_is(
    host: RelayedHost, snapshot: SnapshotAssertion
) -> None:
    played = host.starts(range(RANKS))
    for one in played[1:]:
        one.answers(1, [[1, 2, 0]])
    played[0].line.sendall(b"fault id=1 rank=0 pass=first offset=3 expected=1 seen=2\n")
    with pytest.raises(SliceError) as failed:
        measured(host, reduce=True)
    assert failed.value.code == "wrong_byte"
    assert not failed.value.fatal
    assert str(failed.value) == snapshot
    for one in played:  # the next slice is as if nothing had been
        one.answers(2, [[1, 2, 0]])
    (lowest, *others) = measured(host, reduce=True)
    assert lowest.over == tuple(range(RANKS))
    assert {len(one.batches) for one in others} == {0}


@pytest.mark.parametrize(
    "text", [b"result id=1 rank=5\n", b"result id=1 rank=5 bytes=7\n1234567"], ids=range(2)
)
def test_result_that_makes_no_sense_is_the_front_ends_to_refuse(
    host: RelayedHost, text: bytes
) -> None:
    for one in host.starts(range(RANKS)):
        if one.rank != 5:
            one.answers(1, [[1, 2, 0]])
        else:
            one.line.sendall(text)
    with pytest.raises(SliceError, match="'result id=1 rank=5") as failed:
        measured(host, reduce=True)
    assert failed.value.code == "protocol"
    assert host.relay.poll() is None


def test_ranks_that_take_no_part_are_not_waited_for(host: RelayedHost) -> None:
    played = host.starts(range(RANKS))
    for one in played[:2]:
        one.answers(1, [[1, 2, 0]])
    results = host.launch.measure("pattern=pingpong", "a slice", 2, PATIENCE_S)
    assert [one.rank for one in results] == [0, 1]


def test_relay_sleeps_while_any_of_its_ranks_measures(host: RelayedHost) -> None:
    played = host.starts(range(RANKS))
    host.launch.ready_relays[0].send(f"await below={RANKS} reduce=1 id=1")
    host.launch.ready_relays[0].send("pattern=barrier id=1")
    for one in played:
        assert one.hears() == "pattern=barrier id=1"
    before = _times_asleep(host.relay.pid)
    for one in played[1:]:
        one.answers(1, [[1, 2, 0]])
    assert _times_asleep(host.relay.pid) == before
    played[0].answers(1, [[1, 2, 0]])
    result = host.launch.ready_relays[0].next_within(PATIENCE_S)
    assert isinstance(result, Result)
    assert result.over == tuple(range(RANKS))


def _times_asleep(pid: int) -> int:
    """How often it went to sleep so far; it sleeps."""
    status, state = Path(f"/proc/{pid}/status"), ""
    while "S (sleeping)" not in state:
        state = status.read_text()
    return int(state.partition("\nvoluntary_ctxt_switches:")[2].split()[0])


# -- who is lost -----------------------------------------------------------------------------------


def test_rank_that_hangs_up_is_named_though_others_havent_answered(
    host: RelayedHost, snapshot: SnapshotAssertion
) -> None:
    played = host.starts(range(RANKS))
    played[5].hangs_up()
    with pytest.raises(SliceError) as failed:
        measured(host, reduce=True)
    assert str(failed.value) == snapshot


@pytest.mark.parametrize(
    "message",
    [
        b"placed id=7 rank=5\n",
        b"placed id=1 rank=4\n",
        b"hello rank=5 size=24\n",
        b"nonsense\n",
        b"placed id=1 rank=5\nplaced id=1 rank=5\n",
    ],
    ids=range(5),
)
def test_rank_that_says_what_is_no_answer_is_named(
    host: RelayedHost, message: bytes, snapshot: SnapshotAssertion
) -> None:
    played = host.starts(range(RANKS))
    for one in (*played[:5], *played[6:]):
        one.answers(1)
    played[5].line.sendall(message)
    with pytest.raises(SliceError, match=r"\brank 5\b") as failed:
        measured(host, reduce=True)
    assert failed.value.code == "protocol"
    assert str(failed.value) == snapshot
    while played[5].hears():  # the command, and then nothing more: it is hung up on
        pass


@pytest.mark.parametrize("stuck", [(3, 4, 9), (0,), (RANKS - 1,)])
def test_ranks_that_dont_answer_in_time_are_named(
    host: RelayedHost, stuck: tuple[int, ...]
) -> None:
    for one in host.starts(range(RANKS)):
        if one.rank not in stuck:
            one.answers(1)
    with pytest.raises(SliceError) as failed:
        host.launch.measure("pattern=barrier", "a slice", RANKS, 0.5, True)
    assert failed.value.code == "hang"
    places = [f"rank {rank} on " in str(failed.value) for rank in range(RANKS)]
    assert [rank for rank in range(RANKS) if places[rank]] == [*stuck]


# -- who ends --------------------------------------------------------------------------------------


def test_relay_ends_when_its_ranks_have(host: RelayedHost) -> None:
    played = host.starts(range(RANKS))
    host.launch.dismiss()
    for one in played:
        assert one.hears() == "end"
        one.hangs_up()
    assert host.relay.wait(PATIENCE_S) == 0
    assert host.launch.output_tail() == ""


def test_relay_and_its_ranks_end_when_the_front_end_hangs_up(host: RelayedHost) -> None:
    played = host.starts(range(RANKS))
    host.launch.ready_relays[0].close()
    assert host.relay.wait(PATIENCE_S) == 3
    assert {one.hears() for one in played} == {""}


def test_relay_leaves_no_folder_when_the_front_end_hangs_up_before_all_ranks_came(
    host: RelayedHost,
) -> None:
    host.starts(range(3))
    assert host.folder.stat().st_mode & 0o777 == 0o700
    host.relay.send_signal(signal.SIGTERM)  # the front-end does both
    host.launch.ready_relays[0].close()
    assert host.relay.wait(PATIENCE_S) == 3
    assert not host.folder.exists()


def test_nobody_can_connect_once_all_ranks_are_there(host: RelayedHost) -> None:
    assert host.folder.exists()
    host.starts(range(RANKS))
    assert not host.folder.exists()


def test_folder_of_a_relay_that_was_killed_goes_with_its_launch(host: RelayedHost) -> None:
    host.relay.kill()
    host.relay.wait()
    assert host.folder.exists()
    kill((host.launch,))
    assert not host.folder.exists()


def test_relay_that_is_killed_is_named(host: RelayedHost) -> None:
    played = host.starts(range(RANKS))
    host.relay.kill()
    with pytest.raises(SliceError, match=r"\brelay\b.*\bSIGKILL\b") as failed:
        measured(host, reduce=True)
    assert failed.value.code == "crash"
    assert {one.hears() for one in played} == {""}


def test_relay_whose_folder_is_there_says_so_and_leaves_it() -> None:
    with relayed_host(2) as host:
        again = host.launch.commands[0]
        host.launch._start([again])
        second = host.launch.started[1]
        assert isinstance(second, subprocess.Popen)
        assert second.wait(PATIENCE_S) == 1
        text = host.launch.output_tail()
        assert f"{host.folder}/" in text
        assert os.strerror(EEXIST) in text
        assert host.folder.exists()


@pytest.mark.parametrize("words", [("0", "2"), ("x", "2"), ("2",)])
def test_relay_of_no_ranks_isnt_started(words: tuple[str, ...]) -> None:
    command = [str(kernel("null")), "--relay", *words]
    around = os.environ | {"LEADLINE_CONTROL": "unix:/no/such/socket", "LEADLINE_RELAY": "/tmp/x"}
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")
