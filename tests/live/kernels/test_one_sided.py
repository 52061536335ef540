"""One-sided operations keep their contract over shared memory, null and every MPI library."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from harness.contracts import NULL, contract, linked_with, said_where_absent
from harness.kernels import local_backend
from harness.ranks import launched, said_by_rank_0
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.backends.backend import Backend
from leadline.backends.kinds import INSTALLABLE


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_shared_memory_keeps_the_contract(ranks: int) -> None:
    """Odd numbers of ranks sanitised."""
    program = contract("one_sided", local_backend("shm"), sanitised=ranks % 2 == 1)
    output = said_by_rank_0(program, ranks)
    assert numbers(output)[1] == str(ranks)


def test_null_makes_the_calls_and_moves_nothing() -> None:
    said_by_rank_0(contract("one_sided", local_backend("null"), sanitised=True), 3)


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("checks", ["one_sided", "orders"])
@pytest.mark.parametrize("kind", INSTALLABLE)
def test_mpi_libraries_keep_the_contract(
    kind: str, checks: str, ranks: int, installed_backends: Mapping[str, Backend]
) -> None:
    backend = installed_backends[kind]
    ending = launched(contract(checks, backend), ranks, backend)
    assert ending.status == 0, ending.output


CALLS = {
    "put": "tp_put(0, 0, 0, 0)",
    "get": "tp_get(0, 0, 0, 0)",
    "put_flag": "tp_put_flag(0, 0, 0, 0, 0, 0)",
    "fetch_add": "tp_fetch_add(0, 0, 0)",
    "compare_swap": "tp_compare_swap(0, 0, 0, 0)",
}


@pytest.mark.parametrize("operation", CALLS)
def test_operation_is_absent_where_the_backend_has_none(
    operation: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    assert said_where_absent(operation, CALLS[operation], tmp_path) == snapshot


def test_backend_with_some_one_sided_operations_and_not_others_does_not_link(
    tmp_path: Path,
) -> None:
    half = NULL + "\nvoid tp_quiet(void)\n{\n}\n"
    program, errors = linked_with(half, "put", CALLS["put"], tmp_path)
    assert not program.exists()
    assert "multiple definition" in errors
