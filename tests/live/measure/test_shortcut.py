"""Known bytes between hosts of one machine: what interfaces sent is held to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.kernels import SANITISED, kernel
from harness.scripts import SLICE, obey, results


@pytest.mark.parametrize(("ranks", "share"), [(1, 1), (2, 1), (5, 2), (6, 2)])
def test_kernel_answers_without_batches_and_goes_on(ranks: int, share: int, tmp_path: Path) -> None:
    shortcut = f"shortcut id=1 share={share} next=70000 other=100"
    script = (shortcut, f"id=2 pattern=barrier {SLICE}")
    for rank, answers in enumerate(obey(kernel("shm", SANITISED), script, tmp_path, ranks, "")):
        found = results(answers)
        assert len(found[1].batches) == 0
        assert found[1].rank == rank
        assert found[1].around.window_ns > 0
        assert len(found[2].batches) > 0
