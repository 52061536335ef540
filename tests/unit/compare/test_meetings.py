"""How far hosts' clocks were apart in the visits of each cell, and when that is worth a warning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.compare.analysis import Analysis
from leadline.compare.meetings import clock_residuals
from leadline.record.run import Cadence, ClockFit, Run

FAST, SLOW = "mpich", "openmpi"


def fit(block: int, residual_ns: float, host: str = "node02", launch: int = 0) -> ClockFit:
    return ClockFit(host, block, 5000.0, 1e-6, residual_ns, 0, launch, 9, 20, 800)


def run_of(fits: Sequence[ClockFit]) -> Run:
    """Isolated barriers and streaming ping-pongs under two variants, whose launch is number 0."""
    run = Campaign((FAST, SLOW), (BARRIER, pingpong(8)), clock_fits=fits).run()
    assert run.strips is not None
    launch = np.where(run.strips.configuration == 0, np.int32(0), np.int32(1))
    return replace(run, strips=replace(run.strips, launch=launch))


def test_residual_of_a_cell_is_the_median_over_visits_of_the_largest_of_a_clock() -> None:
    fits = [fit(0, 10.0), fit(0, 90.0, "node03"), fit(1, 20.0), fit(2, 40.0), fit(2, -1.0)]
    found = clock_residuals(run_of(fits))
    assert found[0, 0] == 40.0


def test_streaming_cells_and_other_launches_have_none() -> None:
    run = run_of([fit(0, 10.0)])
    assert [one.cadence for one in run.cells] == [Cadence.ISOLATED, Cadence.STREAMING]
    assert np.isnan(clock_residuals(run)).tolist() == [[False, True], [True, True]]


def test_fits_of_earlier_formats_say_nothing() -> None:
    former = ClockFit("node02", 0, -1250.5, 1.5e-6, 80.0)
    assert np.isnan(clock_residuals(run_of([former]))).all()


@pytest.mark.parametrize(("share", "warned"), [(0.019, False), (0.021, True)])
def test_clocks_further_apart_than_two_per_cent_of_the_time_are_warned_of(
    share: float, warned: bool, snapshot: SnapshotAssertion
) -> None:
    time_s = Analysis(run_of([])).summaries[0].median_s
    row = Analysis(run_of([fit(0, share * time_s * 1e9)])).summaries[0]
    assert row.clock_residual_ns == pytest.approx(share * time_s * 1e9)
    assert ("clocks" in [one.code for one in row.warnings]) is warned
    if warned:
        (caveat,) = [one for one in row.warnings if one.code == "clocks"]
        assert caveat.cause == snapshot
