"""The cores that the switch runs on: all that it may use, by turns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.emulated import needs_root
from tests.support.medium import build_driver, lines_of
from tests.support.switched import await_that, switched_hosts

from leadline.hosts.emulated.link import parse_link

TURN_NS = 1_000_000


@pytest.fixture(scope="module")
def cores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_driver("cores", ["urgency"], tmp_path_factory.mktemp("cores"))


@pytest.fixture
def one_core() -> Iterator[int]:
    """All that this process, and what it starts, may use."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(usable)})
    yield max(usable)
    os.sched_setaffinity(0, usable)


def turns(cores: Path, moments_ns: Sequence[int], size_bytes: int = 512) -> list[list[int]]:
    """After each moment, at which a frame came: whose turn it is, and where it runs."""
    return lines_of(cores, *(f"{now} {size_bytes}" for now in moments_ns))


def test_it_goes_round_all_usable_cores(cores: Path) -> None:
    usable = sorted(os.sched_getaffinity(0))
    rounds = turns(cores, [TURN_NS * turn for turn in range(1, 2 * len(usable) + 1)])
    visited = [own for own, _ in rounds]
    assert [on for _, on in rounds] == visited
    assert sorted(visited[: len(usable)]) == usable
    assert visited == visited[: len(usable)] * 2


def test_it_stays_for_its_turn(cores: Path) -> None:
    first, *later = turns(cores, [TURN_NS, 2 * TURN_NS - 1, 2 * TURN_NS - 1])
    assert later == [first, first]


def test_long_frames_keep_it_where_it_is(cores: Path) -> None:
    moments_ns = [TURN_NS * turn for turn in range(1, 6)]
    assert len({own for own, _ in turns(cores, moments_ns, 513)}) == 1


def test_it_stays_where_there_is_one_core(cores: Path, one_core: int) -> None:
    assert turns(cores, [TURN_NS, 2 * TURN_NS]) == [[one_core, one_core]] * 2


@needs_root
def test_the_switch_takes_a_turn_when_short_frames_have_come() -> None:
    """A question and its answer are more than a turn after its start; before it sleeps it goes."""
    with switched_hosts(parse_link("atm-155")) as hosts:
        assert hosts.ask(0, 1, 10)
        await_that(lambda: len(os.sched_getaffinity(hosts.pid)) == 1)
        assert os.sched_getaffinity(hosts.pid) <= os.sched_getaffinity(0)
