"""`leadline run` over simulated ranks: on which machine, beside measured ones, what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import seen

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.record.run import Origin, Run
from leadline.store import load

T3E = ("--machine", "cray-t3e-900")
SMPI = ("--backends", "smpi")


def run(folder: Path, *words: str, ranks: str = "2") -> Run:
    where = ("--ranks", ranks, "--out", str(folder))
    assert main(["run", *where, *words]) == 0
    return load(str(folder))


def times(found: Run) -> dict[tuple[str, str, int], float]:
    """Of each variant, pattern and size, s."""
    return {
        (one.variant, one.curve.pattern, one.size_bytes): one.time.value
        for one in Analysis(found).summaries
    }


def refused(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    assert main(["run", "--out", str(folder), "--patterns", "pingpong", *words]) == 2
    return capsys.readouterr().err


def test_simulated_ranks_take_what_simulate_says(tmp_path: Path) -> None:
    what = ("--patterns", "pingpong,pair", "--sizes", "0,1024,100000")
    found = run(tmp_path / "run", *SMPI, *T3E, *what, ranks="4")
    stated = tmp_path / "stated"
    assert main(["simulate", *T3E, *what, "--ranks", "4", "--out", str(stated)]) == 0
    mine, others = list(times(found).values()), list(times(load(str(stated))).values())
    np.testing.assert_allclose(mine[:3], others[:3], rtol=1e-3)
    np.testing.assert_allclose(mine, others, rtol=0.15)


def test_run_says_what_was_simulated(tmp_path: Path) -> None:
    found = run(tmp_path / "run", *SMPI, *T3E, "--patterns", "barrier", ranks="5")
    (one,) = found.configurations
    assert (one.backend, one.version, one.ranks, one.origin) == (
        "smpi", "3.32", 5, Origin.SIMULATED,
    )  # fmt: skip
    assert (one.binding, one.oversubscribed, one.transport) == ((), False, "torus:8x8x8")
    assert (one.algorithms["bcast"], one.algorithms["scan"]) == ("binomial", "native")
    (facts,) = found.provenance.simulations
    assert (facts.variant, facts.machine, facts.library) == ("smpi", "cray-t3e-900", "mpich")
    assert facts.machine_file.startswith("#") or "[" in facts.machine_file


def test_machines_stand_beside_measured_libraries_in_one_run(tmp_path: Path) -> None:
    found = run(
        tmp_path / "run",
        *("--backends", "shm", "--blocks", "2", "--patterns", "pingpong", "--sizes", "8"),
        *("--variant", "t3e=smpi,machine:cray-t3e-900,library:cray-mpi"),
        *("--variant", "ethernet=smpi,machine:sun-ethernet-10"),
    )
    origins = {one.variant: one.origin for one in found.configurations}
    assert origins == {
        "shm": Origin.MEASURED, "t3e": Origin.SIMULATED, "ethernet": Origin.SIMULATED,
    }  # fmt: skip
    assert {block for block, variant, _ in seen(found) if variant == 0} == {0, 1}
    assert times(found)["ethernet", "pingpong", 8] > 5 * times(found)["t3e", "pingpong", 8]


def test_smpi_without_a_machine_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    message = refused(capsys, tmp_path / "run", *SMPI)
    assert message == snapshot


@pytest.mark.parametrize(
    "words",
    [
        ("--backends", "shm", *T3E),
        ("--backends", "shm", "--library", "mpt"),
        ("--variant", "a=shm,machine:cray-t3e-900"),
        (*SMPI, *T3E, "--library", "mpihc"),
        (*SMPI, "--machine", "cray-t3e-800"),
        (*SMPI, *T3E, "--ranks", "1000"),
        ("--variant", "a=smpi,machine:a,machine:b"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_simulated_is_refused(
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    assert refused(capsys, tmp_path / "run", *words) == snapshot


def test_ranks_are_laid_on_the_simulated_machine(tmp_path: Path) -> None:
    slots = tmp_path / "slots"
    slots.write_text("0\n7\n1\n6\n2\n5\n3\n4\n")
    found = run(
        tmp_path / "run",
        *("--variant", "near=smpi,machine:cray-t3e-900"),
        *("--variant", "hops=smpi,machine:cray-t3e-900,map:hops"),
        *("--variant", f"file=smpi,machine:cray-t3e-900,map:{slots}"),
        *("--patterns", "halo:2x2x2", "--sizes", "100000", "--cadence", "isolated"),
        ranks="8",
    )
    laid = {one.variant: one.placement for one in found.configurations}
    assert laid["near"] == ()
    assert {one.machine for one in (*laid["hops"], *laid["file"])} == {"torus:8x8x8"}
    assert laid["file"][0].slots == (0, 7, 1, 6, 2, 5, 3, 4)
    mappings = {one.variant: one.mapping for one in found.provenance.simulations}
    assert mappings == {"near": "default", "hops": "hops", "file": str(slots)}


def test_overlap_fails_alone_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    what = ("--patterns", "ibcast:overlapped,pingpong", "--sizes", "8")
    out = ("--out", str(tmp_path / "run"))
    assert main(["run", *SMPI, *T3E, *what, *out]) == 1
    found = load(out[1])
    (failure,) = found.failures
    assert failure.code in capsys.readouterr().out
    assert (failure.code, failure.message) == snapshot
    assert ("smpi", "pingpong", 8) in times(found)
