"""Which libraries are taken of those that a machine has, by their names or by a wrapper's path."""

from __future__ import annotations

import pytest

from leadline.backends.discovery import select
from leadline.errors import UsageError, unknown_name


def test_unknown_name_that_is_near_none_is_refused_with_all() -> None:
    said = str(unknown_name("variant", "nonsense", ["openmpi", "mpich"]))
    assert said == "unknown variant 'nonsense'; choose from: mpich, openmpi"


def test_path_without_a_file_is_refused() -> None:
    with pytest.raises(UsageError, match="no such file"):
        select([], ["/nonexistent/mpicc"])
