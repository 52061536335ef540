"""`leadline exec`: OpenSHMEM programs as the papers started them, and any launcher's words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from harness.kernels import openshmem
from harness.patience import PATIENCE_S
from harness.steps import commands_of
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import oshcc, script, tools
from tests.support.processes import run_launcher

from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends
from leadline.backends.discovery.launched import is_no_shmem, shmem_backend
from leadline.backends.launchers import JobStep
from leadline.errors import UsageError
from leadline.processes import run

SOURCE = """
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    shmem_init();
    printf("PE %d/%d: %s\\n", shmem_my_pe(), shmem_n_pes(), argc > 1 ? argv[1] : "nothing");
    shmem_barrier_all();
    shmem_finalize();
    return argc > 2 ? atoi(argv[2]) : 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exec")
    (folder / "hello.c").write_text(SOURCE)
    target = folder / "hello"
    built = run([str(openshmem().compiler), str(folder / "hello.c"), "-o", str(target)], PATIENCE_S)
    assert built.status == 0, built.output
    return target


def leadline_exec(
    *words: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "NPES"}
    argv = ["timeout", "-k", "1", str(PATIENCE_S), sys.executable, "-m", "leadline", "exec", *words]
    return run_launcher(argv, clean | (environment or {}))


def test_program_runs_on_as_many_pes_as_asked_and_gets_its_own_words(program: Path) -> None:
    done = leadline_exec("--npes", "3", str(program), "--npes")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"PE {i}/3: --npes" for i in range(3)]


def test_number_of_pes_comes_from_the_environment_as_on_the_cray(program: Path) -> None:
    done = leadline_exec(str(program), environment={"NPES": "2"})
    assert "PE 1/2: nothing" in done.stdout


def test_exit_status_is_the_programs(program: Path) -> None:
    assert leadline_exec("--npes", "2", str(program), "bye", "7").returncode == 7


@pytest.mark.parametrize(
    ("words", "npes"),
    [
        (("/no/such/program",), "2"),
        (("/etc/passwd",), "2"),
        (("/bin/true",), ""),
        (("/bin/true",), "many"),
        (("--npes", "0", "/bin/true"), ""),
        ((), "2"),
        (("--",), "2"),
        (("--npes", "2"), ""),
        (("--", "no-such-mpiexec", "-n", "2"), ""),
        (("--npes", "2", "--", "mpiexec", "-n", "2"), ""),
        (("--npes", "2", "mpiexec", "-n", "2", "./a b"), ""),
        (("--npes", "3", "/bin/echo", "a b"), ""),
        (("/p/bin/mpirun", "a.out"), "2"),
        (("mpiexec.hydra", "a.out"), "2"),
        (("srun", "a.out"), "2"),
    ],
)
def test_what_cannot_be_started_is_one_line_and_status_2(
    words: tuple[str, ...], npes: str, snapshot: SnapshotAssertion
) -> None:
    done = leadline_exec(*words, environment={"NPES": npes})
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr == snapshot


SHOWS_ITS_WORDS = ("sh", "-c", 'printf "%s|" $$ "$0" "$@"; cat; exit 7', "-n", "4", "./app", "--")


def test_launchers_command_line_is_run_as_it_is() -> None:
    command = [sys.executable, "-m", "leadline", "exec", "--", *SHOWS_ITS_WORDS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        output, _ = started.communicate(b"piped", timeout=PATIENCE_S)
    assert output == f"{started.pid}|-n|4|./app|--|piped".encode()
    assert started.returncode == 7


def test_npes_in_the_environment_is_no_matter_of_a_launchers_command_line() -> None:
    done = leadline_exec("--", "sh", "-c", "echo $NPES", environment={"NPES": "3"})
    assert (done.returncode, done.stdout) == (0, "3\n")


def test_signals_reach_a_launcher_which_ends_by_them() -> None:
    command = [sys.executable, "-m", "leadline", "exec", "--", "sh", "-c", "echo up; sleep 60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == b"up\n"
        os.killpg(started.pid, signal.SIGTERM)
        assert started.wait(PATIENCE_S) == -signal.SIGTERM


@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
def test_ranks_of_a_library_are_started_by_its_own_words(
    kind: str, installed_backends: Mapping[str, Backend]
) -> None:
    (command,) = commands_of(installed_backends[kind], JobStep("echo", ("rank",), 2, {}))
    done = leadline_exec("--", *command.argv, environment=dict(command.environment))
    assert (done.returncode, done.stdout) == (0, "rank\nrank\n"), done.stderr


def test_missing_oshrun_is_said_with_its_remedy(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("PATH", str(tools(bare_machine / "tools")))
    compiler = str(oshcc(bare_machine / "bin/oshcc"))
    only = [b for b in find_backends([compiler]) if b.compiler == compiler]
    with pytest.raises(UsageError) as beside:
        shmem_backend("prog", only)
    with pytest.raises(UsageError) as missing:
        shmem_backend("prog", [])
    message = [str(caught.value).replace(str(bare_machine), "DIR") for caught in (beside, missing)]
    assert message == snapshot


def test_program_belongs_to_the_library_that_the_loader_takes(program: Path) -> None:
    elsewhere = replace(openshmem(), name="shmem@9", launcher="/opt/other/bin/oshrun")
    assert shmem_backend(str(program), [elsewhere, openshmem()]).name == "shmem"


def test_only_programs_that_load_libraries_tell_that_they_are_no_openshmem(
    program: Path, tmp_path: Path
) -> None:
    (tmp_path / "it.c").write_text("int main(void) { return 0; }\n")
    for name, flag in {"static": "-static", "pie": "-static-pie", "dynamic": "-O0"}.items():
        built = run(["cc", str(tmp_path / "it.c"), flag, "-o", str(tmp_path / name)], PATIENCE_S)
        assert built.status == 0, built.output
    script(tmp_path / "script", "#!/bin/sh\nexec ./app\n")
    refused = [
        name for name in ("static", "pie", "dynamic", "script") if is_no_shmem(str(tmp_path / name))
    ]
    assert refused == ["dynamic"]
    assert not is_no_shmem(str(program))
    assert not is_no_shmem(sys.executable)
