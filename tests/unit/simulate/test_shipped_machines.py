"""Machines that come along: each gives the figures that its file was fitted to."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from harness.places import ROOT
from syrupy.assertion import SnapshotAssertion

from leadline.errors import UsageError
from leadline.measure.spec import Request
from leadline.measure.tracing import described_cells
from leadline.papers.catalogue import PAPERS, figure_of
from leadline.patterns.programs.calls import CallStep, SendMode, calls_in, received, sent
from leadline.simulate.campaign import Setup, simulated
from leadline.simulate.flow import flow
from leadline.simulate.machine import MachineModel, Mode
from leadline.simulate.machine_files import FOLDER, machine_named, parse_machine, shipped_names
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import tasks_of
from leadline.topology.networks import Torus

T3E = machine_named("cray-t3e-900")
REFERENCE = ROOT / "docs" / "reference.md"


@pytest.mark.parametrize("name", shipped_names())
def test_machines_that_come_along_are_named_as_their_files(name: str) -> None:
    machine = machine_named(name)
    assert machine.name == name
    assert machine.profiles


def test_all_that_were_promised_come_along() -> None:
    papers = {"cray-t3e-900", "cray-t3d", "cray-j90", "ibm-sp2", "intel-paragon"}
    networks = {"sun-ethernet-10", "sun-atm-155", "infiniband-fat-tree", "tofu-torus"}
    assert set(shipped_names()) == papers | networks


@pytest.mark.parametrize("name", shipped_names())
def test_reference_has_each_with_its_libraries_and_what_it_was_fitted_to(name: str) -> None:
    machine = machine_named(name)
    figures = [figure for found in machine.fitted.values() for figure in found]
    works = dict.fromkeys(figure.partition(".")[0] for figure in figures)
    libraries = ", ".join(f"`{library}`" for library in machine.profiles)
    row = (f"`{name}`", machine.summary, f"`{machine.network}`", libraries, ", ".join(works) or "-")
    assert f"| {' | '.join(row)} |\n" in REFERENCE.read_text()


def one_way_s(machine: MachineModel, library: str, mode: Mode, size_bytes: int) -> float:
    """Of a message that is alone: overheads, crossings of the network, copy and gap."""
    piece = machine.profiles[library].piece(size_bytes, mode)
    crossings = 3 if piece.synchronous else 1
    fixed = piece.send_overhead_s + piece.receive_overhead_s + crossings * machine.nic.latency_s
    copy = 0.0 if piece.copy_bytes_per_s is None else size_bytes / piece.copy_bytes_per_s
    return fixed + copy + size_bytes * piece.gap_s_per_byte


@pytest.mark.parametrize(
    ("library", "mode", "empty_us", "long_us", "mb_per_s"),
    [
        ("mpich", Mode.STANDARD, 7, 7, 342),
        ("mpich", Mode.SYNCHRONOUS, 8, 10, 334),
        ("mpich", Mode.NONBLOCKING, 12, 13, 348),
        ("cray-mpi", Mode.STANDARD, 8, 56, 163),
        ("cray-mpi", Mode.SYNCHRONOUS, 29, 126, 326),
        ("cray-mpi", Mode.NONBLOCKING, 24, 55, 167),
    ],
)
def test_profiles_of_the_t3e_are_those_printed(
    library: str, mode: Mode, empty_us: float, long_us: float, mb_per_s: float
) -> None:
    assert one_way_s(T3E, library, mode, 0) == pytest.approx(empty_us * 1e-6)
    first, second = (one_way_s(T3E, library, mode, size) for size in (1_000_000, 2_000_000))
    assert 2 * first - second == pytest.approx(long_us * 1e-6, rel=0.01)
    assert 1 / (second - first) == pytest.approx(mb_per_s, rel=0.001)


@pytest.mark.parametrize(
    ("machine", "library", "latency_us", "mb_per_s"),
    [
        ("cray-t3d", "shmem", 2, 130),
        ("cray-t3d", "pvm", 230, 26),
        ("cray-j90", "shmem", 15, 700),
        ("cray-j90", "pvm", 450, 340),
        ("ibm-sp2", "mpl", 40, 40),
        ("intel-paragon", "nx", 100, 32.5),
        ("intel-paragon", "sunmos", 70, 170),
    ],
)
def test_latencies_and_rates_are_those_printed(
    machine: str, library: str, latency_us: float, mb_per_s: float
) -> None:
    model = machine_named(machine)
    empty, longer = (one_way_s(model, library, Mode.STANDARD, size) for size in (0, 10**6))
    assert empty == pytest.approx(latency_us * 1e-6)
    assert 1 / (longer - empty) == pytest.approx(mb_per_s, rel=1e-3)


@pytest.mark.parametrize(
    ("machine", "gb_per_s"), [("cray-t3d", 1.745), ("intel-paragon", 0.879), ("ibm-sp2", 0.818)]
)
def test_a_pairwise_alltoall_has_the_aggregate_rate_printed(machine: str, gb_per_s: float) -> None:
    profile = machine_named(machine).profiles["mpi"]
    assert profile.collectives["alltoall"] == "pairwise"
    assert 64 / profile.piece(10**6).gap_s_per_byte == pytest.approx(gb_per_s * 1e9, rel=1e-3)


@pytest.mark.parametrize(
    ("machine", "printed_us", "within"),
    [("cray-t3d", (0.65, 0.67, 0.72, 0.74), 0.02), ("cray-j90", (7.6, 10.6, 27.0, 46.6), 0.22)],
)
def test_barriers_of_shmem_are_near_those_printed(
    machine: str, printed_us: tuple[float, ...], within: float
) -> None:
    barrier = machine_named(machine).profiles["shmem"].barrier
    assert barrier is not None
    assert [barrier.seconds(ranks) * 1e6 for ranks in (2, 4, 8, 16)] == pytest.approx(
        printed_us, rel=within
    )


def test_a_vector_sum_on_the_t3d_takes_a_transfer_and_a_sum_in_each_stage() -> None:
    t3d = machine_named("cray-t3d")
    stage_s = one_way_s(t3d, "shmem", Mode.STANDARD, 800_000) + t3d.compute.seconds(
        100_000, 2_400_000
    )
    printed = np.array([43.53, 87.71, 133.30, 178.07]) * 1e-3
    assert stage_s * np.arange(1, 5) == pytest.approx(printed, rel=0.025)


def test_networks_of_suns_have_the_rates_printed_and_cross_at_a_kilobyte() -> None:
    ethernet, atm = machine_named("sun-ethernet-10"), machine_named("sun-atm-155")

    def mbit_per_s(machine: MachineModel, library: str, size_bytes: int) -> float:
        return 8e-6 * size_bytes / one_way_s(machine, library, Mode.STANDARD, size_bytes)

    assert mbit_per_s(ethernet, "mpich", 10_240) == pytest.approx(8, rel=1e-3)
    assert mbit_per_s(atm, "mpich", 8_192) == pytest.approx(19, rel=1e-3)
    assert mbit_per_s(ethernet, "pvm", 10_240) == pytest.approx(6, rel=1e-3)
    assert mbit_per_s(atm, "pvm", 10_240) == pytest.approx(6, rel=1e-3)
    for size, faster in ((512, True), (2048, False)):
        both = [mbit_per_s(machine, "mpich", size) for machine in (ethernet, atm)]
        assert (both[0] > both[1]) is faster


def unnamed(machine: MachineModel) -> set[str]:
    """Keys whose sources name a paper or a fit, and for which no figure is named."""
    taken = re.compile(rf"fitted|as nic\.|\b({'|'.join(PAPERS)})\b")
    of_papers = any(paper in text for paper in PAPERS for text in machine.sources.values())
    return {
        key
        for key, source in machine.sources.items()
        if of_papers and taken.search(source)
        if not any(fit == key or fit.startswith(f"{key}.") for fit in machine.fitted)
    }


NO_FIGURE = {
    ("cray-t3e-900", "network"), ("cray-t3e-900", "cores_per_node"), ("ibm-sp2", "network"),
    ("intel-paragon", "network"),
}  # fmt: skip
"""What a paper says in words, or how many nodes it took of a machine."""


@pytest.mark.parametrize("name", shipped_names())
def test_nothing_is_taken_from_a_paper_that_no_figure_is_named_for(name: str) -> None:
    assert {(name, key) for key in unnamed(machine_named(name))} <= NO_FIGURE


def test_every_exception_is_one() -> None:
    names = {name for name, _ in NO_FIGURE}
    assert {(n, key) for n in names for key in unnamed(machine_named(n))} == NO_FIGURE


def test_fit_that_names_no_figure_is_found() -> None:
    machine = machine_named("cray-t3d")
    fits = {key: named for key, named in machine.fitted.items() if key[-8:] != ".barrier"}
    assert unnamed(replace(machine, fitted=fits)) == {
        "profiles.shmem.barrier", "profiles.mpi.barrier",
    }  # fmt: skip


@pytest.mark.parametrize("name", shipped_names())
def test_files_name_figures_that_there_are_with_a_value(name: str) -> None:
    for named in machine_named(name).fitted.values():
        assert len(set(named)) == len(named)
        assert all(figure_of(one).value is not None for one in named)


def test_figure_that_is_none_is_found_in_a_file(snapshot: SnapshotAssertion) -> None:
    text = (FOLDER / "cray-t3d.toml").read_text().replace("table4.t3d.2", "table4.t3d.3")
    machine = parse_machine(text, "cray-t3d.toml")
    with pytest.raises(UsageError) as caught:
        figure_of(*machine.fitted["compute.bytes_per_s"])
    assert str(caught.value) == snapshot


PROFILES = [(name, library) for name in shipped_names() for library in machine_named(name).profiles]


@pytest.mark.parametrize(("name", "library"), PROFILES)
@pytest.mark.parametrize(("pattern", "messages"), [("stream", 64), ("gather", 7), ("scatter", 7)])
def test_no_rank_has_more_than_its_librarys_rate(
    name: str, library: str, pattern: str, messages: int
) -> None:
    """A window's messages, and the blocks that a root receives or sends, one after the other."""
    machine, size_bytes = machine_named(name), 10**6
    profile = replace(machine.profiles[library], collectives={})
    modes = {"stream": Mode.NONBLOCKING}
    gap_s = profile.piece(size_bytes, modes.get(pattern, Mode.STANDARD)).gap_s_per_byte
    cells = described_cells(Request(patterns=(pattern,), sizes=(size_bytes,), ranks=(8,)))
    (of_ranks,) = simulated(Setup("", machine, profile), cells, lambda _: None).ranks
    whole_s = of_ranks.seconds[0] * of_ranks.cells[0].messages_per_repetition
    assert whole_s >= messages * size_bytes * gap_s


