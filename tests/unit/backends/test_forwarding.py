"""Variables given to ranks by the words of a launcher that somebody else wrote."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.backends.launchers.forwarding import (
    by_genv,
    by_inheritance,
    by_x,
    hostfile_named,
    hosts_named,
)
from leadline.errors import UsageError

OURS = {"LD_PRELOAD": "/our.so", "LEADLINE_MAP_METRIC": "load"}
NOTHING: dict[str, str] = {}


def test_hydra_gives_them_to_ranks_alone() -> None:
    command = by_genv(("mpiexec", "-n", "2", "app"), OURS, NOTHING)
    assert command.environment == {}
    assert command.argv == (
        "mpiexec", "-genv", "LD_PRELOAD", "/our.so", "-genv", "LEADLINE_MAP_METRIC", "load",
        "-n", "2", "app",
    )  # fmt: skip


def test_open_mpi_takes_values_from_the_environment_for_it_splits_them_at_semicolons() -> None:
    command = by_x(("mpirun", "-n", "2", "app"), OURS, NOTHING)
    assert command.environment == {"LEADLINE_MAP_METRIC": "load"}
    assert command.argv == (
        "mpirun", "-x", "LD_PRELOAD=/our.so", "-x", "LEADLINE_MAP_METRIC", "-n", "2", "app",
    )  # fmt: skip


def test_each_of_open_mpis_programs_gets_them() -> None:
    command = by_x(("mpirun", "-n", "1", "a", ":", "-n", "2", "b"), OURS, NOTHING)
    own = ("-x", "LD_PRELOAD=/our.so", "-x", "LEADLINE_MAP_METRIC")
    assert command.argv == ("mpirun", *own, "-n", "1", "a", ":", *own, "-n", "2", "b")


def test_srun_passes_on_its_environment() -> None:
    command = by_inheritance(("srun", "-n", "2", "--export=ALL,A=1", "app"), OURS, NOTHING)
    assert command.argv == ("srun", "-n", "2", "--export=ALL,A=1", "app")
    assert command.environment == OURS


def test_srun_that_names_variables_names_these_too() -> None:
    command = by_inheritance(("srun", "--export=PATH", "app"), OURS, NOTHING)
    assert command.argv == ("srun", "--export=PATH,LD_PRELOAD,LEADLINE_MAP_METRIC", "app")


def test_srun_that_gives_ranks_nothing_is_refused(snapshot: SnapshotAssertion) -> None:
    given = ["--export=NONE", "--export=nil"]
    told = refusals(
        lambda word: by_inheritance(("srun", word, "app"), OURS, NOTHING), given, UsageError
    )
    assert told == snapshot


@pytest.mark.parametrize("forward", [by_genv, by_x, by_inheritance])
@pytest.mark.parametrize(
    "theirs, all_of_them",
    [
        ("/libasan.so /tool.so", "/libasan.so:/tool.so:/our.so"),
        ("/tool.so:/lib/libmpi.so.40", "/tool.so:/our.so:/lib/libmpi.so.40"),
        ("/libmpichcxx.so::", "/our.so:/libmpichcxx.so"),
    ],
)
def test_what_is_preloaded_stays_before_ours_but_for_an_mpi(
    forward: object, theirs: str, all_of_them: str
) -> None:
    assert callable(forward)
    command = forward(("mpiexec", "app"), OURS, {"LD_PRELOAD": theirs})
    everything = [*command.argv, *command.environment.values()]
    (value,) = (word for word in everything if "/our.so" in word)
    assert value.removeprefix("LD_PRELOAD=") == all_of_them


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        ("-genv LD_PRELOAD /t.so", "-genv LD_PRELOAD /t.so:/our.so"),
        ("-genv LD_PRELOAD=/t.so", "-genv LD_PRELOAD=/t.so:/our.so"),
    ],
)
def test_what_hydras_words_preload_stays_and_is_said_once(given: str, becomes: str) -> None:
    command = by_genv(("mpiexec", *given.split(), "app"), OURS, {"LD_PRELOAD": "/inherited.so"})
    assert " ".join(command.argv) == f"mpiexec -genv LEADLINE_MAP_METRIC load {becomes} app"


def test_what_one_of_hydras_programs_preloads_stays_beside_that_for_all() -> None:
    words = ["mpiexec", "-n", "1", "a", ":", "-env", "LD_PRELOAD", "/t.so", "-n", "1", "b"]
    assert " ".join(by_genv(words, {"LD_PRELOAD": "/our.so"}, NOTHING).argv) == (
        "mpiexec -genv LD_PRELOAD /our.so -n 1 a : -env LD_PRELOAD /t.so:/our.so -n 1 b"
    )


@pytest.mark.parametrize(
    ("given", "becomes"),
    [("-x LD_PRELOAD=/t.so", "-x LD_PRELOAD=/t.so:/our.so"),
     ("-x LD_PRELOAD", "-x LD_PRELOAD=/inherited.so:/our.so")],
)  # fmt: skip
def test_what_open_mpis_words_preload_stays_and_is_said_once(given: str, becomes: str) -> None:
    command = by_x(("mpirun", *given.split(), "app"), OURS, {"LD_PRELOAD": "/inherited.so"})
    assert " ".join(command.argv) == f"mpirun -x LEADLINE_MAP_METRIC {becomes} app"


def test_option_at_the_very_end_is_left_alone() -> None:
    assert by_x(("mpirun", "-x"), {}, NOTHING).argv == ("mpirun", "-x")
    assert by_genv(("mpiexec", "-genv", "LD_PRELOAD"), {}, NOTHING).argv[1:] == (
        "-genv", "LD_PRELOAD",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "hosts"),
    [
        ("mpiexec -hosts b,a -n 2 app", ["b", "a"]),
        ("mpirun --host a:4,b:4 -n 8 app", ["a", "b"]),
        ("mpirun -H a,a,b app", ["a", "b"]),
        ("mpiexec -n 1 -host a x : -n 1 -host b y", ["a", "b"]),
        ("mpiexec -n 2 app", []),
        ("mpiexec -hosts", []),
    ],
)
def test_hosts_come_in_the_order_in_which_they_are_named(words: str, hosts: list[str]) -> None:
    assert hosts_named(words.split()) == hosts


def test_hostfile_is_the_first_that_is_named() -> None:
    assert hostfile_named(["mpiexec", "-f", "hosts", "-n", "2", "app"]) == "hosts"
    assert hostfile_named(["mpirun", "--hostfile", "h", "app", "-f", "x"]) == "h"
    assert hostfile_named(["mpirun", "app"]) is None
