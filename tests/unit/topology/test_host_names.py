"""Names of hosts are checked where they enter, and lists of many take no longer for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.cli import main
from leadline.errors import UsageError
from leadline.hosts.placement import parse_hosts
from leadline.mapping.preload.description import on_hosts
from leadline.topology.allocation import Allocation
from leadline.topology.readers.graph import parse_graph
from leadline.topology.readers.hostlist import MOST_HOSTS, expand
from leadline.topology.readers.hosts import parse_coordinates, parse_hostfile
from leadline.topology.readers.hwloc import parse_hwloc, parse_processors
from leadline.topology.readers.lines import LineError, NumberedLine
from leadline.topology.readers.slurm import parse_slurm_switches, parse_slurm_topology
from leadline.topology.words import synthetic_machine

LINE = NumberedLine("f", 1, ())
MANY = 100_000
HOSTILE = ("-oProxyCommand=x", "a;b", "a'b", "$(id)", "a\\b", "\N{CYRILLIC SMALL LETTER A}b", "a/b")


def hwloc(name: str) -> str:
    """A host of two cores, in hwloc's XML."""
    cores = "".join(
        f"<object type='Core'><object type='PU' os_index='{number}'/></object>" for number in "01"
    )
    info = f"<info name='HostName' value=\"{name}\"/>"
    return f"<topology><object type='Machine'>{info}{cores}</object></topology>"


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("emit", ["openmpi-rankfile", "mpich-hostfile", "slurm-arbitrary", "csv"])
def test_host_name_of_several_lines_reaches_no_launchers_file(
    emit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "host.xml"
    file.write_text(hwloc("a&#10;rank 0=elsewhere slot=0"))
    assert main(["map", "--grid", "2", "--machine", f"hwloc:{file}", "--emit", emit]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"{file}: 'a\\nrank 0=elsewhere slot=0'" in printed.err
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize(
    "read",
    [
        lambda odd: parse_hostfile(f"n1 slots=1\nn2{odd}n3 slots=1\n", "f", 1),
        lambda odd: parse_slurm_topology(
            f"SwitchName=s Nodes=n1{odd}SwitchName=t Nodes=n2", "f", 1
        ),
        lambda odd: parse_slurm_switches(f"SwitchName=s Level=0 Nodes=n1{odd}SwitchName=t", 1),
        lambda odd: parse_graph(f"2 1\n2{odd}1\n", "f.graph"),
    ],
    ids=["hostfile", "topology.conf", "scontrol", "graph"],
)
def test_no_character_but_its_own_ends_a_line_or_a_word(
    read: Callable[[str], object], snapshot: SnapshotAssertion
) -> None:
    """Python ends lines at all but the last of these, and words at all of them."""
    odd = ["\u2028", "\x1c", "\x85", "\x0b", "\x0c", "\xa0"]
    assert refusals(read, odd, LineError) == snapshot


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_any_system_ends_them(end: str) -> None:
    found = parse_hostfile(f"\ufeffn1 slots=1{end}{end}n2\tslots=1 # two\u2028{end}", "f", 1)
    assert tuple(found.hosts) == ("n1", "n2")
    apart = parse_graph(end.join(("3 1", "2", "1", "")) + end, "f.graph")
    assert len(apart.starts) == 4 and len(apart.neighbours) == 2


def test_no_host_of_hwlocs_bears_what_is_no_name(snapshot: SnapshotAssertion) -> None:
    names = [*HOSTILE, "a&#133;b", "a b"]
    assert refusals(lambda name: parse_hwloc(hwloc(name), "f"), names, LineError) == snapshot


@pytest.mark.parametrize(
    "read",
    [
        lambda name: parse_hostfile(f"good\n{name} slots=2\n", "f", 1),
        lambda name: parse_coordinates(f"good 0 0\n{name} 0 1\n", "f", 1),
        lambda name: parse_slurm_topology(
            f"SwitchName=s Nodes=good\nSwitchName=t Nodes={name}", "f", 1
        ),
    ],
    ids=["hostfile", "coordinates", "topology.conf"],
)
def test_no_host_of_a_file_bears_what_is_no_name(
    read: Callable[[str], Allocation], snapshot: SnapshotAssertion
) -> None:
    assert refusals(read, HOSTILE, LineError) == snapshot


def test_usual_names_are_taken() -> None:
    names = ("localhost", "node-01.rack_2.example.org", "c0-0c0s0n1", "7")
    assert parse_hostfile("\n".join(names), "f", 1).hosts == names
    assert [parse_hwloc(hwloc(name), "f").hosts[0] for name in names] == [*names]


def test_processor_of_ten_thousand_digits_is_none(snapshot: SnapshotAssertion) -> None:
    text = hwloc("a").replace("os_index='0'", f"os_index='{'9' * 10_000}'")
    with pytest.raises(LineError) as caught:
        parse_processors(text, "f")
    assert str(caught.value) == snapshot


# -- lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a[08-11],b", ["a08", "a09", "a10", "a11", "b"]),
        ("n[0-1,7]x[2-3]", ["n0x2", "n0x3", "n1x2", "n1x3", "n7x2", "n7x3"]),
        ("[1-2],c[3]", ["1", "2", "c3"]),
        ("a,b[1,2],c", ["a", "b1", "b2", "c"]),
    ],
)
def test_brackets_multiply_and_commas_divide(text: str, names: list[str]) -> None:
    assert expand(text, LINE) == names


