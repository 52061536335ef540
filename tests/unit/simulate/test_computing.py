"""What applications compute on simulated machines: whose share it is, and what costs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from harness.simulated import FOUND_S, LATENCY_S, OVERHEAD_S, RATE, cell, machine
from syrupy.assertion import SnapshotAssertion

from leadline.compare.analysis import Analysis
from leadline.measure.spec import Request
from leadline.measure.tracing import DescribedCells, described_cells
from leadline.patterns.programs.calls import CallRows, CallStep, SendMode, calls_in, received, sent
from leadline.record.run import Cadence, Stated
from leadline.simulate.campaign import Setup, free_computing, simulated, write_run
from leadline.simulate.execution import ended_s
from leadline.simulate.machine import Compute, MachineModel
from leadline.simulate.machine_files import machine_named
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import tasks_of
from leadline.simulate.timing import STREAMED, communicating_shares
from leadline.store import load
from leadline.topology.phases import CallKind

BYTES = 1000
MOVED_S = OVERHEAD_S + BYTES / RATE + LATENCY_S + FOUND_S
WORKED_S = (3 * MOVED_S, MOVED_S)
"""Of either rank: in turn, each while the other waits."""


def repetitions(times: int) -> Iterator[CallStep]:
    """Rank 0 computes and sends, then rank 1 computes and answers."""
    ranks = np.arange(2)
    for number in range(times):
        for rank in (0, 1):
            own, other = ranks[rank : rank + 1], ranks[1 - rank : 2 - rank]
            flop = round(WORKED_S[rank] * 1e9)
            work = CallRows(CallKind.WORK, own, -1, 0, flop)
            passed = (sent(own, other, BYTES, 1), received(other, own, BYTES, 1))
            yield CallStep((work,), repetition=number)
            yield CallStep(passed, repetition=number)


@pytest.mark.parametrize(
    ("cadence", "times"), [(Cadence.ISOLATED, 1), (Cadence.STREAMING, 1 + STREAMED)]
)
def test_a_rank_communicates_for_all_of_its_time_but_what_it_computes_for(
    cadence: Cadence, times: int
) -> None:
    """A round takes 4 + 2 of MOVED_S, which rank 1's last send doesn't wait for in the end."""
    on = machine(compute=Compute(flop_per_s=1e9))
    fabric = fabric_of(on, on.allocate(2))
    calls = calls_in(repetitions(times), 2, SendMode.STANDARD)
    tasks = tasks_of(calls, on.profiles["plain"], on.compute, fabric, np.arange(2))
    of = cell("by hand", 0, cadence)
    shares = communicating_shares(tasks, ended_s(tasks, "by hand"), of)
    assert shares[0] == pytest.approx(1 - 3 / 6, rel=1e-3)
    round_s = 6 * MOVED_S - (LATENCY_S + FOUND_S) * (times == 1)
    assert shares[1] == pytest.approx(1 - MOVED_S / round_s, rel=1e-3)


def cells_of(*labels: str, ranks: tuple[int, ...] = (1, 2)) -> DescribedCells:
    return described_cells(Request(patterns=labels, sizes=(8,), ranks=ranks))


def written(on: MachineModel, cells: DescribedCells, directory: Path) -> tuple[Stated, ...]:
    setup = Setup("row", on, on.profiles["plain"])
    write_run(str(directory), [simulated(setup, cells, lambda _: None)], cells, "2026-01-01")
    return load(directory).stated


def test_a_run_has_the_shares_of_applications_alone(tmp_path: Path) -> None:
    on = machine(compute=Compute(flop_per_s=1e9, bytes_per_s=1e10))
    of_one, exchange, of_two = written(on, cells_of("exchange", "mg:S"), tmp_path / "run")
    alone = (*of_one.communication_share, *of_one.communication_most)
    assert alone == pytest.approx((0.0, 0.0), abs=1e-12)
    assert exchange.communication_share == ()
    (mean,), (most,) = of_two.communication_share, of_two.communication_most
    assert 0 < mean <= most < 1
    found = Analysis(load(tmp_path / "run")).circumstances
    shares = [one.communication_share for row in found for one in row]
    assert sorted(one for one in shares if one is not None) == pytest.approx([0.0, mean])


def test_nobody_communicates_for_a_share_where_computing_costs_nothing(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    stated = written(machine(), cells_of("mg:S"), tmp_path / "run")
    assert [one.communication_share for one in stated] == [()]
    found = {one.code: one.cause for one in load(tmp_path / "run").warnings}
    assert found == snapshot


@pytest.mark.parametrize(
    "compute",
    [Compute(), Compute(flop_per_s=1e9), Compute(bytes_per_s=1e9), Compute(1e9, 1e9)],
    ids=["free", "bytes free", "operations free", "neither"],
)
def test_what_of_computing_is_free_is_said_once_a_machine(
    compute: Compute, snapshot: SnapshotAssertion
) -> None:
    on = machine(compute=compute)
    cells = cells_of("mg:S", "stap", "exchange").by_ranks[2]
    assert [one.cause for one in free_computing([on, on], cells)] == snapshot


def test_patterns_that_only_move_messages_are_not_warned_of() -> None:
    assert not list(free_computing([machine()], cells_of("exchange", "allreduce").by_ranks[2]))


@pytest.mark.parametrize("name", ["cray-t3d", "cray-j90", "cray-t3e-900"])
def test_files_of_crays_say_what_a_program_computes_for_nothing(
    name: str, snapshot: SnapshotAssertion
) -> None:
    cells = cells_of("mg:S").by_ranks[2]
    assert [one.cause for one in free_computing([machine_named(name)], cells)] == snapshot
