"""What a compiler wrapper is found to be, and what it is called."""

from __future__ import annotations

from pathlib import Path

from tests.support.fake_library import (
    library,
)
from tests.support.refused_wrappers import refusal

# -- what can't be used ----------------------------------------------------------------------------


def test_wrapper_that_is_not_executable_is_refused(bare_machine: Path) -> None:
    mpicc = library(bare_machine)
    mpicc.chmod(0o644)
    reason, remedy = refusal(mpicc)
    assert "not executable" in reason
    assert remedy == f"chmod +x {mpicc}"
