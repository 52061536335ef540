"""Resources of machines: what a message passes, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.errors import MachineError
from leadline.mapping.routes import links_of
from leadline.simulate.machine import Crowd, Links, MachineModel, Nic
from leadline.simulate.machine_files import machine_named
from leadline.simulate.routes import NO_CROWD, Fabric, Routes, fabric_of

T3E = machine_named("cray-t3e-900")
PLAIN = Nic(latency_s=1e-6, in_bytes_per_s=3e8, out_bytes_per_s=2e8)


def machine(network: str, links: Links, nic: Nic = PLAIN, split: bool = False) -> MachineModel:
    changed = replace(T3E, network=network, allocation="first", links=links, nic=nic)
    return replace(changed, ties="split" if split else "one way")


def fabric(of: MachineModel, ranks: int) -> Fabric:
    return fabric_of(of, of.allocate(ranks))


def ways(of: Fabric, *pairs: tuple[int, int]) -> Routes:
    sources, destinations = np.array(pairs).T
    return of.route(sources, destinations)


def resources(routes: Routes) -> list[list[int]]:
    split: list[list[int]] = [
        part.tolist() for part in np.split(routes.resources, routes.starts[1:-1])
    ]
    return split


RING = machine("torus:4", Links(bytes_per_s=1e8, latency_s=1e-7))


def test_a_message_passes_its_links_then_the_way_out_and_the_way_in() -> None:
    routes = ways(fabric(RING, 4), (0, 1), (1, 3), (2, 2))
    assert resources(routes) == [[1, 8 + 0, 12 + 1], [3, 5, 8 + 1, 12 + 3], []]
    assert routes.latency_s == pytest.approx([1.1e-6, 1.2e-6, 0.0])
    assert routes.messages.tolist() == [0, 1, 2]
    assert routes.shares.tolist() == [1, 1, 1]


def test_capacities_are_those_of_links_ways_out_ways_in_and_buses() -> None:
    bus = replace(PLAIN, bus_bytes_per_s=4e8, crowd=Crowd(2, 0.8))
    with_bus = fabric(replace(RING, nic=bus), 4)
    assert with_bus.capacities.tolist() == [1e8] * 8 + [2e8] * 4 + [3e8] * 4 + [4e8] * 4
    assert with_bus.crowd.tolist() == [NO_CROWD] * 16 + [2] * 4
    assert with_bus.crowded.tolist() == [1.0] * 16 + [0.8] * 4
    assert resources(ways(with_bus, (0, 1))) == [[1, 8, 13, 16, 17]]


def test_a_tie_is_split_in_equal_parts_where_the_machine_says_so() -> None:
    torus = machine("torus:4x4", Links(1e8, 0.0), split=True)
    routes = ways(fabric(torus, 16), (0, 10), (0, 2), (0, 1))
    assert routes.messages.tolist() == [0, 0, 0, 0, 1, 1, 2]
    assert routes.shares.tolist() == [0.25] * 4 + [0.5] * 2 + [1.0]
    assert {tuple(way[:-2]) for way in resources(routes)[4:6]} == {(3, 7), (2, 14)}
    one_way = ways(fabric(replace(torus, ties="one way"), 16), (0, 10))
    assert one_way.shares.tolist() == [1.0]


def test_parallel_links_are_one_fat_one_or_taken_by_destination() -> None:
    links = Links(1e8, 0.0, parallel=(2,))
    fat = fabric(machine("tree:2x2x1", links, split=True), 4)
    assert fat.capacities[:14].tolist() == [1e8] * 8 + [2e8] * 4 + [1e8] * 2
    assert resources(ways(fat, (0, 3)))[0][:4] == [0, 8, 11, 7]
    static = fabric(machine("tree:2x2x1", links), 4)
    assert len(static.capacities) == 18 + 8
    assert [way[1] for way in resources(ways(static, (0, 2), (0, 3)))] == [8, 9]


def test_a_shared_medium_is_taken_up_once_by_every_message() -> None:
    ethernet = fabric(machine("nodes:3x1", Links(1.25e6, 0.0, shared=True)), 3)
    assert ethernet.capacities.tolist() == [1.25e6] + [2e8] * 3 + [3e8] * 3
    assert resources(ways(ethernet, (0, 1), (2, 1), (1, 1))) == [[0, 1, 5], [0, 3, 5], []]


def test_cores_of_one_node_share_its_ways_and_pass_none_between_each_other() -> None:
    nodes = fabric(replace(RING, cores_per_node=2), 8)
    assert resources(ways(nodes, (0, 1), (1, 2), (0, 3))) == [[], [1, 8, 13], [1, 8, 13]]


def test_links_are_numbered_as_the_mapping_numbers_them() -> None:
    t3e = fabric(T3E, 64)
    assert len(t3e.capacities) == links_of(t3e.allocation.network) + 3 * 512
    assert t3e.allocation.vertices[:4].tolist() == [0, 64, 8, 72]


def test_network_that_memory_has_no_room_for_is_named_with_its_size(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """3.7 million places took more than a process had, and were a fault of the tool's own."""

    def full(*_: object, **__: object) -> None:
        raise MemoryError

    machine = machine_named("cray-t3e-900")
    allocation = machine.allocate(2)
    monkeypatch.setattr("leadline.simulate.routes.np.full", full)
    with pytest.raises(MachineError) as caught:
        fabric_of(machine, allocation)
    assert str(caught.value) == snapshot
