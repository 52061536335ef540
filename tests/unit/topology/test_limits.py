"""Descriptions that are larger, deeper or stranger than any machine are refused at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.backends.discovery.wrappers import configured_wrappers
from leadline.errors import UsageError
from leadline.topology.networks import MOST_DIMS
from leadline.topology.readers.graph import parse_graph
from leadline.topology.readers.hosts import parse_coordinates, parse_hostfile
from leadline.topology.readers.hwloc import DEEPEST, parse_hwloc

CORE = '<object type="Core"/>'


def nested(levels: int) -> str:
    inside = '<object type="Group">' * levels + CORE + "</object>" * levels
    return f"<topology>{inside}</topology>"


@pytest.mark.parametrize("text", ["n1 slots=9999999999\n", "n1:9000000\nn2:9000000\n"])
def test_hosts_with_more_slots_than_any_machine_are_refused_with_the_sum(
    text: str, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as caught:
        parse_hostfile(text, "f", 1)
    assert str(caught.value) == snapshot


def test_many_cores_of_many_hosts_are_refused_with_the_sum(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        parse_coordinates("a 0\nb 1\n", "f", 10_000_000)
    assert str(caught.value) == snapshot


def test_more_axes_than_any_network_has_are_refused(snapshot: SnapshotAssertion) -> None:
    assert len(parse_coordinates(f"a{' 0' * MOST_DIMS}\n", "f", 1)) == 1
    with pytest.raises(UsageError) as caught:
        parse_coordinates(f"a{' 0' * 65}\n", "f", 1)
    assert str(caught.value) == snapshot


def test_objects_within_each_other_are_read_as_deep_as_machines_are() -> None:
    assert len(parse_hwloc(nested(DEEPEST - 1), "f")) == 1


def test_objects_nested_deeper_than_any_machine_are_refused(snapshot: SnapshotAssertion) -> None:
    levels = [DEEPEST, 5000]
    assert refusals(lambda deep: parse_hwloc(nested(deep), "f"), levels, UsageError) == snapshot


def test_graph_with_control_characters_is_refused_without_them(
    snapshot: SnapshotAssertion,
) -> None:
    with pytest.raises(UsageError) as refused:
        parse_graph("2 1 0\x1b[2J1\n2\n1\n", "f.graph")
    assert str(refused.value) == snapshot
    assert str(refused.value).isprintable()


def test_config_file_nested_too_deep_is_refused(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    file = tmp_path / "config.toml"
    file.write_text("mpi = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(UsageError) as caught:
        configured_wrappers(file)
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot
