"""`leadline exec --map`: what becomes of a launcher's command line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import script

from leadline.backends.backend import Backend
from leadline.backends.launchers import Command
from leadline.cli import main
from leadline.cli.commands import exec
from leadline.errors import BuildError, UsageError

OUR = "/cache/leadline_map.so"
Mapped = Callable[..., Command]


@pytest.fixture
def mapped(monkeypatch: pytest.MonkeyPatch) -> Mapped:
    """Makes the command of `leadline exec` and its words, with a library that needn't be built."""
    monkeypatch.setattr(
        "leadline.mapping.preload.build.preload_library", lambda compiler, environment: Path(OUR)
    )
    for name in list(os.environ):
        if name.startswith(("LEADLINE_MAP", "LD_PRELOAD", "SLURM_")):
            monkeypatch.delenv(name)

    def command(*words: str) -> Command:
        parser = argparse.ArgumentParser()
        exec.add_arguments(parser)
        arguments = parser.parse_args(words)
        exec.check_mapping(arguments)
        return exec.mapped(arguments, arguments.words[1:])

    return command


@pytest.fixture
def hydra(installed_backends: Mapping[str, Backend]) -> str:
    return str(installed_backends["mpich"].launcher)


def given(command: Command) -> dict[str, str]:
    """The variables that Hydra's words give ranks."""
    argv = command.argv
    return {argv[i + 1]: argv[i + 2] for i, word in enumerate(argv) if word == "-genv"}


def text_file(folder: Path, text: str) -> str:
    path = folder / "machine.txt"
    path.write_text(text)
    return str(path)


# -- the command -----------------------------------------------------------------------------------


def test_library_comes_before_the_programs_mpi_and_all_else_is_as_it_was(
    mapped: Mapped, hydra: str
) -> None:
    command = mapped("--map", "--", hydra, "-n", "2", "echo", "--map", "-n")
    assert command.argv == (
        hydra, "-genv", "LD_PRELOAD", OUR, "-genv", "LEADLINE_MAP_REACHES", "all",
        "-n", "2", "echo", "--map", "-n",
    )  # fmt: skip
    assert command.environment == {}


def test_options_tell_the_library_what_to_do(mapped: Mapped, hydra: str, tmp_path: Path) -> None:
    out = tmp_path / "permutation.csv"
    options = ("--map", "load", "--map-report", "--permutation-out", str(out))
    assert given(mapped(*options, "--", hydra, "echo")) == {
        "LD_PRELOAD": OUR, "LEADLINE_MAP": "report", "LEADLINE_MAP_METRIC": "load",
        "LEADLINE_MAP_OUT": str(out), "LEADLINE_MAP_REACHES": "all",
    }  # fmt: skip


