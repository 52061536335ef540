"""The launches of a block, over raw shared memory, for real."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from harness.kernels import variant
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import on_two_cores, plan_for

from leadline.errors import UsageError
from leadline.kernels.placements import SLOTS_A_PIECE
from leadline.kernels.server import ControlServer
from leadline.measure.launch import Launch, SliceError
from leadline.measure.plan import Group
from leadline.measure.pool import MOST_RELAUNCHES, LaunchPool
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Request, Variant
from leadline.measure.system import OPERATING_SYSTEM


@pytest.fixture
def server() -> Iterator[ControlServer]:
    with ControlServer.listening() as listening:
        yield listening


def prepared_for(variants: list[Variant]) -> Prepared:
    plan = plan_for(variants, "barrier", (0,), 1)
    return Prepared(Request(patterns=("barrier",)), tuple(variants), plan, (on_two_cores(),))


def pool_of_launches(
    variants: list[Variant],
    launches: int,
    server: ControlServer,
    ranks: int = 2,
) -> LaunchPool:
    group = Group(ranks, False, (), launches)
    return LaunchPool(
        prepared_for(variants), server, group, variants, itertools.count(5), OPERATING_SYSTEM
    )


def pid(launch: Launch | None) -> int:
    assert launch is not None
    return launch.hellos[0].pid


def test_visits_take_turns_with_the_launches_of_a_variant(server: ControlServer) -> None:
    variants = [variant("shm"), variant("null")]
    with pool_of_launches(variants, 3, server) as launch_pool:
        turns = [pid(launch_pool.launch_of("shm", visit)) for visit in range(6)]
        others = {pid(launch_pool.launch_of("null", visit)) for visit in range(6)}
        numbers = sorted(launch.number for launch in launch_pool.launches)
    assert launch_pool.failed == {}
    assert len(set(turns)) == 3
    assert numbers == [5, 6, 7, 8, 9, 10]
    assert turns[:3] == turns[3:]
    assert len(others) == 3
    assert not others & set(turns)


def test_variants_that_differ_in_their_map_take_turns_with_the_same_launches(
    server: ControlServer,
) -> None:
    plain = variant("shm")
    both = [plain, replace(plain, name="mapped", map="internode")]
    with pool_of_launches(both, 3, server) as launch_pool:
        assert len(launch_pool.launches) == 3
        launch = launch_pool.launch_of("shm", 1)
        assert launch is not None
        assert launch is launch_pool.launch_of("mapped", 1)
        launch_pool.replace(launch)
        turns = [pid(launch_pool.launch_of(name, 1)) for name in ("shm", "mapped")]
        assert turns[0] == turns[1]
        assert len(launch_pool.launches) == 3
    broken = [replace(one, kernel="/bin/false") for one in both]
    with pool_of_launches(broken, 2, server) as launch_pool:
        assert list(launch_pool.failed) == ["shm", "mapped"]


def test_launch_that_is_replaced_leaves_the_others_alone(server: ControlServer) -> None:
    with pool_of_launches([variant("shm")], 2, server) as launch_pool:
        first, second = (launch_pool.launch_of("shm", visit) for visit in range(2))
        assert first is not None
        launch_pool.replace(first)
        after = {pid(launch_pool.launch_of("shm", visit)) for visit in range(2)}
        assert pid(second) in after
        assert len(after) == 2


def test_ranks_keep_a_placement_and_refuse_another_of_its_number(
    server: ControlServer, snapshot: SnapshotAssertion
) -> None:
    with pool_of_launches([variant("shm")], 1, server) as launch_pool:
        launch = launch_pool.launch_of("shm", 0)
        assert launch is not None
        launch.place(3, [1, 0], 20.0)
        slice_words = "pattern=barrier slice_ns=1000000 placement=3"
        assert len(launch.measure(slice_words, "barrier", 2, 20.0)) == 2
        with pytest.raises(SliceError) as again:
            launch.place(3, [0, 1], 20.0)
        with pytest.raises(SliceError) as unmade:
            launch.measure("pattern=barrier placement=4", "barrier", 2, 20.0)
        with pytest.raises(UsageError) as twice:
            launch.place(5, [1, 1], 20.0)
    assert [str(caught.value) for caught in (again, unmade, twice)] == snapshot


def test_placement_in_many_pieces_reaches_the_ranks(server: ControlServer) -> None:
    slots = list(reversed(range(8 * SLOTS_A_PIECE)))
    with pool_of_launches([variant("null")], 1, server, len(slots)) as launch_pool:
        launch = launch_pool.launch_of("null", 0)
        assert launch is not None
        launch.place(1, slots, 20.0)
        launch.measure("pattern=halo size=8 slice_ns=1000000 placement=1", "halo", 1, 20.0)


def test_variant_that_fails_too_often_is_out(server: ControlServer) -> None:
    with pool_of_launches([variant("shm")], 1, server) as launch_pool:
        for _ in range(MOST_RELAUNCHES + 1):
            launch = launch_pool.launch_of("shm", 0)
            assert launch is not None
            launch_pool.replace(launch)
        assert launch_pool.launch_of("shm", 0) is None


def test_variant_whose_launches_all_fail_is_complained_of_once(server: ControlServer) -> None:
    good = variant("shm")
    broken = Variant("broken", good.backend, "/bin/false", good.capability)
    with pool_of_launches([good, broken], 3, server) as launch_pool:
        assert launch_pool.launch_of("broken", 0) is None
        assert launch_pool.launch_of("shm", 0) is not None
    assert list(launch_pool.failed) == ["broken"]
