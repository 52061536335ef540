from __future__ import annotations

from dataclasses import replace

import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.compare.pairs import common_cells
from leadline.compare.warnings import (
    configuration_differences,
    inherited_differences,
    launcher_differences,
    library_differences,
    machine_differences,
    unmatched_cells,
)
from leadline.errors import UsageError
from leadline.record.run import Buffers, Cell, GridPlacement, Run


def run(*cells: Cell, path: str = "runs/one", **machine: object) -> Run:
    return run_of_blocks([[[]] * len(cells)], [configuration("mpich")], cells, path, machine)


def test_common_cells_are_equal_in_everything_and_in_the_first_runs_order() -> None:
    first, second = run(cell(8), cell(0), cell(64)), run(cell(0), cell(8), cell(9))
    assert common_cells(first, second) == (cell(8), cell(0))


def test_other_buffers_are_refused_and_named() -> None:
    first = run(cell(8), cell(64))
    second = run(cell(8, buffers=Buffers.SEPARATE), path="runs/two")
    with pytest.raises(UsageError, match=r"runs/one .*runs/two .*\(echo; separate\).*--buffers"):
        common_cells(first, second)


def test_runs_without_a_common_cell_are_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as refused:
        common_cells(run(cell(8)), run(cell(9)))
    assert str(refused.value) == snapshot


def test_cells_of_one_run_only_are_counted() -> None:
    (warning,) = unmatched_cells(run(cell(8), cell(0)), run(cell(8), cell(9), cell(10)))
    assert warning.code == "unmatched_cells"
    assert numbers(warning.cause)[0] == "3"
    assert list(unmatched_cells(run(cell(8)), run(cell(8)))) == []


def test_every_difference_of_the_machine_is_named_with_both_values(
    snapshot: SnapshotAssertion,
) -> None:
    first = run(cell(8), cores=2, kernel="Linux 6.1", governor="performance", load_1min=0.1)
    second = run(cell(8), cores=4, kernel="Linux 6.8", governor="powersave", load_1min=2.0)
    assert [warning.cause for warning in machine_differences(first, second)] == snapshot


def test_layout_of_the_machine_is_compared_where_both_know_it(snapshot: SnapshotAssertion) -> None:
    first, second = run(cell(8), sockets=1, network="eth0"), run(cell(8), sockets=2)
    (warning,) = machine_differences(first, second)
    assert warning.cause == snapshot


def told(**facts: object) -> Run:
    found = run(cell(8))
    return replace(found, metadata={**found.metadata, **facts})


def test_inherited_variables_that_differ_are_one_warning_with_all_values(
    snapshot: SnapshotAssertion,
) -> None:
    first = told(inherited={"UCX_TLS": "sm", "FI_PROVIDER": "tcp"})
    second = told(inherited={"FI_PROVIDER": "tcp", "I_MPI_PIN": "0"})
    (warning,) = inherited_differences(first, second)
    assert [warning.cause, warning.remedy] == snapshot
    assert list(inherited_differences(first, told())) == []


def test_library_that_was_built_otherwise_says_what_differs_first(
    snapshot: SnapshotAssertion,
) -> None:
    built = "MPICH Version: 5.0\nMPICH Device: {}\nMPICH CC: gcc"
    first = told(libraries={"mpich": built.format("ch4:ofi")})
    second = told(libraries={"mpich": built.format("ch4:ucx")})
    (warning,) = library_differences((first, "mpich"), (second, "mpich"))
    assert warning.cause == snapshot
    assert list(library_differences((first, "mpich"), (first, "mpich"))) == []
    assert list(library_differences((first, "mpich"), (told(), "mpich"))) == []


def started_by(launcher: str | None) -> Run:
    options = {} if launcher is None else {"launcher": launcher}
    found = run(cell(8))
    return replace(found, metadata={**found.metadata, "options": options})


def test_ranks_that_a_scheduler_started_differ_from_those_of_the_own_launcher(
    snapshot: SnapshotAssertion,
) -> None:
    (warning,) = launcher_differences(started_by("own"), started_by("srun"))
    assert warning.cause == snapshot
    assert list(launcher_differences(started_by("srun"), started_by("srun"))) == []
    assert list(launcher_differences(started_by("srun"), started_by(None))) == []


def test_unknown_differs_from_known_but_not_from_unknown() -> None:
    known, unknown = run(cell(8), governor="performance"), run(cell(8), governor=None)
    (warning,) = machine_differences(known, unknown)
    assert "(performance; unknown)" in warning.cause
    assert list(machine_differences(unknown, run(cell(8)))) == []


def test_settings_that_differ_are_named_and_the_version_is_not(snapshot: SnapshotAssertion) -> None:
    first = configuration("mpich", transport="shm", environment={"B": "2", "A": "1"})
    second = replace(first, version="2.0", transport="tcp", environment={}, binding=())
    causes = [warning.cause for warning in configuration_differences(first, second)]
    assert causes == snapshot
    assert list(configuration_differences(first, replace(first, version="2.0"))) == []


def test_placements_that_differ_are_named_also_where_only_their_slots_do(
    snapshot: SnapshotAssertion,
) -> None:
    laid = GridPlacement("halo", (1, 0), "slots.txt", "nodes:2x1", 2.0, 2.0)
    first = configuration("mpich")
    second = replace(first, placement=(laid,))
    (warning,) = configuration_differences(first, second)
    assert warning.cause == snapshot
    other = replace(first, placement=(replace(laid, slots=(0, 1)),))
    assert len(list(configuration_differences(second, other))) == 1
    assert list(configuration_differences(second, second)) == []
