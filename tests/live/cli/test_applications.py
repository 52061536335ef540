"""Applications as a user meets them: what is refused, what fails, and what every library solves."""

from __future__ import annotations

import csv
import functools
import json
from pathlib import Path

import pytest
from harness.kernels import FLIPPED_STENCIL
from tests.support.emulated import emulated_hosts, host_words, needs_root
from tests.support.run_command import Leadline

from leadline.backends.discovery import find_backends
from leadline.backends.kinds import INSTALLABLE, KINDS
from leadline.cli import main
from leadline.kernels.build import build_kernel
from leadline.measure import preparation
from leadline.query.database import query
from leadline.record.run import Run
from leadline.report.text.times import UNDECIDED
from leadline.store import load

PROGRAMS = "mg:S,mg_puts:S,stap:small"
SHORT = ("--blocks", "1", "--budget", "2s")


@pytest.fixture
def leadline(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Leadline:
    """`leadline run` into a folder that isn't there yet."""
    monkeypatch.setenv("COLUMNS", "100")
    return Leadline(tmp_path / "run", capfd)


# -- a wrong result --------------------------------------------------------------------------------


def test_flipped_coefficient_is_a_failed_cell_and_exit_status_1(
    leadline: Leadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    flipped = functools.partial(build_kernel, additions=FLIPPED_STENCIL)
    monkeypatch.setattr(preparation, "build_kernel", flipped)
    done = leadline.run("mg:S,stap:small", "--backends", "shm", "--ranks", "2", *SHORT)
    assert done.status == 1
    failure = "shm, mg:S, 2 ranks, block 1: wrong_result: norm "
    (output,) = [line for line in done.out.splitlines() if line.strip().startswith(failure)]
    assert "expected 5.30770700573" in " ".join(done.out.split())
    assert "(relative error " in " ".join(done.out.split())
    assert "stap:small · " in done.out
    assert "mg:S · " not in done.out
    (failed,) = load(leadline.folder).failures
    assert failed.code == "wrong_result"
    assert output


# -- over every library ----------------------------------------------------------------------------


def solved(folder: Path, patterns: str, *words: str) -> Run:
    assert main(["run", "--patterns", patterns, *words, *SHORT, "--out", str(folder)]) == 0
    return load(folder)


@pytest.fixture(scope="module")
def everywhere(installed_backends: object, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The programs over every library of this machine that carries messages, PVM too."""
    assert installed_backends
    found = (one for one in find_backends(()) if one.usable and not KINDS[one.kind].only_by_name)
    names = ",".join([*(one.name for one in found), "pvm"])
    return solved(tmp_path_factory.mktemp("everywhere") / "run", PROGRAMS, "--backends", names)


@pytest.fixture(scope="module")
def crowded(installed_backends: object, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """On twice as many ranks as cores, over libraries whose ranks leave their core to others."""
    assert installed_backends
    words = ("--backends", "openmpi,shmem,tcp,pvm", "--ranks", "4", "--bind", "0,1")
    return solved(tmp_path_factory.mktemp("crowded") / "run", PROGRAMS, *words)


def measured(run: Run, pattern: str) -> set[str]:
    """Who measured a pattern."""
    found = zip(run.batches.configuration.tolist(), run.batches.cell.tolist(), strict=True)
    return {run.configurations[c].variant for c, k in found if run.cells[k].pattern == pattern}


def test_every_library_solves_every_program(everywhere: Run) -> None:
    assert everywhere.failures == ()
    libraries = {one.variant for one in everywhere.configurations}
    assert libraries >= {*INSTALLABLE, "shmem", "pvm", "shm"}
    assert measured(everywhere, "mg:S") == measured(everywhere, "stap:small") == libraries
    assert measured(everywhere, "mg_puts:S") == libraries - {"pvm"}


def test_more_ranks_than_cores_are_solved_and_flagged_without_a_verdict(
    crowded: Run, leadline: Leadline
) -> None:
    assert crowded.failures == ()
    assert measured(crowded, "mg:S") == measured(crowded, "stap:small")
    assert measured(crowded, "mg:S") == {"openmpi", "shmem", "tcp", "pvm"}
    assert measured(crowded, "mg_puts:S") == {"openmpi", "shmem"}
    assert "oversubscribed" in {warning.code for warning in crowded.warnings}
    content = json.loads(leadline("show", crowded.path, "--json").out)
    for row in content["rows"]:
        assert "oversubscribed" in {warning["code"] for warning in row["warnings"]}
    assert content["rankings"]["curves"] == []
    tables, _, _ = leadline("show", crowded.path, "--full").out.partition("\n\nwarnings\n")
    assert tables.count(UNDECIDED) == len(PROGRAMS.split(","))


def test_every_output_has_the_share_of_communication_of_each_library(
    everywhere: Run, leadline: Leadline, tmp_path: Path
) -> None:
    content = json.loads(leadline("show", everywhere.path, "--json").out)
    text = leadline("show", everywhere.path, "--csv").out.splitlines()
    rows = list(csv.DictReader(line for line in text if not line.startswith("#")))
    for row, line in zip(content["rows"], rows, strict=True):
        assert 0 < row["communication_share"] <= row["communication_most"] <= 1
        assert float(line["communication_share"]) == row["communication_share"]
    shares = "communication_ns BETWEEN 1 AND repetitions_ns"
    statement = f"SELECT count(*) FILTER (WHERE {shares}), count(*) FROM slices"
    ((inside, every),) = query(statement, [everywhere.path]).rows
    assert inside == every > 0
    page = tmp_path / "page.html"
    assert leadline("report", everywhere.path, "--out", str(page)).status == 0
    assert ">communication<" in page.read_text()
    assert "| communication |" in leadline("show", everywhere.path, "--markdown").out


def test_no_output_speaks_of_sizes(everywhere: Run, crowded: Run, leadline: Leadline) -> None:
    for words in (
        ("show", everywhere.path),
        ("show", "--full", everywhere.path),
        ("show", "--by-ranks", everywhere.path),
        ("compare", everywhere.path, "--baseline", "mpich"),
        ("fit", everywhere.path),
    ):
        text = leadline(*words).out
        assert "mpich" in text
        assert "0 B" not in text
    assert " size" not in text and "not fitted" in text and "--calls" in text


# -- beside others ---------------------------------------------------------------------------------


@needs_root
def test_programs_are_solved_between_emulated_hosts(leadline: Leadline) -> None:
    with emulated_hosts(2) as hosts:
        words = ("--hosts", host_words(hosts), "--backends", "tcp,mpich,shmem")
        done = leadline.run(PROGRAMS, *words, "--ranks", "2", *SHORT)
    assert done.status == 0, done.out
    run = load(leadline.folder)
    assert measured(run, "mg:S") == measured(run, "stap:small") == {"tcp", "mpich", "shmem"}
    assert measured(run, "mg_puts:S") == {"mpich", "shmem"}
