"""Ranks that the library didn't reach: those that it reached find out; nobody moves or waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.neighbours import Printed, build_c, start
from tests.support.preloaded import THREE_NODES, gain, messages_of, preloading
from tests.support.texts import lines_from, numbers

from leadline.backends.backend import Backend

MISSED = """#!/bin/sh
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
[ -z "$FOREIGN" ] || unset OMPI_UNIVERSE_SIZE
case " $MISSED " in *" $rank "*) unset LD_PRELOAD;; esac
SLURMD_NODENAME=n$(((rank + rank / 3) % 3)) exec "$@"
"""
"""Keeps the library from the ranks that MISSED lists; with FOREIGN hides that Open MPI's launcher
started them."""
PROMISED = {"LEADLINE_MAP_MACHINE": THREE_NODES, "LEADLINE_MAP_REACHES": "all"}


def run(
    backend: Backend,
    folder: Path,
    source: str,
    *words: str,
    environment: Mapping[str, str],
    ranks: int = 9,
) -> Printed:
    program, keeping = build_c(backend, folder, source), folder / "missed.sh"
    keeping.write_text(MISSED)
    keeping.chmod(0o755)
    return start(backend, keeping, ranks, environment, arguments=(str(program), *words))


@pytest.mark.parametrize(
    ("kind", "missed"),
    [
        ("mpich", "0"),
        ("mpich", "1 2 3 4 5 6 7 8"),
        ("openmpi", "4"),
        ("impi", "8"),
    ],
)
def test_program_of_which_some_ranks_lack_the_library_runs_as_without(
    kind: str,
    missed: str,
    installed_backends: Mapping[str, Backend],
    plain_surroundings: Callable[[str], Printed],
    tmp_path: Path,
    snapshot: SnapshotAssertion,
) -> None:
    backend = installed_backends[kind]
    around = preloading(backend) | {"LEADLINE_MAP_MACHINE": THREE_NODES, "MISSED": missed}
    plain = plain_surroundings(kind)
    done = run(backend, tmp_path, "surroundings.c", environment=around)
    assert (done.status, done.output) == (plain.status, plain.output) == (0, plain.output)
    assert [line for line in messages_of(done) if "warning" in line] == snapshot


def test_launcher_that_speaks_pmix_and_is_not_open_mpis_is_asked_for_no_names(
    installed_backends: Mapping[str, Backend], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """Slurm's keeps none, of which Open MPI 4.1 complains in eight lines."""
    backend = installed_backends["openmpi"]
    around = preloading(backend) | {"LEADLINE_MAP_MACHINE": THREE_NODES, "FOREIGN": "yes"}
    (line,) = messages_of(run(backend, tmp_path, "one_grid.c", "3", "3", environment=around))
    assert line == snapshot


def test_first_of_all_calls_may_be_one_in_which_nobody_waits(
    installed_backends: Mapping[str, Backend], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """MPI_Cart_map: ranks stay unless the user gives their word."""
    backend = installed_backends["mpich"]
    mapped = preloading(backend) | {"LEADLINE_MAP_MACHINE": THREE_NODES}
    done = run(backend, tmp_path, "map_first.c", environment=mapped)
    assert (done.status, done.output) == (0, "moved 0\n"), done.errors
    assert set(lines_from("leadline: warning: ", done.errors)) == snapshot
    done = run(
        backend, tmp_path, "map_first.c", environment=mapped | {"LEADLINE_MAP_REACHES": "all"}
    )
    assert done.status == 0, done.errors
    assert done.output != "moved 0\n"


def test_call_that_only_some_ranks_make_is_left_alone_on_request(
    installed_backends: Mapping[str, Backend], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """MPI_Cart_map is local by the standard; whoever waits in it for the others says how not to."""
    backend = installed_backends["mpich"]
    mapped = preloading(backend) | PROMISED
    alone = run(
        backend, tmp_path, "local_map.c", environment=mapped | {"LEADLINE_MAP_CART_MAP": "off"}
    )
    assert (alone.status, numbers(alone.output), messages_of(alone)) == (0, ["0", "0"], [])
    late = run(backend, tmp_path, "local_map.c", "late", environment=mapped)
    assert late.status == 0, late.errors
    (warning,) = (line for line in messages_of(late) if "warning" in line)
    assert warning == snapshot


def test_ranks_that_used_sessions_before_there_was_a_world_are_found_in_it(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    backend = installed_backends["mpich"]
    mapped = preloading(backend) | PROMISED
    done = run(backend, tmp_path, "sessions_first.c", environment=mapped)
    assert (done.status, done.output) == (0, "ranks 36\n"), done.errors
    assert gain(done, "MPI_Cart_create 3x3")


def test_ranks_of_two_worlds_stay_whatever_was_promised(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    """Spawned ranks are found by no notices, and nobody can say for them where they are."""
    backend = installed_backends["openmpi"]
    around = preloading(backend) | PROMISED
    mapped = run(backend, tmp_path, "merged.c", "1", ranks=3, environment=around)
    assert (mapped.status, mapped.output) == (0, "ranks 4\n"), mapped.errors
    assert not [line for line in messages_of(mapped) if "edges" in line]
