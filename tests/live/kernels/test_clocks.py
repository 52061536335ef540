"""Clocks that are apart, and drift: what ranks find of that, and whether they meet all the same.

How nearly they find it is checked among ranks in a time of their own, that of
tests/native/virtual_ranks.c; in the machine's, only what holds however long messages wait.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.contracts import contract
from harness.kernels import (
    NATIVE,
    SANITISED,
    SANITISERS,
    VIRTUAL_RANKS,
    kernel,
    local_backend,
    ways_and_clocks,
)
from harness.patience import PATIENCE_S
from harness.scripts import obey, results
from tests.support.emulated import needs_root

from leadline.kernels.build import Additions
from leadline.kernels.messages import FittedClock, Message

HALF_A_DAY_S, HOUR_NS = 43_200, 3600 * 10**9
DRIFT_PPM = 5_000
US, MS, SECOND = 1000, 1_000_000, 1_000_000_000
PATIENCE_NS = PATIENCE_S * SECOND
"""No batch takes longer, nor do two of a job begin further apart."""
READING_NS, WAY_NS = 50, 10 * US
ROUND_TRIP_NS = 2 * (WAY_NS + READING_NS)
LEAST_ERROR_NS = 20
MOST_PINGS = 256
STALLED = replace(
    VIRTUAL_RANKS,
    sources=(*VIRTUAL_RANKS.sources, NATIVE / "stalled_answers.c"),
    link_flags=(*VIRTUAL_RANKS.link_flags, "-Wl,--wrap=model_common_ns"),
)
BARRIERS = tuple(
    line
    for number in range(1, 12, 2)
    for line in (
        f"clocks id={number} apart=hosts",
        f"id={number + 1} pattern=barrier cadence=isolated slice_ns=40000000 max_batches=4000",
    )
)
BRIEF_BARRIERS = tuple(line.replace("=40000000 ", "=4000000 ") for line in BARRIERS)
"""For what doesn't depend on the time between fits."""


def another_clock(seconds: int) -> tuple[str, ...]:
    return ("unshare", "--time", "--monotonic", str(seconds), "--fork")


def another_name(name: str) -> tuple[str, ...]:
    return ("unshare", "--uts", "sh", "-c", f'hostname {name} && exec "$@"', "sh")


def fits(messages: list[Message]) -> list[FittedClock]:
    return [message for message in messages if isinstance(message, FittedClock)]


# -- in a time of their own ------------------------------------------------------------------------


def in_virtual_time(
    folder: Path,
    lines: tuple[str, ...],
    hosts: Sequence[int],
    clocks: Sequence[tuple[int, int]] = (),
    *,
    up_ns: int = WAY_NS,
    down_ns: int = WAY_NS,
    spread_ns: int = 0,
    additions: Additions = VIRTUAL_RANKS,
) -> list[list[Message]]:
    """What ranks say, one for each of `hosts`; clocks of ranks are ahead by ns, and gain ppm."""
    names = {rank: another_name(f"h{host}") for rank, host in enumerate(hosts) if host}
    around = ways_and_clocks((READING_NS, up_ns, down_ns, spread_ns), clocks)
    program = kernel("tcp", additions)
    return obey(program, lines, folder, len(hosts), environment=around, entering=names)


def durations_ns(message: Sequence[list[Message]], number: int) -> set[int]:
    """Those of the barriers of slice `number`, which all ranks began in time at one moment."""
    batches = [results(one)[number].batches for one in message]
    assert all(np.array_equal(one[:, 0], batches[0][:, 0]) for one in batches)
    in_time = [one[one[:, 2] == 0] for one in batches]
    return {int(took) for one in in_time for took in one[:, 1] - one[:, 0]}


