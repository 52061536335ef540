"""Machine files under SimGrid's smpirun: times beside those by flow, and what can't be run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from harness import beside_smpi
from harness.beside_smpi import Case, Collective, Smpi, by_flow
from syrupy.assertion import SnapshotAssertion

from leadline.errors import MachineError
from leadline.simulate.machine import Crowd, MachineModel, Mode
from leadline.simulate.machine_files import machine_named
from leadline.simulate.smpi.simgrid import plug_in

T3E = machine_named("cray-t3e-900")
PAIR = next(one for one in beside_smpi.CASES if one.pattern == "pair" and one.ranks == 64)


@pytest.fixture(scope="module")
def smpi(tmp_path_factory: pytest.TempPathFactory) -> Smpi:
    scratch: Path = tmp_path_factory.mktemp("smpi")
    return Smpi(scratch)


@pytest.mark.parametrize("case", beside_smpi.CASES, ids=str)
def test_smpirun_takes_as_long_as_flow(smpi: Smpi, case: Case) -> None:
    assert smpi.seconds(case) == pytest.approx(by_flow(case), rel=beside_smpi.LIMIT)


CROWDED = replace(T3E, nic=replace(T3E.nic, crowd=Crowd(2, 0.5)))
FAR = replace(T3E, links=replace(T3E.links, latency_s=20e-6))


@pytest.mark.parametrize("changed", [CROWDED, FAR], ids=["crowd", "hops"])
def test_crowds_and_hops_count_as_by_flow(smpi: Smpi, changed: MachineModel) -> None:
    halo = Case("cray-t3e-900", "cray-mpi-direct", "halo", 64, (65536,))
    expected = by_flow(halo, changed)
    assert smpi.seconds(halo, changed) == pytest.approx(expected, rel=beside_smpi.LIMIT)
    for size, took_s in by_flow(halo).items():
        assert expected[size] > 1.02 * took_s


def test_slower_links_and_messages_that_wait_would_be_seen(smpi: Smpi) -> None:
    found = by_flow(PAIR)
    slower = replace(T3E.links, bytes_per_s=0.9 * T3E.links.bytes_per_s)
    for size, took_s in smpi.seconds(PAIR, replace(T3E, links=slower)).items():
        assert took_s > 1.09 * found[size]
    pingpong = next(one for one in beside_smpi.CASES if one.library == "cray-mpi-direct")
    pieces = T3E.profiles["cray-mpi-direct"].pieces
    eager = tuple(replace(one, synchronous=False) for one in pieces[Mode.STANDARD])
    profile = replace(T3E.profiles["cray-mpi-direct"], pieces={**pieces, Mode.STANDARD: eager})
    sooner = smpi.seconds(pingpong, replace(T3E, profiles={"cray-mpi-direct": profile}))
    expected = by_flow(pingpong)[65536] - 2 * T3E.nic.latency_s
    assert sooner[65536] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("case", beside_smpi.COLLECTIVES, ids=str)
def test_collective_takes_as_long_as_by_flow(smpi: Smpi, case: Collective) -> None:
    found, expected = smpi.collective(case), beside_smpi.collective_by_flow(case)
    assert found == pytest.approx(expected, rel=beside_smpi.LIMIT)


def test_another_algorithm_would_be_seen(smpi: Smpi) -> None:
    ring = Collective("bcast", "scatter + ring")
    other = beside_smpi.collective_by_flow(replace(ring, algorithm="binomial"))
    for size, took_s in smpi.collective(ring).items():
        assert took_s != pytest.approx(other[size], rel=10 * beside_smpi.LIMIT)


def test_untested_simgrid_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    for name in ("smpicc", "smpirun"):
        (tmp_path / name).write_text("#!/bin/sh\necho SimGrid version 4.1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(MachineError) as caught:
        plug_in()
    assert str(caught.value) == snapshot


def test_missing_headers_name_what_installs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    compiler = tmp_path / "failing"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && exit\necho no such header; exit 1\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    with pytest.raises(MachineError) as caught:
        plug_in()
    assert str(caught.value) == snapshot
