"""Ranks laid on emulated hosts: the run says how, and what crosses the link is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root

from leadline.store import load

pytestmark = needs_root

SIZE_BYTES = 100_000


@pytest.mark.parametrize("library", ["tcp", "mpich"])
def test_ranks_are_laid_so_that_half_as_many_edges_cross_the_link(
    library: str, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with emulated_hosts() as hosts:
        words = (
            "--hosts", host_words(hosts), "--agent", str(hosts.agent), "--bind", "none",
            "--ranks", "8", "--patterns", "halo:2x4", "--sizes", f"{SIZE_BYTES}B",
            "--link-bound", "1Gbit",
            "--variant", f"default={library}", "--variant", f"mapped={library},map:internode",
            "--blocks", "2", "--budget", "2s", "--out", str(out),
        )  # fmt: skip
        command = (
            "timeout",
            "-k",
            "1",
            str(PATIENCE_S),
            sys.executable,
            "-m",
            "leadline",
            "run",
            *words,
        )
        done = subprocess.run(
            inside(hosts, 0, *command), capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(out)
    assert not run.failures
    (laid,) = run.configurations[1].placement
    assert (laid.machine, laid.before, laid.after) == ("nodes:2x4", 8, 4)
    assert f"mapped lays {laid.label}, " in done.stderr and " 8 -> 4" in done.stderr
    assert run.conditions is not None
    assert (run.conditions.link_bytes > 0).any()
