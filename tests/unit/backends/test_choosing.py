"""Which libraries are taken of those that a machine has, by their names or by a wrapper's path."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.backends.discovery import select
from leadline.errors import UsageError, unknown_name


def test_unknown_name_that_is_near_none_is_refused_with_all(snapshot: SnapshotAssertion) -> None:
    assert str(unknown_name("variant", "nonsense", ["openmpi", "mpich"])) == snapshot


def test_path_without_a_file_is_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        select([], ["/nonexistent/mpicc"])
    assert str(caught.value) == snapshot