def test_brackets_that_do_not_close_are_no_names(snapshot: SnapshotAssertion) -> None:
    texts = ["a[1", "a]1[", "a[1]]", "a[[1]]", "a[1],,b", "a[1,b", ",", "a,"]
    assert refusals(lambda text: expand(text, LINE), texts, LineError) == snapshot


def test_names_are_counted_before_one_is_made(snapshot: SnapshotAssertion) -> None:
    """30 brackets of ten would else fill memory before the last of them is seen."""
    texts = [
        "n[0-999999999]",
        "n[1-999999999999999999]",
        "n" + "[0-9]" * 30,
        f"a[1-{MOST_HOSTS - 1}],b[1-2]",
    ]
    assert refusals(lambda text: expand(text, LINE), texts, LineError) == snapshot


# Each of the following took minutes, or hours.


def test_switch_of_a_hundred_thousand_nodes_is_read(snapshot: SnapshotAssertion) -> None:
    text = f"SwitchName=s Nodes=n[0-{MANY - 1}]"
    assert len(parse_slurm_topology(text, "f", 1)) == MANY
    with pytest.raises(LineError) as caught:
        parse_slurm_topology(f"{text},n7", "f", 1)
    assert str(caught.value) == snapshot


def test_a_hundred_thousand_names_between_commas_are_read() -> None:
    names = [f"n{number}" for number in range(MANY)]
    assert parse_hosts(",".join(names), "ssh").names == tuple(names)


def test_hosts_named_twice_are_found_among_many(snapshot: SnapshotAssertion) -> None:
    names = [f"n{number}" for number in range(MANY)]
    with pytest.raises(UsageError) as caught:
        parse_hosts(f"n[0-{MANY}],n5", "ssh")
    assert str(caught.value) == snapshot
    whole = synthetic_machine(f"nodes:{MANY}x1")
    assert on_hosts(whole, names).hosts == tuple(names)
    with pytest.raises(UsageError) as caught:
        on_hosts(whole, [*names[1:], "n5"])
    assert str(caught.value) == snapshot


def test_a_hundred_thousand_nodes_named_one_by_one_are_read() -> None:
    assert len(synthetic_machine(f"nodes:{','.join(['1'] * MANY)}")) == MANY


def test_switches_one_below_the_other_have_a_limit(snapshot: SnapshotAssertion) -> None:
    def chain(levels: int) -> str:
        above = "".join(f"SwitchName=s{i} Switches=s{i - 1}\n" for i in range(1, levels))
        return f"SwitchName=s0 Nodes=a,b\n{above}"

    assert len(parse_slurm_topology(chain(31), "f", 1)) == 2
    with pytest.raises(LineError) as caught:
        parse_slurm_topology(chain(5000), "f", 1)
    assert str(caught.value) == snapshot