def test_permutations_file_is_found_from_wherever_the_program_goes(
    mapped: Mapped, hydra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = mapped("--map", "--permutation-out", "p.csv", "--", hydra, "echo")
    assert given(command)["LEADLINE_MAP_OUT"] == str(tmp_path / "p.csv")


def test_users_own_variables_are_passed_on_and_the_switch_wins(
    mapped: Mapped, hydra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = {
        "LEADLINE_MAP": "on", "LEADLINE_MAP_STEPS": "7", "LEADLINE_MAP_METRIC": "hops",
        "LEADLINE_MAP_MACHINE": "@/machine",
    }  # fmt: skip
    for name, value in theirs.items():
        monkeypatch.setenv(name, value)
    assert given(mapped("--map", "--map-report", "--", hydra, "echo")) == {
        "LD_PRELOAD": OUR, "LEADLINE_MAP_REACHES": "all", **theirs,
    }  # fmt: skip
    assert given(mapped("--map", "load", "--", hydra, "echo"))["LEADLINE_MAP_METRIC"] == "load"


def test_switched_off_the_command_is_what_it_was(
    mapped: Mapped, hydra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEADLINE_MAP", "off")
    words = ("--map", "--machine", "coordinates:none", "--", hydra, "echo")
    assert mapped(*words) == Command((hydra, "echo"), {})
    assert capsys.readouterr().err == ""


def test_object_preloaded_already_that_is_missing_misleads_nobody(
    mapped: Mapped, hydra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/no/such.so")
    linked = str(Path(hydra).with_name("mpichversion"))  # known by its library, which is asked
    assert given(mapped("--map", "--", hydra, linked))["LD_PRELOAD"] == f"/no/such.so:{OUR}"
    assert capsys.readouterr().err == ""


# -- where the hosts lie ---------------------------------------------------------------------------


def machine_of(command: Command) -> list[str]:
    return given(command)["LEADLINE_MAP_MACHINE"].split(";")


def test_coordinates_reach_the_library_on_one_line(
    mapped: Mapped, hydra: str, tmp_path: Path
) -> None:
    file = text_file(tmp_path, "torus:4x4\na 0 1\nb 3 3\n")
    command = mapped("--map", "--machine", f"coordinates:{file}", "--", hydra, "echo")
    assert machine_of(command) == [
        "leadline-machine 1", "torus 4x4 periodic 1,1", "host a 1", "host b 15",
    ]  # fmt: skip


def test_nodes_of_a_torus_are_the_hosts_that_the_launcher_is_told(
    mapped: Mapped, hydra: str, tmp_path: Path
) -> None:
    words = ("--map", "--machine", "torus:2x2", "--", hydra)
    assert machine_of(mapped(*words, "-hosts", "y,x", "echo"))[2:] == ["host y 0", "host x 1"]
    file = text_file(tmp_path, "p:4\nq:4\n")
    assert machine_of(mapped(*words, "-f", file, "echo"))[2:] == ["host p 0", "host q 1"]


def test_torus_of_hosts_that_nobody_names_is_refused(mapped: Mapped, hydra: str) -> None:
    with pytest.raises(UsageError, match="torus:2x2"):
        mapped("--map", "--machine", "torus:2x2", "--", hydra, "echo")


def test_cores_of_a_host_come_with_the_numbers_of_their_processors(
    mapped: Mapped, hydra: str, tmp_path: Path
) -> None:
    core = '<object type="Core"><object type="PU" os_index="{}"/></object>'
    cache = '<object type="L3Cache">' + core.format(0) + core.format(2) + "</object>"
    other = '<object type="L3Cache">' + core.format(1) + core.format(3) + "</object>"
    file = text_file(
        tmp_path, f'<topology><object type="Machine">{cache}{other}</object></topology>'
    )
    command = mapped("--map", "--machine", f"hwloc:{file}", "--", hydra, "echo")
    assert machine_of(command)[-4:] == [
        "core localhost 0 0", "core localhost 2 0", "core localhost 1 1", "core localhost 3 1",
    ]  # fmt: skip


def test_in_an_allocation_the_scheduler_tells_the_switches_of_the_jobs_nodes(
    mapped: Mapped, hydra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = "SwitchName=s Level=0 Nodes=n[1-2]\\nSwitchName=t Level=0 Nodes=n[3-4]\\n"
    for name, text in {"srun": "", "scontrol": f"printf '{says}'"}.items():
        script(tmp_path / name, f"#!/bin/sh\n{text}\n")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[2-3]")
    assert machine_of(mapped("--map", "--", hydra, "echo")) == [
        "leadline-machine 1", "tree 2", "vertex 0 0", "vertex 1 0", "host n2 0", "host n3 1",
    ]  # fmt: skip
    script(tmp_path / "scontrol", "#!/bin/sh\necho No topology information available >&2\n")
    assert "LEADLINE_MAP_MACHINE" not in given(mapped("--map", "--", hydra, "echo"))
    torus = machine_of(mapped("--map", "--machine", "torus:2x2", "--", hydra, "echo"))
    assert torus[2:] == ["host n2 0", "host n3 1"]


def test_machine_too_long_for_a_variable_is_in_a_file_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = "vertex 0\n" * 20_000
    value = exec.machine_value(text)
    assert value[0] == "@"
    assert Path(value[1:]).read_text() == text
    assert exec.machine_value(text) == value


# -- what can't be ---------------------------------------------------------------------------------


def test_malformed_coordinates_are_one_line_and_nodes_are_found_at_run_time(
    mapped: Mapped,
    hydra: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    file = text_file(tmp_path, "a 0 0\nb 1 x\n")
    command = mapped("--map", "--machine", f"coordinates:{file}", "--", hydra, "echo")
    assert given(command) == {"LD_PRELOAD": OUR, "LEADLINE_MAP_REACHES": "all"}
    assert capsys.readouterr().err.replace(file, "FILE") == snapshot


def test_launcher_that_is_not_known_runs_as_it_is(
    mapped: Mapped, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert mapped("--map", "--", "/bin/echo", "2") == Command(("/bin/echo", "2"), {})
    assert capsys.readouterr().err == snapshot


def test_library_that_cannot_be_built_or_loaded_leaves_the_command_as_it_was(
    mapped: Mapped,
    hydra: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    def fails(compiler: Path, environment: Mapping[str, str]) -> Path:
        raise BuildError(["mpicc", "entries.c"], "error: no mpi.h\nand more")

    builds = "leadline.mapping.preload.build.preload_library"
    monkeypatch.setattr(builds, fails)
    assert mapped("--map", "--", hydra, "echo") == Command((hydra, "echo"), {})
    monkeypatch.setattr(builds, lambda compiler, environment: Path("/my cache/map.so"))
    assert mapped("--map", "--", hydra, "echo") == Command((hydra, "echo"), {})
    assert capsys.readouterr().err.splitlines() == snapshot


@pytest.mark.parametrize(
    "words",
    [
        ("--map", "hop", "--", "true"),
        ("--map", "load", "mpiexec", "-n", "2"),
        ("--map", "--machine", "coordinates:/no/such", "--", "true"),
        ("--map", "--machine", "torsu:2x2", "--", "true"),
        ("--map", "--machine", "torus:2+hwloc:x", "--", "true"),
        ("--map", "--permutation-out", "/", "--", "true"),
        ("--map", "--permutation-out", "no/p.csv", "--", "true"),
        ("--map", "--simulate", "cray-t3e-900", "true"),
        ("--machine", "torus:2x2", "--", "true"),
        ("--map-report", "--", "true"),
        ("--map", "--npes", "2", "--", "true"),
        ("--map", "--"),
    ],
    ids=" ".join,
)
def test_what_is_wrong_in_the_command_is_one_line_and_status_2(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["exec", *words]) == 2
    output = capsys.readouterr().err
    assert output == snapshot
    assert output.count("\n") == 1


def test_launcher_in_the_metrics_place_is_told_where_it_belongs(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(SystemExit):
        main(["exec", "--map", "mpiexec", "-n", "2", "true"])
    assert capsys.readouterr().err.splitlines()[-1] == snapshot
