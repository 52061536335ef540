"""What is prepared before a slice: roots, shares of vector operations, work beside operations."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import local_backend
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers


@pytest.fixture(scope="module")
def program() -> Path:
    """`prepared TURNS PARAMS`, linked with everything of a kernel but its main."""
    return contract("prepared", local_backend("null"))


def ran(program: Path, ranks: int, params: str, turns: int = 0) -> str:
    environment = os.environ | {"LEADLINE_RANKS": str(ranks)}
    return subprocess.check_output([str(program), str(turns), params], env=environment, text=True)


def prepared(program: Path, ranks: int, params: str, turns: int = 0) -> list[list[int]]:
    """[roots of the first repetitions, bytes of each rank's share, work by word]."""
    lines = ran(program, ranks, params, turns).splitlines()
    return [[int(number) for number in line.split()] for line in lines]


@pytest.mark.parametrize(
    ("ranks", "params"),
    [
        (3, "pattern=message_rate size=8"),
        (2, "pattern=pingpong_persistent size=8 buffers=cold"),
        (2, "pattern=pingpong size=9000000000000000000"),
    ],
)
def test_slice_that_cannot_be_is_refused_in_words(
    ranks: int, params: str, program: Path, snapshot: SnapshotAssertion
) -> None:
    assert ran(program, ranks, params) == snapshot


def test_rotating_root_gives_every_rank_its_turn_from_the_first_on(program: Path) -> None:
    roots, *_ = prepared(program, 3, "pattern=bcast size=8 root=1 root=rotating", 7)
    assert roots == [1, 2, 0, 1, 2, 0, 1]


@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 64, 100])
def test_turns_differ_by_two_percent_at_most_however_long_a_slice(
    ranks: int, program: Path
) -> None:
    roots, *_ = prepared(program, ranks, "pattern=bcast size=8 root=rotating", 100_000)
    turns = Counter(roots)
    assert set(turns) == set(range(ranks))
    assert max(turns.values()) <= 1.02 * min(turns.values())


def test_fixed_root_stays(program: Path) -> None:
    assert prepared(program, 4, "pattern=bcast size=8 root=3", 3)[0] == [3, 3, 3]


def test_even_shares_are_the_size(program: Path) -> None:
    assert prepared(program, 4, "pattern=gatherv size=1001")[1] == [1001] * 4


def test_skewed_shares_are_in_proportion_to_the_rank_plus_one(program: Path) -> None:
    assert prepared(program, 4, "pattern=gatherv size=2000 counts=skewed")[1] == [
        800, 1600, 2400, 3200
    ]  # fmt: skip


@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 16])
@pytest.mark.parametrize("size", [1, 8, 104, 1001, 65_536])
def test_skewed_shares_have_the_sum_of_even_ones(size: int, ranks: int, program: Path) -> None:
    shares = prepared(program, ranks, f"pattern=allgatherv size={size} counts=skewed")[1]
    assert sum(shares) == ranks * size
    assert max(shares) <= 2 * size
    assert size % 8 or all(share % 8 == 0 for share in shares)


def test_pattern_without_counts_is_not_divided(program: Path) -> None:
    assert prepared(program, 4, "pattern=gather size=8")[1] == []


def test_work_is_as_much_with_the_operation_as_alone_and_none_where_it_idles(program: Path) -> None:
    work = prepared(program, 2, "pattern=iallreduce size=800")[2]
    idle, overlapped, tested, computing = zip(work[::2], work[1::2], strict=True)
    assert idle == (0, 0)
    assert overlapped == computing
    assert overlapped[0] >= 1
    assert tested == (overlapped[0] // 8, 8)


def test_pattern_that_never_overlaps_has_no_work(program: Path) -> None:
    assert prepared(program, 2, "pattern=allreduce size=800")[2] == [0] * 8


def test_work_of_a_given_time_is_in_proportion_to_it_and_no_operations(program: Path) -> None:
    def iterations(time_ns: int, size: int) -> int:
        return prepared(program, 2, f"pattern=iallreduce size={size} work={time_ns}")[2][2]

    short, long = iterations(1000, 8), iterations(100_000_000, 8)
    assert long > 10_000 * short  # 100,000 times, but for how fast the core was each time
    assert iterations(100_000_000, 80_000) > 10_000 * short


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("depth", "0"), ("depth", "1025"), ("depth", "4x"), ("depth", "-1"), ("depth", ""),
        ("depth", "99999999999999999999"), ("work", "999"), ("work", "100000001"), ("work", "20us"),
        ("grid", "8x"), ("grid", "x8"), ("grid", "0x8"), ("grid", "2x2x2x2x2"), ("grid", ""),
        ("grid", "65536x65536"), ("grid", "2,2"), ("overlap", "busy"),
    ],
)  # fmt: skip
def test_value_that_is_not_allowed_is_not_read(word: str, value: str, program: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        ran(program, 4, f"pattern=halo {word}={value}")


@pytest.mark.parametrize(("grid", "axes"), [("4", 1), ("2x2", 2), ("1x4x1", 3), ("2x1x2x1", 4)])
def test_grid_has_a_vertex_for_each_rank(grid: str, axes: int, program: Path) -> None:
    assert ran(program, 4, f"pattern=halo grid={grid}").splitlines()[-1].startswith(f"{axes} ")
    other = ran(program, 6, f"pattern=halo grid={grid}")
    assert numbers(other) == ["4", "6"]


def test_options_have_their_values_and_else_their_defaults(program: Path) -> None:
    def last(params: str) -> list[int]:
        return prepared(program, 8, f"pattern=halo {params}")[-1]

    assert last("") == [3, 2, 2, 2, 0, 1]
    assert last("depth=1024 grid=4x2") == [2, 4, 2, 0, 0, 1024]


def test_command_longer_than_any_buffer_is_read(program: Path) -> None:
    padding = " " * 100_000
    assert prepared(program, 2, f"pattern=bcast size=8{padding} root=1", 1)[0] == [1]
