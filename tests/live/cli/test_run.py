"""`leadline run` as a user runs it: a process of its own, interrupted, killed, misled."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.kernels import FAULTS
from harness.patience import PATIENCE_S, patience_for
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import Silent, plan_for, run_campaign, seen
from tests.support.processes import processes, variable

from leadline.backends.backend import Backend
from leadline.cli import main, parser_for
from leadline.cli.parsing.options import request_of
from leadline.kernels.build import build_kernel, describe
from leadline.measure.campaign import Campaign
from leadline.measure.preparation import prepare
from leadline.measure.spec import Variant
from leadline.measure.system import OPERATING_SYSTEM
from leadline.record.run import Run
from leadline.store import Journal, load

pytestmark = pytest.mark.long

LEADLINE = [sys.executable, "-m", "leadline"]
SMALL = ["--patterns", "pingpong,barrier", "--sizes", "8,1000"]
STOPPING = """
import os, signal, sys
from leadline.cli import main
from leadline.report.text.progress import PlainProgress

begins, done = PlainProgress.block_begins, PlainProgress.slice_done
slices = []

def beginning(progress, block, *words):
    slices.clear()
    slices.extend([None] * (block == 1))
    begins(progress, block, *words)

def stopping(progress, *words):
    done(progress, *words)
    if slices:
        slices.append(words)
    if len(slices) == 3:
        os.kill(os.getpid(), signal.SIGSTOP)

PlainProgress.block_begins, PlainProgress.slice_done = beginning, stopping
sys.exit(main(sys.argv[1:]))
"""
"""leadline, stopped in its second block, when two slices of it are done."""


def leadline(
    *words: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LEADLINE, *words],
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def processes_of(directory: Path) -> list[int]:
    """Kernels that the campaign into `directory` started: its journal names their processes."""
    return [pid for pid in processes() if variable(pid, "LEADLINE_TEST") == str(directory)]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A campaign into tmp_path/run that stands still in its second block, until it is to go on."""
    out = tmp_path / "run"
    words = ["run", "--backends", "shm,null", *SMALL, "--blocks", "3", "--budget", "3s"]
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPING, *words, "--out", str(out)],
        env=os.environ | {"LEADLINE_TEST": str(out)},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def assert_begun(run: Run) -> None:
    assert not run.complete
    assert set(run.batches.block.tolist()) == {0, 1}


