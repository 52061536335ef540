"""`leadline exec`: real OpenSHMEM programs, started the way the papers did."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fake_library import oshcc, tools
from tests.support.kernels import openshmem

from leadline.backends.discovery import find_backends
from leadline.backends.discovery.linked import shmem_backend
from leadline.errors import UsageError
from leadline.processes import run

pytestmark = pytest.mark.live

SOURCE = """
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    shmem_init();
    printf("PE %d of %d says %s\\n", shmem_my_pe(), shmem_n_pes(), argc > 1 ? argv[1] : "nothing");
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
    built = run([str(openshmem().compiler), str(folder / "hello.c"), "-o", str(target)], 60)
    assert built.status == 0, built.output
    return target


def leadline_exec(
    *words: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "NPES"}
    return subprocess.run(
        [sys.executable, "-m", "leadline", "exec", *words],
        env=clean | (environment or {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_program_runs_on_as_many_pes_as_asked_and_gets_its_own_words(program: Path) -> None:
    done = leadline_exec("--npes", "3", str(program), "--npes")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"PE {i} of 3 says --npes" for i in range(3)]


def test_number_of_pes_comes_from_the_environment_as_on_the_cray(program: Path) -> None:
    done = leadline_exec(str(program), environment={"NPES": "2"})
    assert "PE 1 of 2 says nothing" in done.stdout


def test_exit_status_is_the_programs(program: Path) -> None:
    assert leadline_exec("--npes", "2", str(program), "bye", "7").returncode == 7


@pytest.mark.parametrize(
    ("words", "npes", "message"),
    [
        (("/no/such/program",), "2", "program '/no/such/program': no such file"),
        (("/etc/passwd",), "2", "can't be executed; remedy: chmod +x /etc/passwd"),
        (("/bin/true",), "", "how many PEs? give --npes N, or set NPES"),
        (("/bin/true",), "many", "NPES 'many' is not a whole number"),
        (("--npes", "0", "/bin/true"), "", "--npes '0' must be at least 1"),
    ],
)
def test_what_cannot_be_started_is_one_line_and_status_2(
    words: tuple[str, ...], npes: str, message: str
) -> None:
    done = leadline_exec(*words, environment={"NPES": npes})
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def test_missing_oshrun_is_said_with_its_remedy(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tools(bare_machine / "tools")))
    compiler = str(oshcc(bare_machine / "bin/oshcc"))
    only = [b for b in find_backends([compiler]) if b.compiler == compiler]
    with pytest.raises(UsageError, match=r"no oshrun of its own beside .*; remedy: install"):
        shmem_backend("prog", only)
    with pytest.raises(UsageError, match="not installed; remedy: apt-get install openmpi-bin"):
        shmem_backend("prog", [])


def test_program_belongs_to_the_library_that_the_loader_takes(program: Path) -> None:
    elsewhere = replace(openshmem(), name="shmem@9", launcher="/opt/other/bin/oshrun")
    assert shmem_backend(str(program), [elsewhere, openshmem()]).name == "shmem"
