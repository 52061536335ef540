"""The cores that the switch runs on: all that it may use, by turns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.emulated import needs_root
from tests.support.medium import build_driver, lines_of
from tests.support.switched import switched_hosts

from leadline.hosts.emulated.link import parse_link

TURN_NS = 1_000_000
ROUNDS = 100
"""Of questions and answers, at most; two do, mostly."""


@pytest.fixture(scope="module")
def cores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_driver("cores", ["cores"], tmp_path_factory.mktemp("cores"))


@pytest.fixture
def one_core() -> Iterator[int]:
    """All that this process, and what it starts, may use."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(usable)})
    yield max(usable)
    os.sched_setaffinity(0, usable)


def visited(cores: Path, moments_ns: Sequence[int], size_bytes: int = 512) -> list[int]:
    """The core after each, at which a frame came."""
    return [core for (core,) in lines_of(cores, *(f"{now} {size_bytes}" for now in moments_ns))]


def test_it_goes_round_all_usable_cores(cores: Path) -> None:
    usable = sorted(os.sched_getaffinity(0))
    rounds = visited(cores, [TURN_NS * turn for turn in range(1, 2 * len(usable) + 1)])
    assert sorted(rounds[: len(usable)]) == usable
    assert rounds == rounds[: len(usable)] * 2


def test_it_stays_for_its_turn(cores: Path) -> None:
    first, *later = visited(cores, [TURN_NS, 2 * TURN_NS - 1, 2 * TURN_NS - 1])
    assert later == [first, first]


def test_long_frames_keep_it_where_it_is(cores: Path) -> None:
    moments_ns = [TURN_NS * turn for turn in range(1, 6)]
    assert len(set(visited(cores, moments_ns, 513))) == 1


def test_it_stays_where_there_is_one_core(cores: Path, one_core: int) -> None:
    assert set(visited(cores, [TURN_NS, 2 * TURN_NS])) == {one_core}


@needs_root
def test_the_switch_takes_turns_while_short_frames_come() -> None:
    visited = set[int]()
    with switched_hosts(parse_link("atm-155")) as hosts:
        for _ in range(ROUNDS):
            assert hosts.ask(0, 1, *[10] * 5)
            visited.add(core_of(hosts.pid))
            if visited == os.sched_getaffinity(0):
                return
    assert visited == os.sched_getaffinity(0)


def core_of(pid: int) -> int:
    """The one that the process was on last."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[36])
