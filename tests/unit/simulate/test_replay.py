"""What passes links and what ranks do when, reckoned by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.simulated import FOUND_S, LATENCY_S, OVERHEAD_S, RATE, machine
from syrupy.assertion import SnapshotAssertion

from leadline.errors import UsageError
from leadline.measure.spec import Request
from leadline.measure.tracing import described_cells
from leadline.patterns.programs.calls import (
    CallRows,
    CallStep,
    RankCalls,
    SendMode,
    calls_in,
    received,
    sent,
)
from leadline.simulate.campaign import Setup, SimulatedJob
from leadline.simulate.flow import flow
from leadline.simulate.machine import BarrierTime, Compute, Links, MachineModel
from leadline.simulate.replay import Spans, activity_of, link_bytes, replayed_jobs, replays, spans
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import Tasks, tasks_of
from leadline.topology.phases import CallKind

MIB = 2**20
LEAVES_S = MIB / RATE
WORK_S = 5e-6


def tasks(on: MachineModel, calls: RankCalls) -> Tasks:
    (profile,) = on.profiles.values()
    fabric = fabric_of(on, on.allocate(calls.ranks))
    return tasks_of(calls, profile, on.compute, fabric, np.arange(calls.ranks))


def one_message(ranks: int) -> RankCalls:
    """From the first rank to the last, which computes for WORK_S when it is there."""
    zero, last = np.array([0]), np.array([ranks - 1])
    message = CallStep((sent(zero, ranks - 1, MIB, 1), received(last, 0, MIB, 1)))
    work = CallStep((CallRows(CallKind.WORK, last, -1, 0, 5000),))
    return calls_in([message, work], ranks, SendMode.STANDARD)


def listed(found: Spans) -> list[tuple[int, float, float]]:
    columns = (found.rank.tolist(), found.begin_s.tolist(), found.end_s.tolist())
    return list(zip(*columns, strict=True))


def assert_spans(found: Spans, rank: int, span: tuple[float, float]) -> None:
    """One span, of one rank."""
    assert found.rank.tolist() == [rank]
    assert (found.begin_s[0], found.end_s[0]) == pytest.approx(span)


def test_ranks_send_receive_and_compute_when_their_tasks_do() -> None:
    made = tasks(machine(2, compute=Compute(flop_per_s=1e9)), one_message(2))
    found = activity_of(made, flow(made.graph))
    left, comes = OVERHEAD_S + LEAVES_S, OVERHEAD_S + LATENCY_S
    there = left + LATENCY_S + FOUND_S
    assert_spans(found.sending, 0, (0.0, left))
    assert_spans(found.receiving, 1, (comes, there))
    assert_spans(found.computing, 1, (there, there + WORK_S))
    assert found.ended_s == pytest.approx([left, there + WORK_S])


def test_links_carry_the_bytes_that_pass_them_in_their_direction() -> None:
    on = machine(3)
    made = tasks(on, one_message(3))
    found = link_bytes(made.graph, fabric_of(on, on.allocate(3)))
    assert found.reshape(3, 1, 2)[:, 0].tolist() == [[0, MIB], [0, MIB], [0, 0]]


def test_one_medium_carries_everything_and_nodes_their_own() -> None:
    on = replace(machine(3), network="nodes:3x1", links=Links(1e9, 0.0, shared=True))
    made = tasks(on, one_message(3))
    found = link_bytes(made.graph, fabric_of(on, on.allocate(3)))
    assert found.tolist() == [MIB, 0, 0, 0, 0, MIB, 0, 0], "what leaves a node and comes in"


def test_the_medium_is_the_busiest() -> None:
    on = replace(machine(), network="nodes:4x1", links=Links(1e9, 0.0, shared=True))
    (profile,) = on.profiles.values()
    cells = described_cells(Request(patterns=("pair",), sizes=(MIB,), ranks=(4,)))
    (found,) = replays(Setup("row", on, profile), cells)
    assert (found.link_bytes.max(), found.busiest_bytes) == (MIB, 4 * MIB)


@pytest.mark.parametrize("split", [False, True])
def test_of_parallel_links_the_busiest_counts(split: bool) -> None:
    on = replace(
        machine(),
        network="tree:2x2x1",
        links=Links(1e9, 0.0, parallel=(4,)),
        ties="split" if split else "one way",
    )
    made = tasks(on, one_message(4))
    of_links = link_bytes(made.graph, fabric_of(on, on.allocate(4)))
    above = MIB / 4 if split else MIB
    assert sorted(of_links.tolist())[-4:] == [above, above, MIB, MIB]
    assert of_links.sum() == 2 * MIB + 2 * above, "up and down twice"


def jobs(*sizes: int) -> list[SimulatedJob]:
    """On a row of eight: A on 0 and 2, B on 1 and 3, ..."""
    on = machine(8, links=RATE)
    (profile,) = on.profiles.values()
    return [
        SimulatedJob(
            "ABC"[at],
            Setup("row", on, profile, pool=on.whole().take(np.array([at, at + 2]))),
            described_cells(Request(patterns=("pair",), sizes=(size,), ranks=(2,))),
        )
        for at, size in enumerate(sizes)
    ]


def test_jobs_are_replayed_alone_and_together() -> None:
    first, second, both = replayed_jobs(jobs(MIB, MIB))
    alone = first.jobs[0].seconds
    assert second.jobs[0].seconds == pytest.approx(alone)
    assert [one.name for one in both.jobs] == ["A", "B"]
    assert [one.seconds - alone for one in both.jobs] == pytest.approx([LEAVES_S, LEAVES_S])
    assert np.array_equal(both.link_bytes, first.link_bytes + second.link_bytes)
    assert [(row.job, row.rank) for row in both.rows()] == [("A", 0), ("A", 1), ("B", 0), ("B", 1)]


def test_a_shorter_job_goes_on_until_the_longer_one_has_ended() -> None:
    *_, both = replayed_jobs(jobs(8 * MIB, MIB))
    longer, shorter = both.jobs
    assert shorter.seconds < longer.seconds / 4
    assert shorter.activity.ended_s.max() == pytest.approx(longer.seconds, rel=0.2)


def test_one_job_is_only_alone() -> None:
    assert len(replayed_jobs(jobs(MIB))) == 1


def test_spans_that_meet_are_one() -> None:
    part = (np.array([1, 0, 0, 0]), np.array([0.0, 2, 0, 1]), np.array([1.0, 3, 1, 1]))
    more = (np.array([0]), np.array([0.5]), np.array([1.5]))
    assert listed(spans([part, more])) == [(0, 0.0, 1.5), (0, 2.0, 3.0), (1, 0.0, 1.0)]


def setup(mapping: str = "default", barrier: BarrierTime | None = None) -> Setup:
    on = machine(4)
    (profile,) = on.profiles.values()
    files = {"turned": (3, 2, 1, 0)}
    return Setup("row", on, replace(profile, barrier=barrier), mapping, files)


@pytest.mark.parametrize("patterns", [("pair", "bcast"), ("pair", "halo", "barrier")])
def test_first_pattern_is_replayed_on_most_ranks_at_its_largest_size(
    patterns: tuple[str, ...],
) -> None:
    cells = described_cells(Request(patterns=patterns, sizes=(8, 64), ranks=(2, 4)))
    (found,) = replays(setup(), cells)
    (job,) = found.jobs
    assert (job.planned.choice.name, job.planned.cell.size_bytes) == ("pair", 64)
    assert job.slots.tolist() == [0, 1, 2, 3]
    assert found.link_bytes.max() == 2 * 64, "ranks 0 and 1 send to 2 and 3"


def test_rows_are_of_ranks_evenly_apart() -> None:
    on = machine(130)
    cells = described_cells(Request(patterns=("pair",), sizes=(64,), ranks=(130,)))
    (profile,) = on.profiles.values()
    (found,) = replays(Setup("row", on, profile), cells)
    rows = found.rows()
    assert (len(rows), rows[0].rank, rows[-1].rank) == (64, 0, 129)
    (job,) = found.jobs
    assert rows[-1].sending == job.activity.sending.of(129) != ()
    assert found.ended_s == job.seconds == job.activity.ended_s.max()


def test_mapped_ranks_stand_beside_those_in_order() -> None:
    cells = described_cells(Request(patterns=("pair",), sizes=(64,), ranks=(4,)))
    (before,), (after,) = (one.jobs for one in replays(setup("turned"), cells))
    assert (before.slots.tolist(), after.slots.tolist()) == ([0, 1, 2, 3], [3, 2, 1, 0])


def test_patterns_without_a_grid_have_one_way_to_be_laid() -> None:
    cells = described_cells(Request(patterns=("bcast",), sizes=(64,), ranks=(4,)))
    (found,) = replays(setup("turned"), cells)
    assert found.link_bytes.sum() > 0


def test_barrier_of_the_hardware_has_nothing_to_draw(snapshot: SnapshotAssertion) -> None:
    cells = described_cells(Request(patterns=("barrier",), sizes=(0,), ranks=(4,)))
    with pytest.raises(UsageError) as caught:
        replays(setup(barrier=BarrierTime(1e-6)), cells)
    assert str(caught.value) == snapshot
