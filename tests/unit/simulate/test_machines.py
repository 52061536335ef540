"""Machine files: what they say, and how they are refused."""

from __future__ import annotations

import contextlib
import math
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from harness.places import ROOT
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import FileError, UsageError
from leadline.simulate.machine import (
    BarrierTime,
    Compute,
    Crowd,
    Links,
    MachineModel,
    Mode,
    Nic,
    Profile,
    ProfilePiece,
)
from leadline.simulate.machine_files import (
    machine_named,
    machine_text,
    parse_machine,
    shipped_names,
)
from leadline.simulate.routes import fabric_of

REFERENCE = (ROOT / "docs" / "reference.md").read_text()
T3E = machine_named("cray-t3e-900")
SMALLEST = """\
name = "two"
summary = "two nodes at a switch"
network = "nodes:2x1"
allocation = "first"
cores_per_node = 1
ties = "one way"

[links]
bytes_per_s = 1e9
latency_s = 0

[nic]
latency_s = 1e-6
in_bytes_per_s = 1e9
out_bytes_per_s = 1e9

[profiles.mpi]
summary = "some library"

[[profiles.mpi.standard]]
least_bytes = 0
send_overhead_s = 1e-6
receive_overhead_s = 2e-6
gap_s_per_byte = 1e-9

[[profiles.mpi.standard]]
least_bytes = 1024
send_overhead_s = 3e-6
receive_overhead_s = 2e-6
gap_s_per_byte = 1e-9
copy_bytes_per_s = 1e9

[sources]
network = "a test"
allocation = "a test"
cores_per_node = "a test"
ties = "a test"
links = "a test"
nic = "a test"
profiles = "a test"
"""


def changed(old: str, new: str) -> str:
    assert old in SMALLEST
    return SMALLEST.replace(old, new, 1)


# -- what is read ----------------------------------------------------------------------------------


def test_a_small_file_becomes_a_machine() -> None:
    two = parse_machine(SMALLEST, "m.toml")
    assert (two.name, two.network, two.ties, two.text) == (
        "two",
        "nodes:2x1",
        "one way",
        SMALLEST,
    )
    assert two.compute == Compute(math.inf, math.inf)
    assert two.profiles["mpi"].piece(1023) == ProfilePiece(0, 1e-6, 2e-6, 1e-9)
    assert two.profiles["mpi"].piece(1024) == ProfilePiece(1024, 3e-6, 2e-6, 1e-9, False, 1e9)
    assert two.profiles["mpi"].pieces_of(Mode.SYNCHRONOUS) == two.profiles["mpi"].pieces_of(
        Mode.STANDARD
    )
    assert len(two.allocate(2)) == 2


def documented_machine() -> MachineModel:
    (text,) = re.findall(r"```toml\n(# two-switches.toml\n.*?)```", REFERENCE, re.DOTALL)
    return parse_machine(text, "two-switches.toml")


def test_the_machine_of_the_reference_is_one() -> None:
    machine = documented_machine()
    assert machine.links.parallel == (3,)
    assert machine.fitted.keys() == {"nic.bus_bytes_per_s"}
    (own,) = machine.profiles["mpi"].collective_pieces["bcast"]
    assert own.send_overhead_s == 0.1e-6
    assert len(machine.allocate(8)) == 8


def test_a_barrier_costs_a_base_and_more_by_doublings_and_ranks() -> None:
    assert BarrierTime(1.0, 0.5, 0.25).seconds(8) == 1.0 + 1.5 + 2.0


def test_work_takes_the_longer_of_operations_and_bytes() -> None:
    assert Compute(2.0, 4.0).seconds(6.0, 8.0) == 3.0
    assert Compute(bytes_per_s=4.0).seconds(6.0, 8.0) == 2.0


@pytest.mark.parametrize("name", [*shipped_names(), "two-switches"])
def test_every_machine_is_read_again_as_it_is_written(name: str) -> None:
    machine = documented_machine() if name == "two-switches" else machine_named(name)
    again = parse_machine(machine_text(machine), "again.toml")
    assert replace(again, text="") == replace(machine, text="")


def test_reference_has_every_key_of_machine_files_and_no_other() -> None:
    tables = (MachineModel, Links, Nic, Crowd, Compute, Profile, BarrierTime, ProfilePiece)
    keys = {field.name for table in tables for field in fields(table)} - {"text", "pieces"}
    section = REFERENCE.split("\n## Machine files\n")[1].split("\n### ")[0]
    keys_column = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    documented = {word for row in keys_column for word in re.findall(r"[a-z]\w+", row)}
    assert documented - keys == {"standard", "collective"}
    mentioned = set(re.findall(r"\b[a-z]\w+", section))
    assert {*keys - {"collective_pieces"}, *Mode, "collective"} <= mentioned


# -- what is refused -------------------------------------------------------------------------------


def test_what_is_wrong_is_named_with_its_place(snapshot: SnapshotAssertion) -> None:
    given = [
        ("latency_s = 1e-6\n", "latncy_s = 1e-6\n"),
        ("latency_s = 1e-6\n", ""),
        ("in_bytes_per_s = 1e9", "in_bytes_per_s = -1e9"),
        ("in_bytes_per_s = 1e9", "in_bytes_per_s = 0"),
        ("in_bytes_per_s = 1e9", "in_bytes_per_s = inf"),
        ("in_bytes_per_s = 1e9", "in_bytes_per_s = '16GB'"),
        ("in_bytes_per_s = 1e9", "in_bytes_per_s = true"),
        ("latency_s = 0", "latency_s = -1"),
        ("latency_s = 0", "latency_s = 1e30"),
        ("[nic]", "[nic]\ncrowd = {most_flows = 2, factor = 2}"),
        ("least_bytes = 1024", "least_bytes = 0"),
        ("least_bytes = 0", "least_bytes = 8"),
        ("least_bytes = 0", "least_bytes = 0.5"),
        ('"nodes:2x1"', '"torsu:2"'),
        ('"nodes:2x1"', '"coordinates:2x1"'),
        ('"nodes:2x1"', '"torus:0"'),
        ('allocation = "first"', 'allocation = "t3e"'),
        ('allocation = "first"', 'allocation = "fist"'),
        ("cores_per_node = 1", "cores_per_node = 2"),
        ("cores_per_node = 1", "cores_per_node = 0"),
        ('ties = "one way"', 'ties = "both"'),
        ("[nic]", "[nic]\ncrowd = {most_flows = 2, factor = 0.8}"),
        ("[links]", "[links]\nparallel = [2]"),
        ("[links]", "[links]\nparallel = 2"),
        ("[links]", "[links]\nshared = 1"),
        ("[nic]", "[nic]\ncrowd = 3"),
        ('nic = "a test"\n', ""),
        ('nic = "a test"\n', 'nic = "a"\nnick = "a"\n'),
        ('summary = "some library"\n', ""),
        ("[sources]", "[fitted]\nnic = []\n[sources]"),
        ('"some library"', '"some library"\ncollectives = {bcst = "binomial"}'),
        ('"some library"', '"some library"\ncollectives = {reduce = "binomal"}'),
        (
            '"some library"',
            '"some library"\ncollectives = {barrier = "tree"}\nbarrier = {base_s = 1e-6}',
        ),
        ('"some library"', '"some library"\ncollective = {bcst = []}'),
        ('"some library"', '"some library"\ncollective = {bcast = []}'),
        (
            "[sources]",
            "[[profiles.mpi.collective.bcast]]\nleast_bytes = 8\nsend_overhead_s = 0\n"
            "receive_overhead_s = 0\ngap_s_per_byte = 0\n[sources]",
        ),
        (
            '"some library"',
            '"some library"\ncollective = {barrier = []}\nbarrier = {base_s = 1e-6}',
        ),
    ]
    told = refusals(lambda pair: parse_machine(changed(*pair), "m.toml"), given, FileError)
    assert told == snapshot


def test_former_name_of_a_collective_is_read_by_that_of_today() -> None:
    text = changed('"some library"', '"some library"\ncollectives = {total_exchange = "Bruck"}')
    machine = parse_machine(text, "m.toml")
    assert [one.collectives for one in machine.profiles.values()] == [{"alltoall": "Bruck"}]


def test_collective_by_its_former_name_and_that_of_today_is_there_twice() -> None:
    twice = 'collectives = {total_exchange = "Bruck", alltoall = "linear"}'
    with pytest.raises(FileError, match="total_exchange is alltoall by its former name"):
        parse_machine(changed('"some library"', f'"some library"\n{twice}'), "m.toml")


def test_what_is_no_toml_is_named_with_its_line() -> None:
    with pytest.raises(FileError, match=r"^m\.toml:6: .*TOML"):
        parse_machine(changed('ties = "one way"', 'ties = "one way'), "m.toml")


JUNK = ("-1", "0", "nan", "1e400", "true", '""', '"x"', "[]", "[1]", "[{}]", "{}", "{a = 1}",
        "1979-05-27", "9" * 40, "0x" + "f" * 5000)  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: junk[:8])
@pytest.mark.parametrize("name", ["cray-t3d", "infiniband-fat-tree"])
def test_whatever_stands_for_a_value_is_read_or_refused(name: str, junk: str) -> None:
    lines = machine_named(name).text.splitlines()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if equals:
            text = "\n".join([*lines[:number], f"{key} = {junk}", *lines[number + 1 :]])
            with contextlib.suppress(FileError):
                machine = parse_machine(text, "m.toml")
                fabric_of(machine, machine.allocate(1))


@pytest.mark.parametrize("name", ["cray-t3d", "infiniband-fat-tree"])
def test_no_value_that_has_a_source_can_be_left_out(name: str) -> None:
    lines = machine_named(name).text.splitlines()
    for number, line in enumerate(lines[: lines.index("[sources]")]):
        if " = " in line and not line.startswith("doubling_s"):  # its table stays
            with pytest.raises(FileError):
                parse_machine("\n".join([*lines[:number], *lines[number + 1 :]]), "m.toml")


def test_an_allocation_too_small_says_what_there_is(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        T3E.allocate(513)
    assert str(caught.value) == snapshot


def test_an_unknown_machine_is_refused_with_the_nearest(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as caught:
        machine_named("cray-t3e-90")
    assert str(caught.value) == snapshot
    with pytest.raises(UsageError) as caught:
        machine_named(str(tmp_path / "none.toml"))
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(UsageError) as caught:
        machine_named(str(tmp_path / "bytes.toml"))
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


def test_a_machine_is_read_from_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(SMALLEST)
    assert machine_named(str(tmp_path / "two.toml")).name == "two"
