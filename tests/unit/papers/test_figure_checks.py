"""Checks of the printed figures against each other, and what the papers contradict in."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Sequence

import pytest
from harness.places import DATA

from leadline.papers.catalogue import all_papers, figure_of

MIB, MB = 2**20, 1e6
NUMBER = re.compile(r"(?<![\w^])\.?\d+(?:\.\d+)?(?:e\d+|\^\d+)?")
CONTRADICTIONS = [one for paper in all_papers() for one in paper.contradictions]


def si(name: str) -> float:
    return figure_of(name).si


def printed(name: str) -> float:
    value = figure_of(name).value
    assert value is not None
    return value


def bcast(library: str) -> tuple[float, float]:
    """Seconds, and B/s of a receiver."""
    time_s = si(f"t3e-mpi.bcast.{library}.128.time")
    return time_s, 1024 / time_s


def bcast_cray() -> list[float]:
    _, rate = bcast("cray-mpi")
    everyone = 127 * rate
    return [rate / MB, 1e6, rate / MIB, everyone / MB, everyone / MIB, everyone / 2**30]


def bcast_mpich() -> list[float]:
    _, rate = bcast("mpich")
    return [rate / MB, rate / MIB, 127 * rate / MB, 127 * rate / MIB]


def barriers(system: str) -> list[float]:
    """Of 2 to 16 PEs, millions a second."""
    return [1e-6 / si(f"cray-mpt.table2.{system}.{pes}.time") for pes in (2, 4, 8, 16)]


def stages(system: str) -> list[float]:
    """ms of each doubling."""
    times = [(pes, si(f"cray-mpt.table4.{system}.{pes}")) for pes in (2, 4, 8, 16)]
    return [1e3 * time_s / math.log2(pes) for pes, time_s in times]


def stages_of_t3d() -> list[float]:
    rate = 800_000 / (1e-3 * stages("t3d")[-1]) / MB
    return [*stages("t3d"), rate, 0.8]


def exchanged_s(name: str) -> float:
    """Of 64 KiB between all of 64."""
    return 65_536 * 64 * 63 / si(f"collectives.total-exchange.{name}.64")


def alltoalls() -> list[float]:
    """After the 1 of p-1."""
    times_ms = [1e3 * exchanged_s(name) for name in ("t3d", "paragon", "sp2")]
    most = printed("collectives.range.64.most")
    return [1, *times_ms, most, 1e-9 * 65_536 * 64 * 63 / (most * 1e-3)]


def per_node() -> list[float]:
    names = ("t3d", "paragon", "sp2")
    return [si(f"collectives.total-exchange.{name}.64") / 64 / MB for name in names]


def share_of_atm() -> list[float]:
    mbps, rated = printed("ethernet-atm.peak.atm.mpich"), si("ethernet-atm.rated.atm") * 8
    return [100 * mbps * 1e6 / rated, 1e6, 100 * mbps * MIB / rated, 2**20]


def round_trip() -> list[float]:
    peak = figure_of("ethernet-atm.peak.atm.mpich")
    bits = 2 * 8 * int(peak.bytes)
    return [1e3 * bits / (printed(peak.id) * 1e6), 1e6, 1e3 * bits / (printed(peak.id) * MIB), MIB]


def one_communication() -> list[float]:
    time_s = si("t3e-mapping.one-communication") / 100
    return [4e6 / time_s / MB, 4e6, 2**22 / time_s / MB, 4 * MIB / time_s / MIB, 2**22]


def cycles() -> list[float]:
    one = printed("t3e-mapping.one-communication")
    names = ("table2.periodic.without", "table3.two-steps.without", "table2.periodic.reordered",
             "table3.two-steps.reordered")  # fmt: skip
    times = [printed(f"t3e-mapping.{name}") for name in names]
    return [number for time_s in times for number in (time_s, one, time_s / one)]


def gain() -> list[float]:
    halos = [printed(f"t3e-mapping.halo.8x4x4.{name}") for name in ("reordered", "without")]
    return [*halos, halos[0] / halos[1]]


RECOMPUTED: dict[str, Callable[[], Sequence[float]]] = {
    "mpi-mpich-t3e Bcast Cray 1024 B / 87 us": bcast_cray,
    "mpi-mpich-t3e Bcast MPICH 1024 B / 170 us": bcast_mpich,
    "mpi-mpich-t3e peak": lambda: [2048, 1.2, 2048 * 1.2e-3],
    "mpt-shmem-pvm T2 T3D rates": lambda: [1, *barriers("t3d")],
    "mpt-shmem-pvm T2 J90 rates": lambda: [1, *barriers("j90")],
    "mpt-shmem-pvm T4 T3D": stages_of_t3d,
    "mpt-shmem-pvm T4 J90": lambda: stages("j90"),
    "collectives-sp2-t3d-paragon total exchange 64 procs 64 KB at R_inf": alltoalls,
    "collectives-sp2-t3d-paragon per node": per_node,
    "mpich-pvm-ethernet-atm 19/155": share_of_atm,
    "mpich-pvm-ethernet-atm RTT at 8192 B": round_trip,
    "pe-mapping-t3e one communication": one_communication,
    "pe-mapping-t3e cycles": cycles,
    "pe-mapping-t3e gain at 128 PEs": gain,
}
CONTRADICTED = {
    "mpi-mpich-t3e Bcast Cray 1024 B / 87 us": "t3e-mpi.bcast.cray-mpi.128.bandwidth",
    "mpi-mpich-t3e Bcast MPICH 1024 B / 170 us": "t3e-mpi.bcast.mpich.128.time",
    "mpi-mpich-t3e peak": "t3e-mpi.hardware.peak",
    "mpt-shmem-pvm T2 T3D rates": "cray-mpt.table2.t3d.4.rate",
    "mpt-shmem-pvm T2 J90 rates": "cray-mpt.table2.j90.16.rate",
    "mpt-shmem-pvm T4 T3D": "cray-mpt.table4.t3d.16",
    "mpt-shmem-pvm T4 J90": "cray-mpt.table4.j90.16",
    "collectives-sp2-t3d-paragon total exchange 64 procs 64 KB at R_inf":
        "collectives.range.64.most",
    "pe-mapping-t3e one communication": "t3e-mapping.one-communication",
}  # fmt: skip
"""Checks that don't come out, and a figure of the contradiction; the others are consistent."""


