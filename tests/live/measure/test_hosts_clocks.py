"""Campaigns between hosts whose clocks are apart: isolated operations, and what was found.

What fits say, and what follows, is in tests/unit/measure/test_scripted_clocks.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root

from leadline.compare.analysis import Analysis
from leadline.record.run import Cadence, Run
from leadline.store import load

pytestmark = needs_root

AHEAD_S = 100_000


def campaign(out: Path, library: str, ahead_s: dict[int, int]) -> Run:
    """Barriers, isolated, and ping-pongs, streaming, between two hosts."""
    with emulated_hosts(2, clock_offsets_s=ahead_s) as hosts:
        words = (
            "--hosts", host_words(hosts), "--agent", str(hosts.agent), "--bind", "none",
            "--backends", library, "--patterns", "barrier,pingpong", "--sizes", "8",
            "--blocks", "2", "--budget", "2s", "--out", str(out),
        )  # fmt: skip
        command = ("timeout", "-k", "1", "100", sys.executable, "-m", "leadline", "run", *words)
        done = subprocess.run(
            inside(hosts, 0, *command), capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("clocks\n" in done.stdout) == (" apart" in done.stdout)
    run = load(out)
    assert not run.failures
    assert {one.cadence for one in run.cells} == {Cadence.ISOLATED, Cadence.STREAMING}
    return run


@pytest.mark.parametrize("library", ["tcp", "mpich"])
def test_hosts_whose_clocks_are_a_day_apart_begin_together(library: str, tmp_path: Path) -> None:
    run = campaign(tmp_path / "run", library, {2: AHEAD_S})
    (host,) = {fit.host for fit in run.clock_fits}
    assert host.endswith("2")
    for fit in run.clock_fits:
        # no reading is off by more than half of the way there and back
        assert abs(fit.offset_ns - AHEAD_S * 1e9) < max(1e9, fit.round_trip_ns)
    assert np.all(np.abs(run.batches.elapsed_ns) < 1e10)
    ends = {(fit.launch, fit.visit) for fit in run.clock_fits if fit.residual_ns >= 0}
    assert run.strips is not None
    isolated = [run.cells[k].cadence is Cadence.ISOLATED for k in run.strips.cell.tolist()]
    visits = zip(run.strips.launch.tolist(), run.strips.visit.tolist(), strict=True)
    assert {visit for visit, own in zip(visits, isolated, strict=True) if own} == ends


def test_hosts_that_share_a_clock_begin_together_without_a_fit(tmp_path: Path) -> None:
    run = campaign(tmp_path / "run", "tcp", {})
    assert run.clock_fits == ()
    assert {row.clock_residual_ns for row in Analysis(run).summaries} == {None}
