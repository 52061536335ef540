"""What a batch system says of the switches between its nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline.hosts.network import switches_of
from leadline.hosts.schedulers import SLURM, BatchJob

JOB = BatchJob(SLURM, "1", "srun", ("a", "b"), "a")


def test_without_scontrol_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert switches_of(JOB) == ""
