"""What slices over a slow link take, and what a budget leaves out for that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.backends.kinds import KINDS
from leadline.errors import UsageError
from leadline.hosts.cores import Site
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.placement import Hosts
from leadline.kernels.description import Capability
from leadline.measure.cells import Resources
from leadline.measure.plan import Plan, make_plan
from leadline.measure.spec import Request
from leadline.patterns.pattern import Pattern
from leadline.report.text.plan import plan_lines

LARGE = 64 * 1024
PINGPONG = Pattern("pingpong", "", "native", 2, 1, 1, 0, False, 1, 1, "root", "streaming")
ABLE = Capability("tcp", True, 2**63, (), {"pingpong": PINGPONG})
RESOURCES = Resources({"a": ABLE, "b": ABLE}, 1.0, (Site("n", "m", (0, 1)),), 2**34, None)


def planned_over(link: str, *sizes: int, budget_s: float = 60.0, blocks: int | None = None) -> Plan:
    hosts = Hosts(("a", "b"), emulated=True, link=parse_link(link).facts)
    request = Request(
        patterns=("pingpong",), sizes=sizes, hosts=hosts, budget_s=budget_s, blocks=blocks
    )
    return make_plan(request, RESOURCES)


def test_slices_over_a_slow_link_take_as_long_as_their_messages() -> None:
    """A slice of 64 KiB over 10 Mbit/s, shared, was measured to take 1.50 s."""
    plan = planned_over("ethernet-10", LARGE, blocks=1)
    assert plan.costs.visit_s == pytest.approx(2 * 1.50, rel=0.02)  # of two libraries
    fast = planned_over("gigabit", 8, blocks=1)
    assert fast.costs.visit_s == pytest.approx(2 * 0.008)


def test_delay_of_a_link_is_part_of_every_slice() -> None:
    plan = planned_over("100Mbit,delay=10ms", 8, blocks=1)
    assert plan.costs.visit_s == pytest.approx(2 * (26 * 0.01 + 0.003), rel=0.01)


def test_stated_rate_of_real_links_counts_as_well() -> None:
    hosts = Hosts(("a", "b"))
    request = Request(
        patterns=("pingpong",), sizes=(LARGE,), hosts=hosts, link_bound=1.25e6, blocks=1
    )
    plan = make_plan(request, RESOURCES)
    assert plan.costs.visit_s == pytest.approx(2 * 26 * LARGE / 1.25e6, rel=0.01)


def test_slow_librarys_large_messages_take_its_slices_longer() -> None:
    """16 messages of 1 MiB over PVM's daemons, at 0.1 GB/s, beside a library as quick as usual."""
    request = Request(patterns=("pingpong",), sizes=(2**20,), blocks=1)
    plan = make_plan(request, replace(RESOURCES, bytes_per_s={"a": KINDS["pvm"].bytes_per_s}))
    slow_s, usual_s = (16 * 2**20 / rate + 0.003 for rate in (1e8, 1.5e9))
    assert plan.costs.visit_s == pytest.approx(slow_s + usual_s)
    both_usual = make_plan(request, RESOURCES)
    assert both_usual.costs.visit_s == pytest.approx(2 * usual_s)


def test_slow_library_leaves_a_budget_less_room() -> None:
    request = Request(
        patterns=("pingpong",), sizes=(8, 64, 512, 4096, 2**15, 2**18, 2**20), budget_s=9
    )
    few = make_plan(request, replace(RESOURCES, bytes_per_s={"a": KINDS["pvm"].bytes_per_s}))
    assert few.visits < make_plan(request, RESOURCES).visits


def test_sizes_that_alone_take_most_of_the_budget_go_before_all_others(
    snapshot: SnapshotAssertion,
) -> None:
    plan = planned_over("ethernet-10", 8, 1024, 4096, 2_000_000)
    assert [one.cell.size_bytes for one in plan.groups[0].cells] == [8, 1024, 4096]
    assert plan.warnings[0].cause == snapshot
    plan = planned_over("atm-155", 65536, 1024 * 1024, budget_s=31.0)  # 20 s of it for 1 MiB
    assert not [warning for warning in plan.warnings if warning.code == "budget"]


def test_blocks_that_were_counted_keep_all_sizes() -> None:
    plan = planned_over("ethernet-10", 8, 2_000_000, blocks=1)
    assert [one.cell.size_bytes for one in plan.groups[0].cells] == [8, 2_000_000]


def test_budget_too_small_for_the_one_size_says_that_a_smaller_one_would_do() -> None:
    with pytest.raises(UsageError, match=r"--budget \d+s.* --sizes"):
        planned_over("ethernet-10", 2_000_000)


def test_sum_of_long_visits_is_told_by_their_own_time(snapshot: SnapshotAssertion) -> None:
    plans = (planned_over("ethernet-10", LARGE, blocks=1), planned_over("gigabit", 8, blocks=1))
    assert [plan_lines(plan, [], []) for plan in plans] == snapshot