def checks() -> list[dict[str, str]]:
    with (DATA / "figure_checks.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def digits(text: str) -> tuple[float, float]:
    """A number in words, and its last digit: some were cut off, or made of rounded ones."""
    base, _, power = text.partition("^")
    value = float(base) ** float(power) if power else float(text)
    decimals = len(text.partition(".")[2]) if "e" not in text else 0
    return value, 10.0**-decimals


def test_every_check_is_made_and_none_that_is_not_there() -> None:
    names = [row["check"] for row in checks()]
    assert sorted(names) == sorted(RECOMPUTED)
    assert CONTRADICTED.keys() <= set(names)


@pytest.mark.parametrize("row", checks(), ids=lambda row: row["check"])
def test_check_comes_to_what_was_recomputed(row: dict[str, str]) -> None:
    numbers = [digits(text) for text in NUMBER.findall(row["recomputed"])]
    found = RECOMPUTED[row["check"]]()
    assert len(numbers) == len(found), (numbers, found)
    for (value, last), own in zip(numbers, found, strict=True):
        assert own == pytest.approx(value, abs=last), row["recomputed"]


@pytest.mark.parametrize(("check", "name"), CONTRADICTED.items(), ids=str)
def test_check_that_does_not_come_out_is_a_contradiction(check: str, name: str) -> None:
    assert any(name in one.figures for one in CONTRADICTIONS), check


def test_contradictions_name_figures_that_there_are_of_their_paper() -> None:
    for paper in all_papers():
        assert paper.contradictions
        for one in paper.contradictions:
            assert one.figures
            assert {figure_of(name).id.partition(".")[0] for name in one.figures} == {paper.key}
            assert all((one.printed, one.found, one.reading))


def test_mpichs_broadcast_needs_a_time_that_rounds_to_what_is_printed() -> None:
    """5.8 MByte/s is a time below 169.84 us, "170 us" one above 169.5."""
    most_s = 1024 / (5.75 * MIB)
    assert 169.5e-6 < most_s < 170e-6
    assert 725 < 127 * 1024 / 169.65e-6 / MIB < 735
