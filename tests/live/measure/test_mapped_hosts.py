"""Ranks laid on emulated hosts: as much less crosses the link between them as was planned."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root

from leadline.record.run import Run
from leadline.store import load

pytestmark = needs_root

SIZE_BYTES = 100_000


def messages_across(run: Run, variant: str) -> float:
    """How many messages of a repetition cross the busiest link in one direction, by its bytes."""
    strips, conditions = run.strips, run.conditions
    assert strips is not None
    assert conditions is not None
    number = [one.variant for one in run.configurations].index(variant)
    mine = (strips.configuration == number) & (strips.rank == 0)
    repetitions = strips.repetitions[mine] * strips.length[mine]
    return float(np.median(conditions.link_bytes[mine] / repetitions)) / SIZE_BYTES


@pytest.mark.parametrize("library", ["tcp", "mpich"])
def test_half_as_many_bytes_cross_the_link_where_half_as_many_edges_do(
    library: str, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with emulated_hosts() as hosts:
        words = (
            "--hosts", host_words(hosts), "--agent", str(hosts.agent), "--bind", "none",
            "--ranks", "8", "--patterns", "halo:2x4", "--sizes", f"{SIZE_BYTES}B",
            "--link-bound", "1Gbit",
            "--variant", f"default={library}", "--variant", f"mapped={library},map:internode",
            "--blocks", "2", "--budget", "4s", "--out", str(out),
        )  # fmt: skip
        command = ("timeout", "-k", "1", "100", sys.executable, "-m", "leadline", "run", *words)
        done = subprocess.run(
            inside(hosts, 0, *command), capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(out)
    assert not run.failures
    (laid,) = run.configurations[1].placement
    assert (laid.machine, laid.before, laid.after) == ("nodes:2x4", 8, 4)
    assert f"mapped lays {laid.label}, inter-node edges 8 -> 4" in done.stderr
    # 4 and 2; a slice's last messages may lie outside of the counters' readings, others' inside
    default, mapped = messages_across(run, "default"), messages_across(run, "mapped")
    assert 2.5 < default < 6
    assert 1.25 < mapped < 0.75 * default