def assert_no_process_stays(directory: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while processes_of(directory) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes_of(directory) == []


def test_run_measures_reports_and_leaves_a_run_directory(tmp_path: Path) -> None:
    done = leadline(
        "run", "--backends", "shm,null", *SMALL, "--blocks", "2", "--out", str(tmp_path / "r")
    )
    assert done.returncode == 0, done.stderr
    assert "pingpong" in done.stdout
    assert "2 blocks x (" in done.stderr
    out = str(tmp_path / "r")
    assert done.stderr.splitlines()[-2:] == [
        f"  leadline show {out} --full",
        f"  leadline report {out}",
    ]
    files = {path.name for path in (tmp_path / "r").iterdir()}
    assert files == {
        "plan.json", "journal.jsonl", "batches.parquet", "slices.parquet", "run.json"
    }  # fmt: skip
    assert load(tmp_path / "r").complete


def test_dry_run_prints_the_sum_and_writes_nothing(tmp_path: Path) -> None:
    done = leadline("run", "--backends", "null", *SMALL, "--dry-run", "--out", str(tmp_path / "r"))
    assert done.returncode == 0
    assert "start-up" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_ends_with_130_and_resume_finishes(
    number: signal.Signals, started: subprocess.Popen[str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    started.send_signal(number)
    started.send_signal(signal.SIGCONT)
    _, stderr = started.communicate(timeout=PATIENCE_S)
    assert started.returncode == 130, stderr
    assert f"run --resume {out}" in stderr
    assert_no_process_stays(out)
    before = load(out)
    assert_begun(before)
    done = leadline("run", "--resume", str(out))
    assert done.returncode == 0, done.stderr
    run = load(out)
    assert run.complete
    assert seen(before) < seen(run)
    assert run.configurations == before.configurations
    assert "journal_line" not in {warning.code for warning in run.warnings}


def test_killed_front_end_leaves_no_process_and_resume_finishes(
    started: subprocess.Popen[str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    started.kill()
    started.wait()
    assert_no_process_stays(out)
    before = load(out)
    assert_begun(before)
    done = leadline("run", "--resume", str(out))
    assert done.returncode == 0, done.stderr
    assert load(out).complete
    assert seen(before) < seen(load(out))


def test_second_campaign_into_the_same_directory_is_refused_and_so_are_options_of_resume(
    started: subprocess.Popen[str], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    out = str(tmp_path / "run")
    for words in (["run", "--backends", "null", *SMALL, "--out", out], ["run", "--resume", out]):
        done = leadline(*words)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()[-1]) > 20
        assert "Traceback" not in done.stderr
    done = leadline("run", "--resume", out, "--budget", "5s")
    assert done.returncode == 2
    assert done.stderr.replace(str(tmp_path), "DIR") == snapshot
    assert started.poll() is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--backends", "mpihc"], "mpich"),
        (["--backends", "null", "--patterns", "pingpog"], "'pingpong'"),
        (["--backends", "null", "--ranks", "0"], "--ranks '0'"),
        (["--backends", "null", "--budget", "-3s"], "'-3s'"),
        (["--backends", "null", "--sizes", "9000GiB"], "GB"),
        (["--backends", "null", "--bind", "9999"], "core 9999"),
        (["--backends", "null", "--variant", "x"], "--variant"),
        (["--backends", "null", "--variant", "y=null,arg:-v", "--blocks", "1"], "arg:"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    words: list[str], message: str, tmp_path: Path
) -> None:
    done = leadline("run", *words, "--out", str(tmp_path / "r"))
    assert done.returncode == 2, done.stderr
    assert message in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_missing_compiler_is_said_once_with_the_remedy(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    done = leadline(
        "run", "--backends", "shm", *SMALL,
        environment={"PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines() == snapshot


def test_compile_error_names_the_command_and_the_others_go_on(
    installed_backends: dict[str, Backend], tmp_path: Path
) -> None:
    real = Path(str(installed_backends["mpich"].compiler))
    prefix = tmp_path / "broken"
    (prefix / "bin").mkdir(parents=True)
    wrapper = prefix / "bin" / "mpicc"
    wrapper.write_text(
        f'#!/bin/sh\ncase "$*" in *backends/mpi.c*) echo "mpi.c: luckless" >&2; exit 1;; esac\n'
        f'exec "{real}" "$@"\n'
    )
    wrapper.chmod(0o755)
    for program in real.parent.glob("*hydra*"):
        (prefix / "bin" / program.name).symlink_to(program)
    (prefix / "bin" / "mpiexec").symlink_to(real.parent / "mpiexec")
    done = leadline(
        "run", "--backends", f"{wrapper},shm", *SMALL, "--blocks", "1", "--out", str(tmp_path / "r")
    )
    assert done.returncode == 1, done.stderr
    assert "luckless" in done.stderr
    run = load(tmp_path / "r")
    assert {c.variant for c in run.configurations} == {"shm"}
    warning = next(w for w in run.warnings if w.code == "build")
    assert "luckless" in warning.cause
    assert str(wrapper) in warning.cause


def test_launcher_of_another_library_is_caught_and_both_are_named(
    installed_backends: dict[str, Backend], tmp_path: Path
) -> None:
    mpich, openmpi = installed_backends["mpich"], installed_backends["openmpi"]
    mixed = Backend(
        "mixed", "mpich", openmpi.version, True, mpich.launcher, openmpi.compiler,
        openmpi.environment, None, None, "unknown",
    )  # fmt: skip
    kernel = build_kernel(mixed)
    variants = [
        Variant("mixed", mixed, str(kernel), describe(kernel), {"OMPI_ALLOW_RUN_AS_ROOT": "1"})
    ]
    run, _ = run_campaign(tmp_path / "r", variants, plan_for(variants, "barrier", (8,), 1))
    (failure,) = run.failures
    assert (failure.code, failure.cell) == ("launch", None)
    assert str(mpich.launcher) in failure.message
    assert str(openmpi.compiler) in failure.message


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        *itertools.product(["mpich", "openmpi", "impi"], ["crash", "exit", "wrong_byte"]),
        ("openmpi", "hang"),  # is seen by the front-end alone, the same way with every library
    ],
)
def test_rank_that_misbehaves_over_mpi_fails_its_cell_alone(
    kind: str, fault: str, installed_backends: dict[str, Backend], tmp_path: Path
) -> None:
    backend = installed_backends[kind]
    kernel = build_kernel(backend, FAULTS)
    environment = dict(backend.environment) | {"LEADLINE_FAULT": f"{fault}:1:104"}
    variants = [Variant(kind, backend, str(kernel), describe(kernel), environment)]
    plan = plan_for(variants, "pingpong", (8, 104), 1)
    run, _ = run_campaign(tmp_path / "r", variants, plan, patience_s=patience_for(fault))
    assert [(f.code, f.cell) for f in run.failures] == [(fault, 1)]
    assert {cell for _, _, cell in seen(run)} == {0}


def test_all_libraries_are_measured_side_by_side(
    installed_backends: dict[str, Backend], tmp_path: Path
) -> None:
    done = leadline(
        "run", "--backends", "shm,mpich,openmpi,impi", "--blocks", "1", "--budget", "5s", "--out",
        str(tmp_path / "r"),
        "--patterns", "pingpong,barrier,bcast,allreduce:max:int64,allreduce",
        "--sizes", "0,8,1000000", "--buffers", "separate",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run = load(tmp_path / "r")
    assert {c.variant for c in run.configurations} == {"shm", "mpich", "openmpi", "impi"}
    assert len(seen(run)) == 4 * (3 + 1 + 2 + 2 + 2)
    shown = leadline("show", str(tmp_path / "r"), "--json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)


def test_ranks_bound_to_one_core_are_flagged_and_get_no_verdict(tmp_path: Path) -> None:
    out = tmp_path / "r"
    words = ["--backends", "shm,null", *SMALL, "--blocks", "1", "--bind", "0,0"]
    assert leadline("run", *words, "--out", str(out)).returncode == 0
    run = load(out)
    assert all(configuration.oversubscribed for configuration in run.configurations)
    assert "oversubscribed" in {warning.code for warning in run.warnings}


def test_resume_on_other_cores_is_refused(started: subprocess.Popen[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    started.kill()
    started.wait()
    assert_no_process_stays(out)
    done = subprocess.run(
        ["taskset", "-c", "0", *LEADLINE, "run", "--resume", str(out)],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "core 1 " in done.stderr.splitlines()[-1]


def test_run_of_an_older_version_goes_on_by_the_words_that_it_has_stored(tmp_path: Path) -> None:
    words = ["run", "--backends", "null", *SMALL, "--blocks", "2", "--budget", "1s"]
    arguments = parser_for("run").parse_args(words)
    options = {k: v for k, v in vars(arguments).items() if k not in ("command", "resume", "out")}
    metadata = {"options": options, "plan": {"blocks": 2, "together": True}}
    with Journal.create(tmp_path / "run", metadata) as journal:
        Campaign.begun(prepare(request_of(arguments)), journal, Silent(), OPERATING_SYSTEM)
    assert main(["run", "--resume", str(tmp_path / "run")]) == 0
    run = load(tmp_path / "run")
    assert run.complete
    assert len(seen(run)) == 2 * 3


def test_raw_variants_are_compared_with_a_raw_baseline(tmp_path: Path) -> None:
    out = str(tmp_path / "r")
    words = ["--variant", "a=shm", "--variant", "b=shm", *SMALL, "--blocks", "2"]
    assert leadline("run", *words, "--out", out).returncode == 0
    done = leadline("compare", out, "--baseline", "a", "--json")
    assert done.returncode == 3, done.stderr
    assert {row["candidate"] for row in json.loads(done.stdout)["rows"]} == {"b"}


def test_full_disk_gets_a_message_and_keeps_what_was_written(tmp_path: Path) -> None:
    out = tmp_path / "r"
    words = [*LEADLINE, "run", "--backends", "null", *SMALL, "--blocks", "6", "--out", str(out)]
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 40; exec "$@"', "bash", *words],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert limited.returncode == 1
    assert str(out / "journal.jsonl") in limited.stderr.splitlines()[-1]
    assert "Traceback" not in limited.stderr
    kept = load(out)
    assert len(kept.batches.rank) > 0
    assert not kept.complete
    assert leadline("run", "--resume", str(out)).returncode == 0
    assert load(out).complete


def test_no_word_of_the_user_reaches_a_shell(tmp_path: Path) -> None:
    out = tmp_path / "a b;touch pwned"
    hostile = "x=null,env:A=$(touch pwned);touch pwned `touch pwned`"
    done = subprocess.run(
        [*LEADLINE, "run", "--variant", hostile, *SMALL, "--blocks", "1", "--out", str(out)],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [out.name]
    assert load(out).configurations[0].environment["A"].startswith("$(touch")


def test_quiet_run_says_its_results_and_nothing_else(tmp_path: Path) -> None:
    words = ["run", "--backends", "null", *SMALL, "--blocks", "1", "--out", str(tmp_path / "r")]
    loud, quiet = leadline(*words), leadline(*words[:-1], str(tmp_path / "q"), "--quiet")
    assert (loud.returncode, quiet.returncode) == (0, 0), quiet.stderr
    assert "run directory: " in loud.stderr
    assert quiet.stderr == ""
    assert "pingpong" in quiet.stdout


def test_quiet_run_still_says_where_it_went_if_nobody_else_knows(tmp_path: Path) -> None:
    done = subprocess.run(
        [*LEADLINE, "run", "--backends", "null", *SMALL, "--blocks", "1", "-q"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert re.fullmatch(r"\nrun directory: leadline-[0-9-]+\n", done.stderr)


def test_quiet_dry_run_prints_the_plan() -> None:
    assert "blocks x" in leadline("run", "--backends", "null", *SMALL, "-nq").stderr
