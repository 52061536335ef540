"""Machine files under SimGrid's smpirun: times beside those by flow, and what can't be run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness import beside_smpi
from syrupy.assertion import SnapshotAssertion

from leadline.errors import MachineError, UsageError
from leadline.simulate.machine import Compute
from leadline.simulate.machine_files import machine_named
from leadline.simulate.routes import fabric_of
from leadline.simulate.smpi import platform
from leadline.simulate.smpi.launch import left_out, options, smpi_launch
from leadline.simulate.smpi.platform import NEVER_BYTES, smpi_costs
from leadline.simulate.smpi.simgrid import plug_in

T3E = machine_named("cray-t3e-900")
PAIR = next(one for one in beside_smpi.CASES if one.pattern == "pair" and one.ranks == 64)


def test_ways_are_those_of_the_fabric_then_those_of_ranks(tmp_path: Path) -> None:
    fabric = fabric_of(T3E, T3E.allocate(5))
    slots = np.array([3, 1, 4])
    costs = smpi_costs(T3E, T3E.profiles["mpich"])
    platform.write_platform(tmp_path, fabric, slots, costs, Compute())
    starts = np.fromfile(tmp_path / "starts", dtype=np.int64)
    ways = np.fromfile(tmp_path / "ways", dtype=np.int32)
    resources = len(fabric.capacities)
    for rank in range(3):
        for other in range(3):
            routes = fabric.route(slots[[rank]], slots[[other]])
            at = 3 * rank + other
            own = [resources + rank, resources + 3 + other]
            assert ways[starts[at] : starts[at + 1]].tolist() == [*routes.resources, *own]
    assert (tmp_path / "costs").read_text().startswith(f"3 1e+18 {NEVER_BYTES}\nsend 0 ")
    capacities = np.fromfile(tmp_path / "capacities", dtype=np.float64)
    assert capacities[resources:] == pytest.approx([1 / 2.8736e-9] * 6)


@pytest.mark.parametrize(
    ("library", "detached", "eager"),
    [
        ("mpich", 400, NEVER_BYTES),
        ("cray-mpi", NEVER_BYTES, NEVER_BYTES),
        ("cray-mpi-direct", 4100, 4100),
    ],
)
def test_senders_wait_for_what_is_not_copied(library: str, detached: int, eager: int) -> None:
    # 4 us, a latency and an overhead, are 400 B on links of 100 MB/s
    slow = replace(T3E, links=replace(T3E.links, bytes_per_s=100e6))
    costs = smpi_costs(slow, T3E.profiles[library])
    assert (costs.detached_below_bytes, costs.eager_below_bytes) == (detached, eager)


def test_what_simgrid_lacks_is_said(snapshot: SnapshotAssertion) -> None:
    t3d = machine_named("cray-t3d").profiles["mpi"]
    profile = replace(t3d, collectives={"bcast": "4-nomial"}, collective_pieces={"reduce": ()})
    assert list(left_out(profile)) == snapshot
    assert [one for one in options(profile) if "bcast" in one] == []


def test_machine_that_splits_messages_is_refused(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    split = replace(T3E, ties="split")
    with pytest.raises(UsageError) as caught:
        smpi_launch(split, T3E.profiles["mpich"], 2, tmp_path)
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


def test_too_many_ranks_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(platform, "MOST_RANKS", 4)
    with pytest.raises(UsageError) as caught:
        smpi_launch(T3E, T3E.profiles["mpich"], 5, tmp_path)
    assert str(caught.value) == snapshot


def test_missing_simgrid_names_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(MachineError) as caught:
        plug_in()
    assert str(caught.value) == snapshot
