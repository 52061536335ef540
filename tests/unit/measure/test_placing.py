"""Where maps of variants lay ranks, and on which machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from harness.kernels import local_backend
from syrupy.assertion import SnapshotAssertion

from leadline.errors import LeadlineError, UsageError
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.kernels.description import Capability
from leadline.mapping import METRICS
from leadline.measure.grids import gains_nothing, machine_of, placement, slots_in_files
from leadline.measure.spec import Variant, VariantSpec
from leadline.topology.communication import Grid
from leadline.topology.words import open_grid

FOUR = Hosts(("a", "b", "c", "d"))


@pytest.mark.parametrize(
    ("hosts", "ranks", "name"),
    [
        (FOUR, 16, "nodes:4x4"),
        (FOUR, 4, "nodes:4x1"),
        (FOUR, 15, "nodes:4,4,4,3"),
        (FOUR, 5, "nodes:2,2,1"),  # the last host has none
        (THIS_HOST, 6, "nodes:1x6"),
    ],
)
def test_machine_has_a_node_for_each_host_with_ranks(hosts: Hosts, ranks: int, name: str) -> None:
    machine = machine_of(hosts, ranks)
    assert machine.name == name
    places = [hosts.place(rank, ranks) for rank in range(ranks)]
    of_host = dict(zip(places, machine.slots.tolist(), strict=True))
    assert [of_host[host] for host in places] == machine.slots.tolist()
    assert len(set(of_host.values())) == len(of_host)


def test_rows_of_a_grid_on_four_hosts_become_squares(snapshot: SnapshotAssertion) -> None:
    laid = placement("halo:4x4", open_grid((4, 4)), machine_of(FOUR, 16), "internode", {})
    assert (laid.before, laid.after) == (24, 16)
    assert sorted(laid.slots) == list(range(16))
    host = [slot // 4 for slot in laid.slots]
    neighbours = [(v, v + 4) for v in range(12)] + [(v, v + 1) for v in range(16) if v % 4 < 3]
    assert 2 * sum(host[a] != host[b] for a, b in neighbours) == 16
    assert (laid.pattern, laid.metric, laid.machine) == ("halo:4x4", "internode", "nodes:4x4")
    assert laid.label == snapshot


def test_slots_are_those_of_vertices_not_the_other_way_round() -> None:
    """Where a grid's sides differ, the inverse permutation has another figure."""
    laid = placement("halo:2x8", open_grid((2, 8)), machine_of(FOUR, 16), "internode", {})
    assert (laid.before, laid.after) == (20, 12)
    neighbours = [(v, v + 8) for v in range(8)] + [(v, v + 1) for v in range(15) if v != 7]

    def edges(slots: Sequence[int]) -> int:
        return 2 * sum(slots[a] // 4 != slots[b] // 4 for a, b in neighbours)

    assert edges(laid.slots) == 12
    assert edges([laid.slots.index(slot) for slot in range(16)]) != 12


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("hosts", [FOUR, THIS_HOST, Hosts(("a", "b", "c"))])
def test_placement_by_a_metric_is_never_worse_and_always_the_same(
    metric: str, hosts: Hosts
) -> None:
    grid = Grid((3, 2, 2), (True, False, True), ((1.0, 1.0),) * 3, diagonals=True)
    machine = machine_of(hosts, 12)
    laid = placement("halo", grid, machine, metric, {})
    assert laid.after <= laid.before
    assert placement("halo", grid, machine, metric, {}) == laid


def test_placement_on_one_host_gains_nothing_and_says_so(snapshot: SnapshotAssertion) -> None:
    machine = machine_of(THIS_HOST, 16)
    laid = placement("halo:4x4", open_grid((4, 4)), machine, "internode", {})
    assert (laid.before, laid.after) == (0, 0)
    (warning,) = gains_nothing({"mapped": [laid]})
    assert warning.code == "no_gain"
    assert warning.cause == snapshot
    better = placement("halo:4x4", open_grid((4, 4)), machine_of(FOUR, 16), "internode", {})
    assert list(gains_nothing({"mapped": [better]})) == []


# -- files -----------------------------------------------------------------------------------------


def test_file_lays_ranks_as_it_says_and_is_judged_by_edges_between_nodes() -> None:
    columns = tuple(4 * (v % 4) + v // 4 for v in range(16))  # as bad as rows
    laid = placement("halo", open_grid((4, 4)), machine_of(FOUR, 16), "f", {"f": columns})
    assert laid.slots == columns
    assert (laid.before, laid.after, laid.metric) == (24, 24, "f")
    assert list(gains_nothing({"mapped": [laid]})) == [], "nobody promised that a file gains"


def test_file_for_another_number_of_ranks_names_both(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as refused:
        placement("halo:4x2", open_grid((4, 2)), machine_of(FOUR, 8), "f", {"f": (*range(16),)})
    assert str(refused.value) == snapshot


def mapped(word: str) -> VariantSpec:
    return VariantSpec("mapped", "mpich", map=word)


def test_only_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "slots"
    path.write_text("1 0\n0 1\n")
    variants = [mapped(word) for word in ("", *METRICS, str(path))]
    assert slots_in_files(variants) == {str(path): (1, 0)}
    built = Variant("v", local_backend("shm"), "/kernel", Capability("shm", True, 1, (), {}))
    assert slots_in_files([replace(built, map=str(path))]) == {str(path): (1, 0)}


@pytest.mark.parametrize(
    "content",
    [b"0\n0\n", b"0\none\n", b"\xff\xfe\n", None],
    ids=["twice", "word", "bytes", "directory"],
)
def test_file_that_has_no_permutation_is_named(
    content: bytes | None, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = tmp_path
    if content is not None:
        path = tmp_path / "slots"
        path.write_bytes(content)
    with pytest.raises(LeadlineError) as caught:
        slots_in_files([mapped(str(path))])
    assert str(path) in str(caught.value)
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


def test_map_that_is_neither_metric_nor_file_names_both_and_the_nearest(
    snapshot: SnapshotAssertion,
) -> None:
    with pytest.raises(UsageError) as caught:
        slots_in_files([mapped("interndoe")])
    assert str(caught.value) == snapshot