def test_a_node_of_the_tofu_torus_sends_over_six_links_at_once() -> None:
    """To six neighbours 40.8 GB/s, of its six interfaces; to one 6.8 GB/s, of a link."""
    tofu, size_bytes = machine_named("tofu-torus"), 10**7
    network = tofu.allocate(1).network
    assert isinstance(network, Torus)
    steps = [np.ravel_multi_index(axis, network.dims) for axis in np.eye(6, dtype=int)]
    fabric, zeros = fabric_of(tofu, tofu.whole()), np.zeros(6, dtype=np.int64)
    gb_per_s = []
    for ranks in ([1, 2, 3, 4, 5, 6], [1]):
        ends = zeros[: len(ranks)], np.array(ranks)
        rows = (sent(*ends, size_bytes, ends[1]), received(ends[1], ends[0], size_bytes, ends[1]))
        calls = calls_in([CallStep(rows)], 7, SendMode.STANDARD)
        slots = np.array([0, *steps])
        tasks = tasks_of(calls, tofu.profiles["put"], tofu.compute, fabric, slots)
        took_s = flow(tasks.graph, lambda _: None).ended_s.max()
        gb_per_s.append(len(ranks) * size_bytes / took_s / 1e9)
    assert gb_per_s == pytest.approx([40.8, 6.8], rel=0.01)
