"""OpenSHMEM: the contract over a real one, how one is found, what is said of a broken one."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import openshmem, variant
from harness.ranks import launched
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import plan_for, run_campaign, seen
from tests.support.fake_library import OPEN_MPI, oshcc, oshrun, script, tools
from tests.support.launches import noted
from tests.support.processes import running, until
from tests.support.texts import numbers

from leadline.backends.discovery import find_backends, identify
from leadline.backends.kinds import launcher_for
from leadline.record.run import Buffers

# -- the contract ----------------------------------------------------------------------------------


CHECKS = ("contract", "collectives", "one_sided", "requests", "modes", "orders")


@pytest.mark.parametrize(
    ("checks", "ranks"),
    [
        *((checks, ranks) for checks in CHECKS for ranks in (1, 3)),
        ("contract", 2),
        ("collectives", 5),
        ("orders", 2),
    ],
)
def test_openshmem_keeps_the_contract(checks: str, ranks: int) -> None:
    ending = launched(contract(checks, openshmem()), ranks, openshmem())
    assert ending.status == 0, ending.output


@pytest.mark.parametrize("checks", ["contract", "requests"])
def test_message_longer_than_its_receive_ends_the_job(checks: str) -> None:
    """One that is on its way, and one that lies in memory since nobody asked for it."""
    ending = launched(contract(checks, openshmem()), 2, openshmem(), "overlong")
    assert ending.status != 0
    _, _, text = ending.output.partition("leadline shmem, PE 1: ")
    assert numbers(text)[:5] == ["0", "7", "99", "7", "100"]


def test_buffers_larger_than_the_usual_heap_find_room(tmp_path: Path) -> None:
    chosen = [variant("shmem")]
    plan = plan_for(chosen, "put", (8,), 1)
    (group,) = plan.groups
    (entry,) = group.cells
    cold = replace(entry, cell=replace(entry.cell, buffers=Buffers.COLD))
    plan = replace(
        plan, groups=(replace(group, cells=(cold,), launches=1),), cold_bytes=150 * 2**20
    )
    run, _ = run_campaign(tmp_path / "run", chosen, plan)
    assert [failure.message for failure in run.failures] == []
    assert len(seen(run)) == 1


# -- how it is found -------------------------------------------------------------------------------


def test_openshmem_is_what_it_reports_and_started_by_its_own_launcher(bare_machine: Path) -> None:
    oshrun(bare_machine / "bin/oshrun", "HYDRA build details:")
    backend = identify(oshcc(bare_machine / "bin/oshcc"))
    assert backend.usable, backend.reason
    assert (backend.kind, backend.version) == ("shmem", "1.5")
    assert backend.launcher == str(bare_machine / "bin/oshrun")
    assert backend.environment == {}
    assert launcher_for(backend).name == "oshrun"


def test_open_mpis_is_kept_from_patching_memory_and_started_like_open_mpi(
    bare_machine: Path,
) -> None:
    oshrun(bare_machine / "bin/oshrun", "oshrun (OpenRTE) 4.9.9")
    backend = identify(oshcc(bare_machine / "bin/oshcc", OPEN_MPI, "opal"))
    assert backend.usable, backend.reason
    assert (backend.version, backend.environment) == ("4.9.9", {"OMPI_MCA_memory": "^patcher"})
    assert launcher_for(backend).name == "openmpi"


def test_vendor_without_a_launcher_is_started_by_slurm(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oshrun(bare_machine / "slurm/srun", "slurm 22.05")
    monkeypatch.setenv("PATH", f"{bare_machine}/slurm:{os.environ['PATH']}")
    backend = identify(oshcc(bare_machine / "bin/shmemcc"))
    assert backend.usable, backend.reason
    assert backend.launcher == str(bare_machine / "slurm/srun")
    assert launcher_for(backend).rank_variable == "SLURM_PROCID"


def test_missing_oshrun_is_named_with_where_it_belongs(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("PATH", str(tools(bare_machine / "tools")))
    backend = identify(oshcc(bare_machine / "bin/oshcc"))
    assert not backend.usable
    text = f"{backend.reason}\n{backend.remedy}"
    assert text.replace(str(bare_machine), "DIR") == snapshot


def test_missing_header_is_refused_with_the_packages_to_install(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    text = "#!/bin/sh\necho 'fatal error: shmem.h: No such file' >&2; exit 1\n"
    backend = identify(script(bare_machine / "bin/oshcc", text))
    assert "shmem.h: " in str(backend.reason)
    assert str(backend.remedy).replace(str(bare_machine), "DIR") == snapshot


def test_one_file_that_acts_by_its_name_is_found_under_both_names(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = script(bare_machine / "bin/opal_wrapper", "#!/bin/sh\nexit 1\n")
    for name in ("mpicc", "oshcc"):
        (bare_machine / "bin" / name).symlink_to(both)
    monkeypatch.setenv("PATH", f"{bare_machine}/bin:{os.environ['PATH']}")
    mine = [b for b in find_backends() if str(b.compiler).startswith(str(bare_machine))]
    assert {b.kind for b in mine} == {"mpi", "shmem"}


def test_machine_without_openshmem_says_what_to_install(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(sys.modules["leadline.backends.discovery.wrappers"], "NAMES", ("mpicc",))
    (missing,) = [b for b in find_backends() if b.kind == "shmem"]
    assert not missing.usable
    assert (missing.reason, missing.remedy) == snapshot


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["exit", "crash"])
def test_pe_that_ends_early_is_named_and_leaves_nothing_behind(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, launches = variant("shmem", fault=f"{code}:1:104"), noted(monkeypatch)
    plan = plan_for([bad], "pingpong", (8, 104), 1)
    made, _ = run_campaign(tmp_path / "run", [bad], plan)
    (failure,) = made.failures
    assert failure.code == code
    assert failure.cell is not None
    assert made.cells[failure.cell].size_bytes == 104
    assert "rank 1 " in failure.message
    # what its ranks mapped was written down; tests beside this one make files of the same names
    notes = [launch.note for launch in launches if launch.note is not None]
    assert len(notes) == len(launches)
    assert any(note.segments for note in notes)
    until(lambda: running(bad.kernel) == [] and not any(note.is_left for note in notes))
