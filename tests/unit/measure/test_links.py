from __future__ import annotations

from tests.support.links import HOSTS, SECOND, said

from leadline.measure.slices import busiest_link, slice_of
from leadline.measure.spec import OWN_SPEED
from leadline.record.slices import LinkUse


def test_busiest_link_is_that_of_the_largest_share_not_of_the_most_bytes() -> None:
    results = [
        said(0, ("eth0 tx", 900, 10_000.0), ("eth1 tx", 80, 100.0)),
        said(1, ("eth0 rx", 900, 10_000.0), ("eth1 rx", 70, 100.0)),
    ]
    assert busiest_link(results, HOSTS, OWN_SPEED) == LinkUse("h1 eth1 tx", 80, SECOND, 100.0)


def test_rate_that_is_given_holds_for_every_link() -> None:
    results = [said(0, ("eth0 tx", 900, 10_000.0), ("eth1 tx", 80, 0.0))]
    assert busiest_link(results, HOSTS, 1000.0) == LinkUse("h1 eth0 tx", 900, SECOND, 1000.0)


def test_link_without_a_speed_that_carried_the_most_has_no_rate() -> None:
    results = [said(0, ("eth0 tx", 900, 0.0), ("eth1 tx", 80, 100.0))]
    assert busiest_link(results, HOSTS, OWN_SPEED) == LinkUse("h1 eth0 tx", 900, SECOND, 0.0)


def test_idle_link_without_a_speed_hides_no_other() -> None:
    results = [said(0, ("ifb0 tx", 0, 0.0), ("eth1 tx", 80, 100.0))]
    assert busiest_link(results, HOSTS, OWN_SPEED) == LinkUse("h1 eth1 tx", 80, SECOND, 100.0)


def test_hosts_without_interfaces_have_no_busiest_link() -> None:
    assert busiest_link([said(0), said(1)], HOSTS, 1000.0) is None
    assert busiest_link([], HOSTS, OWN_SPEED) is None


def test_counters_that_do_not_move_are_a_link_that_carried_nothing() -> None:
    found = busiest_link([said(0, ("eth0 tx", 0, 0.0))], HOSTS, 1000.0)
    assert found == LinkUse("h1 eth0 tx", 0, SECOND, 1000.0)


def test_slice_has_the_disturbance_of_all_ranks_those_that_recorded_first() -> None:
    taken = slice_of(0, 0, (0, 0), 0, [said(1), said(0, batches=0), said(2)])
    found = taken.disturbance
    assert found is not None
    assert (taken.ranks.tolist(), taken.others.tolist()) == ([1, 2], [0])
    assert found.window_ns.tolist() == [SECOND] * 3
    assert found.run_delay_ns.tolist() == [20, 30, 10]
    assert found.involuntary_switches.tolist() == [1, 2, 0]
    assert found.minor_faults.tolist() == [3, 3, 3]
    assert found.core_latency_ns.tolist() == [91, 92, 90]
