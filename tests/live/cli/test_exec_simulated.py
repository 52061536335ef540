"""`leadline exec --simulate`: programs that smpicc built, on machines that files describe."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.processes import until
from tests.support.texts import lines_from, numbers

from leadline.cli import main
from leadline.files import cache_directory
from leadline.simulate.smpi.simgrid import plug_in

SOURCE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int own; /* each rank's */

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    int ranks, told = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(argv[1], "stuck") == 0 && own < 2)
        MPI_Recv(&told, 1, MPI_INT, 1 - own, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (strcmp(argv[1], "forever") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(argv[1], "read") == 0 && own == 0)
        printf("read %d\\n", getchar());
    if (strcmp(argv[1], "leave") == 0) {
        if (own > 0)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    if (strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(argv[1], "alone") == 0 && own == 2)
        MPI_Recv(&told, 1, MPI_INT, own, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (strcmp(argv[1], "wait") == 0 && MPI_Wtime() < 1e-3)
        ;
    for (int i = 2; i < argc && own == 0; i++)
        printf("[%s]", argv[i]);
    const char *block = calloc(1000000, 1);
    if (own == 0)
        MPI_Send(block, 1000000, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (own == 1)
        MPI_Recv((char *)block, 1000000, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d of %d\\n", own, ranks);
    MPI_Finalize();
    return own == 1 ? atoi(argv[1]) : 0;
}
"""
EXEC = [sys.executable, "-m", "leadline", "exec", "--simulate"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("simulated")
    (folder / "app.c").write_text(SOURCE)
    subprocess.run(["smpicc", str(folder / "app.c"), "-o", str(folder / "app")], check=True)
    return str(folder / "app")


def simulated(*words: str, read: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "NPES"}
    return subprocess.run(
        [*EXEC, *words], env=clean | variables, input=read, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip


def test_ranks_print_the_time_is_simulated_and_the_status_is_the_programs(program: str) -> None:
    ended = simulated("ibm-sp2", "--library", "mpl", "--npes", "3", "--", program, "0")
    assert sorted(ended.stdout.splitlines()) == [f"rank {rank} of 3" for rank in range(3)]
    # 40 us, and a megabyte at 40 MB/s
    assert numbers(ended.stderr) == ["25.0", "3", "3.32"]
    assert "ibm-sp2 (mpl)" in ended.stderr
    assert ended.returncode == 0
    failed = simulated("ibm-sp2", program, "3", NPES="2")
    assert (failed.returncode, len(failed.stdout.splitlines())) == (3, 2)


def test_allocation_says_where_ranks_are(program: str) -> None:
    # of the two processors of a node, and of two nodes, whose link is faster than the library
    for slots, took in (("first:2", "36.7"), ("t3e:4", "36.7")):
        chosen = ["--library", "mpi", "--allocation", slots, "--npes", "2"]
        ended = simulated("cray-t3d", *chosen, program, "0")
        (output,) = lines_from("simulated: ", ended.stderr)
        assert numbers(output)[:2] == [took, "2"]
        assert "cray-t3d (mpi)" in output
    ended = simulated("cray-t3d", "--allocation", "first:2", "--npes", "3", program, "0")
    assert ended.returncode == 2


def test_what_simgrid_lacks_is_said_first(program: str, snapshot: SnapshotAssertion) -> None:
    ended = simulated("cray-t3d", "--library", "mpi", "--npes", "2", program, "0")
    first, second = ended.stderr.splitlines()
    assert first == snapshot
    assert second.startswith("simulated: ")


def test_deadlock_names_its_ranks(program: str, snapshot: SnapshotAssertion) -> None:
    ended = simulated("cray-t3e-900", "--npes", "4", program, "stuck")
    assert ended.returncode == 2
    assert lines_from("leadline exec: ", ended.stderr) == snapshot
    assert "Oops" not in ended.stderr


def test_deadlock_of_one_rank_is_said_of_one(program: str, snapshot: SnapshotAssertion) -> None:
    ended = simulated("cray-t3e-900", "--npes", "4", program, "alone")
    assert ended.returncode == 2
    assert lines_from("leadline exec: ", ended.stderr) == snapshot


def test_program_has_its_words_as_they_were_given(program: str, tmp_path: Path) -> None:
    words = ["a b", "*", "", "--help", "--version", "--cfg=smpi/np:1", "--log=no.thres:debug"]
    words += ["it's", "$HOME", "two\nlines", "\\n", "-np"]
    folder = tmp_path / "of a *"
    folder.mkdir()
    (folder / "app").symlink_to(program)
    ended = simulated("ibm-sp2", "--npes", "2", str(folder / "app"), "0", *words)
    assert "".join(f"[{word}]" for word in words) + "rank 0 of 2\n" in ended.stdout
    assert ended.returncode == 0


def test_program_that_waits_by_the_clock_goes_on(program: str) -> None:
    ended = simulated("ibm-sp2", "--library", "mpl", "--npes", "2", program, "wait")
    (output,) = lines_from("simulated: ", ended.stderr)
    assert numbers(output)[:2] == ["26.0", "2"]  # a millisecond longer


def test_program_that_aborts_has_no_time(program: str, snapshot: SnapshotAssertion) -> None:
    ended = simulated("cray-t3e-900", "--npes", "2", program, "abort")
    assert ended.returncode == 1
    assert ended.stderr == snapshot


def test_simulation_that_breaks_off_is_said_below_what_simgrid_prints(
    program: str, snapshot: SnapshotAssertion
) -> None:
    done = simulated("cray-t3e-900", "--npes", "4", "--", program, "leave")
    last = done.stderr.splitlines()[-1]
    assert done.returncode > 0
    assert numbers(last) == [str(done.returncode)]
    assert last.replace(str(done.returncode), "STATUS") == snapshot


def test_program_reads_what_the_command_is_given(program: str) -> None:
    assert "read 97\n" in simulated("ibm-sp2", "--npes", "2", program, "read", read="a").stdout


def test_folder_that_smpirun_would_split_is_refused(program: str, tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    ended = simulated("ibm-sp2", "--npes", "2", program, "0", TMPDIR=str(tmp_path / "a b"))
    assert ended.returncode == 2
    assert f"'{tmp_path}/a b/" in ended.stderr
    assert "TMPDIR" in ended.stderr


def test_cache_may_be_where_smpirun_would_split(program: str, tmp_path: Path) -> None:
    """What is compiled is there already: SimGrid's headers take the compiler five seconds."""
    cache, (kept, folder) = tmp_path / "a *", plug_in().parts[-3:-1]
    shutil.copytree(cache_directory() / kept / folder, cache / "leadline" / kept / folder)
    ended = simulated("ibm-sp2", "--npes", "2", program, "0", XDG_CACHE_HOME=str(cache))
    assert (ended.returncode, ended.stdout.count("rank")) == (0, 2)


def test_nothing_is_left_of_a_command_that_is_ended(program: str, tmp_path: Path) -> None:
    words = [*EXEC, "ibm-sp2", "--npes", "2", program, "forever"]
    variables = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, env=variables, stderr=subprocess.DEVNULL) as command:
        until(lambda: simulators(program) != [])
        command.terminate()
        assert command.wait(PATIENCE_S) == 130
    until(lambda: simulators(program) == [])
    assert list(tmp_path.glob("leadline-*")) == []


def simulators(program: str) -> list[Path]:
    """Processes that play `program`."""
    return [path for path in Path("/proc").glob("[0-9]*/cmdline") if plays(path, program)]


def plays(path: Path, program: str) -> bool:
    try:
        words = path.read_bytes().split(b"\0")
    except OSError:  # it has ended meanwhile
        return False
    return words[0].endswith(b"smpimain") and program.encode() in words


@pytest.mark.parametrize(
    "words",
    [
        ["ibm-sp2", "--npes", "2", "/bin/ls"],
        ["ibm-sp2", "--npes", "2", "/nonexistent"],
        ["ibm-sp3", "--npes", "2", "PROGRAM"],
        ["ibm-sp2", "--npes", "65", "PROGRAM"],
        ["ibm-sp2", "--npes", "2", "PROGRAM", "0", "--"],
        ["ibm-sp2", "--library", "x", "--npes", "2", "PROGRAM"],
        ["ibm-sp2", "PROGRAM"],
        ["ibm-sp2", "--npes", "2", "--"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_simulated_is_said(
    program: str,
    words: list[str],
    snapshot: SnapshotAssertion,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NPES", raising=False)
    given = (program if word == "PROGRAM" else word for word in words)
    assert main(["exec", "--simulate", *given]) == 2
    output = capsys.readouterr().err
    assert output.replace(program, "PROGRAM") == snapshot
    assert output.count("\n") == 1


def test_options_of_a_simulated_machine_need_one(program: str, snapshot: SnapshotAssertion) -> None:
    words = [sys.executable, "-m", "leadline", "exec", "--library", "mpich", program]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == snapshot
