"""What a batch system says of the switches between its nodes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.fake_library import script

from leadline.hosts.network import switches_of
from leadline.hosts.schedulers import SLURM, BatchJob

JOB = BatchJob(SLURM, "1", "srun", ("a", "b"), "a")


@pytest.mark.parametrize(
    ("says", "heard"),
    [
        ("echo SwitchName=s Level=0 Nodes=a,b", "SwitchName=s Level=0 Nodes=a,b\n"),
        ("echo scontrol: error: No topology information available >&2", ""),
        ("echo SwitchName=s; exit 1", ""),
    ],
)
def test_switches_are_what_scontrol_says_if_it_knows_any(
    says: str, heard: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "scontrol", f'#!/bin/sh\n[ "$*" = "show topology" ] && {says}\n')
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert switches_of(JOB) == heard