@needs_root
def test_clock_of_another_host_is_found_exactly_and_ranks_meet(tmp_path: Path) -> None:
    text = in_virtual_time(tmp_path, BRIEF_BARRIERS, (0, 1), [(0, 0), (HOUR_NS, 0)])
    for number, one in enumerate(fits(text[1]), 1):
        found = (one.leader, one.fits, one.offset_ns, one.drift, one.missed_ns)
        assert found == (1, number, HOUR_NS, 0.0, 0)
        assert (one.error_ns, one.round_trip_ns) == (LEAST_ERROR_NS, ROUND_TRIP_NS)
    assert len(fits(text[1])) == 6
    for number in range(2, 13, 2):
        assert durations_ns(text, number) == {WAY_NS + READING_NS}


@needs_root
@pytest.mark.parametrize(
    ("ranks", "share", "longer_ns"),
    [(3, 1, 5 * US), (5, 2, -5 * US), (7, 1, -5 * US), (7, 2, 5 * US)],
)
def test_what_clocks_are_apart_adds_up_over_the_tree(
    ranks: int, share: int, longer_ns: int, tmp_path: Path
) -> None:
    """Half of what ways differ by, which nobody can tell, is added by each level."""
    hosts = [rank // share for rank in range(ranks)]
    text = in_virtual_time(
        tmp_path, (*["clocks id=1 apart=hosts"] * 2, "id=2 pattern=barrier cadence=isolated"),
        hosts, [(host * 10**12, 0) for host in hosts], down_ns=WAY_NS + longer_ns,
        additions=replace(VIRTUAL_RANKS, compile_flags=(*VIRTUAL_RANKS.compile_flags, *SANITISERS)),
    )  # fmt: skip
    for rank, host in enumerate(hosts):
        for number, one in enumerate(fits(text[rank]), 1):
            assert (one.leader, one.fits) == (host * share, number if host else 0)
            assert one.offset_ns == host * 10**12 - host.bit_count() * longer_ns // 2
            assert (one.drift, one.missed_ns) == (0, 0)
    rounds = (ranks - 1).bit_length()
    lasted = durations_ns(text, 2)
    assert lasted
    assert max(lasted) <= rounds * (WAY_NS + abs(longer_ns)) + READING_NS


@needs_root
@pytest.mark.parametrize(
    ("stalled", "spread_ns"),
    [(False, 2 * US), (True, 0)],
    ids=["drift", "and stalled answers"],
)
def test_planted_drift_is_found_and_what_comes_foretold(
    stalled: bool, spread_ns: int, tmp_path: Path
) -> None:
    fit, barriers, *rest = BARRIERS
    long = barriers.replace("=40000000 max_batches=4000", "=200000000 max_batches=40000")
    _, text = in_virtual_time(
        tmp_path, (fit, long, *rest), (0, 1), [(0, 0), (HOUR_NS, DRIFT_PPM)],
        spread_ns=spread_ns, additions=STALLED if stalled else VIRTUAL_RANKS,
    )  # fmt: skip
    first, second, *_, last = fits(text)
    drift = DRIFT_PPM * 1e-6
    gained_ns = (second.here_ns - first.here_ns) * drift / (1 + drift)
    not_known_yet_ns = MOST_PINGS * (ROUND_TRIP_NS + spread_ns) * drift
    stalls_ns = 30 * MS * drift if stalled else 0
    assert abs(second.missed_ns - gained_ns) <= 2 * not_known_yet_ns + stalls_ns
    assert abs(last.missed_ns) <= 200 + spread_ns
    assert last.drift == pytest.approx(drift, abs=5e-6 + spread_ns * 1e-8)
    begun_ns = 1 * SECOND  # of all clocks
    true_ns = (last.here_ns - HOUR_NS - begun_ns) * drift / (1 + drift) + HOUR_NS
    assert abs(last.offset_ns - true_ns) <= 100 + spread_ns / 2


# -- in the machine's ------------------------------------------------------------------------------


def half_a_trip_ns(fit: FittedClock) -> int:
    """What a first fit is off by at most, however long messages waited."""
    return fit.round_trip_ns // 2 + 1


@needs_root
@pytest.mark.parametrize("kind", ["tcp", "shm"])
def test_planted_offset_is_found_and_ranks_meet(kind: str, tmp_path: Path) -> None:
    lines = ("clocks id=1", "id=2 pattern=barrier cadence=isolated")
    output = obey(
        kernel(kind, SANITISED), lines, tmp_path, 4,
        entering={r: another_clock(offset) for r, offset in ((1, HALF_A_DAY_S), (3, -1))},
    )  # fmt: skip
    found = [fits(one)[0] for one in output]
    assert [(one.leader, one.fits) for one in found] == [(0, 0), (1, 1), (0, 0), (3, 1)]
    assert [one.offset_ns for one in found[::2]] == [0, 0]
    for rank, seconds in ((1, HALF_A_DAY_S), (3, -1)):
        off_ns = abs(found[rank].offset_ns - seconds * SECOND)
        assert off_ns <= half_a_trip_ns(found[rank])
    batches = [results(one)[2].batches for one in output]
    assert all(np.array_equal(one[:, 0], batches[0][:, 0]) for one in batches)
    assert all(np.max(np.abs(one[:, 1] - one[:, 0])) < PATIENCE_NS for one in batches)


@needs_root
def test_clock_that_two_hosts_share_is_found_to_be_one(tmp_path: Path) -> None:
    names = {1: another_name("h2"), 2: another_name("h3")}
    for text in obey(kernel("tcp"), BRIEF_BARRIERS, tmp_path, 3, entering=names)[1:]:
        assert [one.fits for one in fits(text)] == [1, 2, 3, 4, 5, 6]
        assert abs(fits(text)[0].offset_ns) <= half_a_trip_ns(fits(text)[0])


@needs_root
def test_batches_of_ranks_whose_clocks_are_apart_are_told_by_one(tmp_path: Path) -> None:
    lines = ("clocks id=1", "id=2 pattern=message_rate size=8 cadence=streaming")
    output = obey(kernel("tcp"), lines, tmp_path, 4, entering={3: another_clock(HALF_A_DAY_S)})
    batches = [results(one)[2].batches for one in output]
    begin = batches[0][0, 0]
    assert all(np.all(np.abs(one[:, 0] - begin) < PATIENCE_NS) for one in batches if len(one))
    assert len(batches[3])


@needs_root
def test_clocks_are_read_over_a_tree_and_shared_by_the_ranks_of_a_host(tmp_path: Path) -> None:
    hosts = {1: "h2", 2: "h3", 3: "h2", 4: "h4", 5: "h3", 6: "h5", 7: "h6"}
    names = {rank: another_name(host) for rank, host in hosts.items()}
    lines = ("clocks id=1 apart=hosts", "clocks id=2 apart=hosts", "clocks id=3")
    output = [fits(one) for one in obey(kernel("trace"), lines, tmp_path, 8, entering=names)]
    for first, second, one_clock in output:
        assert (first.fits, second.fits, one_clock.fits) in ((1, 2, 0), (0, 0, 0))
    assert [second.leader for _, second, _ in output] == [0, 1, 2, 1, 4, 2, 6, 7]
    assert [one_clock.leader for *_, one_clock in output] == [0] * 8
    assert output[1][1].here_ns == output[3][1].here_ns


@pytest.mark.parametrize("kind", ["tcp", "null"])
def test_ranks_that_read_one_clock_need_no_fit(kind: str, tmp_path: Path) -> None:
    for rank, text in enumerate(obey(kernel(kind), ("clocks id=1",), tmp_path, 3)):
        assert fits(text) == [FittedClock(1, rank, 0, 0, 0, 0, 0.0, 0, 0, 0)]


# -- a reading -------------------------------------------------------------------------------------


def settled(
    ways: Sequence[tuple[int, int]],
    drift: float = 0.0,
    *,
    known: float | None = None,
    stalls: dict[int, int] | None = None,
) -> list[int]:
    """Here, common, error, round trip: by a ping each microsecond, whose ways took so long.

    This clock shows 5000 more at first, and gains `drift`, of which `known` is known (default:
    all); before the pings of these numbers both ranks wait for `stalls` ns.
    """
    lines, common = [], 0
    for number, (there, back) in enumerate(ways):
        common += (stalls or {}).get(number, 0) + (1000 if number else 0)
        sent = 5000 + round(common * (1 + drift))
        received = 5000 + round((common + there + back) * (1 + drift))
        lines.append(f"{sent} {common + there} {received}")
    program = contract("clock_pings", local_backend("null"), sanitised=True)
    done = subprocess.run(
        [program, str(drift if known is None else known)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(word) for word in done.stdout.split()]


def test_fastest_way_there_and_fastest_way_back_may_be_of_different_pings() -> None:
    slow = [(900, 100), (100, 900)] * 8
    assert settled(slow) == [5000, 0, 20, 1000]
    assert settled([(900, 900)] * 14 + [(100, 900), (900, 100)]) == [5000, 0, 400, 1000]


def test_ways_that_always_differ_are_off_by_half_of_that_which_nobody_can_tell() -> None:
    assert settled([(300, 100)] * 16) == [5000, 100, 20, 400]


def test_pings_of_a_clock_that_drifts_are_brought_to_one_moment() -> None:
    here, common, error, _ = settled([(100, 100)] * 64, drift=0.1)
    assert (here, error) == (5000, 20)
    assert abs(common) <= 10


@pytest.mark.parametrize(("before", "after"), [(10, 20), (20, 10)])
def test_drift_that_nobody_knows_yet_does_not_count_while_ranks_wait(
    before: int, after: int
) -> None:
    """Of 100 ms at 0.5 % half would be in what is read: 250 us."""
    stall = {before: 100 * MS}
    here, common, *_ = settled(
        [(100, 100)] * (before + after), drift=0.005, known=0.0, stalls=stall
    )
    began = 0 if before > after else 100 * MS + 1000 * before
    assert abs(common - began) <= 500
    assert here == 5000 + round(began * 1.005)


@pytest.mark.parametrize("drift", [0.005, -0.005])
def test_drift_that_nobody_knows_yet_does_not_count_while_an_answer_waits(drift: float) -> None:
    ways = [(100, 100)] * 20
    ways[12] = (100 * MS, 100)
    assert abs(settled(ways, drift=drift, known=0.0)[1]) <= 500


def test_pings_that_are_all_slow_or_all_apart_count() -> None:
    slow = dict.fromkeys(range(1, 16), 40 * MS)
    assert settled([(20 * MS, 20 * MS)] * 16, stalls=slow) == [5000, 0, 20, 40 * MS]
    apart = dict.fromkeys(range(1, 16), 40 * MS)
    assert settled([(900, 900)] * 15 + [(100, 100)], stalls=apart)[3] == 200


def suffice(count: int, spent_ns: int, shortest_ns: int, usual_ns: int) -> bool:
    words = map(str, (count, spent_ns, shortest_ns, usual_ns))
    program = contract("clock_pings", local_backend("null"), sanitised=True)
    return subprocess.run([program, *words], capture_output=True, check=True).stdout == b"1\n"


def test_a_reading_has_sixteen_messages_then_a_hundred_or_ten_milliseconds() -> None:
    usual = 40 * US
    assert not suffice(15, 99 * MS, usual, usual)
    assert not suffice(16, 10 * MS - 1, usual, usual)
    assert suffice(16, 10 * MS, usual, usual)
    assert not suffice(99, 1 * MS, usual, usual)
    assert suffice(100, 1 * MS, usual, usual)


@pytest.mark.parametrize("usual_ns", [40 * US, 0], ids=["slower than before", "never read"])
def test_a_reading_goes_on_while_messages_may_be_faster(usual_ns: int) -> None:
    slow = 50 * US + 1
    assert not suffice(255, 30 * MS - 1, slow, usual_ns)
    assert suffice(256, 1 * MS, slow, usual_ns)
    assert suffice(16, 30 * MS, slow, usual_ns)


def test_a_reading_within_a_fourth_of_the_fastest_has_been_fast() -> None:
    assert suffice(100, 1 * MS, 50 * US, 40 * US)


# -- the model -------------------------------------------------------------------------------------


def models(*readings: tuple[int, int, int, int]) -> list[list[float]]:
    """After each of `readings`: here, common, drift, common a second later, here again."""
    program = contract("clock_model", local_backend("null"), sanitised=True)
    lines = "".join(f"{' '.join(map(str, one))}\n" for one in readings)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def test_one_reading_says_nothing_of_drift() -> None:
    assert models((5000, 2000, 10, 100)) == [[5000, 2000, 0, 2000 + SECOND, 5000 + SECOND]]


def test_drift_is_the_slope_of_the_line() -> None:
    *_, (here, common, drift, there, back) = models(
        (3000, 0, 10, 100), (3000 + SECOND + 1000, SECOND, 10, 100)
    )
    assert (here, common) == (SECOND + 4000, SECOND)
    assert drift == pytest.approx(1e-6)
    assert (there, back) == (2 * SECOND - 1000, here + SECOND)


def test_way_to_the_common_clock_and_back_is_exact_however_large_the_drift() -> None:
    *_, (here, common, drift, there, back) = models(
        (0, 0, 1, 100), (SECOND + SECOND // 4, SECOND, 1, 100)
    )
    assert (here, common, drift) == (SECOND + SECOND // 4, SECOND, 0.25)
    assert (there, back) == (SECOND + 800_000_000, here + SECOND)


def test_offset_is_that_of_the_line_by_weights() -> None:
    # offsets 0, 1000, 2030 at 0, 1 and 2 s; the last weighs a hundredth: the line hardly moves
    *_, (here, common, drift, _, _) = models(
        (0, 0, 1, 100), (SECOND + 1000, SECOND, 1, 100), (2 * SECOND + 2030, 2 * SECOND, 10, 100)
    )
    assert drift == pytest.approx((1000 + 30 / 102 * 1.5) * 1e-9, rel=2e-3)
    assert here - common == pytest.approx(2000, abs=3)


def test_line_that_a_round_trip_contradicts_goes_no_further_than_its_half() -> None:
    exact = [(n * (SECOND + 1000), n * SECOND, 1, 100) for n in range(6)]
    *_, (here, common, _, _, _) = models(*exact, (6 * SECOND + 9000, 6 * SECOND, 1000, 400))
    assert here - common == 9000 - 200


def test_reading_weighs_less_by_what_its_round_trip_took_longer() -> None:
    before = [(n * SECOND, n * SECOND, 100, 1000) for n in range(3)]
    ((*_, alike), (*_, longer)) = (
        models(*before, (3 * SECOND + 9000, 3 * SECOND, 100, trip)) for trip in (1000, 21000)
    )
    assert alike[2] > 2e-9
    assert longer[:3] == [3 * SECOND + 9000, 3 * SECOND, 0]


def test_drift_that_errors_may_feign_is_none() -> None:
    *_, last = models((0, 0, 1000, 5000), (SECOND + 2000, SECOND, 1000, 5000))
    assert last == [SECOND + 2000, SECOND, 0, 2 * SECOND, 2 * SECOND + 2000]


def test_readings_at_one_moment_say_nothing_of_drift() -> None:
    *_, last = models((5, 0, 1, 10), (7, 0, 1, 10))
    assert last == [7, 0, 0, SECOND, SECOND + 7]


def test_clock_is_followed_by_its_last_eight_readings() -> None:
    before = [(n * SECOND, n * SECOND, 1, 100) for n in range(20)]
    since = [(n * SECOND + (n - 19) * 5000, n * SECOND, 1, 100) for n in range(20, 28)]
    *_, (here, common, drift, _, _) = models(*before, *since)
    assert here - common == 8 * 5000
    assert drift == pytest.approx(5e-6)
