"""Campaigns over raw shared memory that are disturbed: planted run delay, and a busy process."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.campaigns import plan_for, run_campaign
from tests.support.kernels import variant

from leadline.compare.analysis import Analysis
from leadline.kernels.messages import Result
from leadline.measure.disturbed import FREE_RETRIES, RETRIES_A_VISIT
from leadline.measure.launch import Launch
from leadline.record.caveats import CaveatKind
from leadline.record.run import Run
from leadline.record.slices import DISTURBED_SHARE, UNKNOWN

SLOWER = 2
"""Not so much that a batch's number of repetitions would be called badly wrong."""
HOG = "import os\nos.sched_setaffinity(0, {0, 1})\nwhile True: pass"


def planted(result: Result, waited: float, slower: int = 1) -> Result:
    """`result` of a rank that waited for a core for this share of the time, and was slower.

    In which state the cores were, which changes by itself, isn't known of it.
    """
    around = replace(result.around, handover_ns=UNKNOWN)
    delay = int(waited * around.window_ns)
    batches = result.batches.copy()
    batches[:, 1] = batches[:, 0] + slower * (batches[:, 1] - batches[:, 0])
    return replace(result, around=replace(around, run_delay_ns=delay), batches=batches)


@pytest.fixture
def every_first_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is measured first is disturbed, and slower for it; what is taken again isn't."""
    measure, struck = Launch.measure, [True]

    def disturbed(launch: Launch, *order: object) -> list[Result]:
        results = measure(launch, *order)  # type: ignore[arg-type]
        waited, slower = (0.5, SLOWER) if struck[0] else (0.0, 1)
        struck[0] = not struck[0]
        return [planted(one, waited if one.rank else 0.0, slower) for one in results]

    monkeypatch.setattr(Launch, "measure", disturbed)


@pytest.mark.usefixtures("every_first_disturbed")
def test_slice_with_planted_run_delay_is_taken_again_and_the_retry_is_used(
    tmp_path: Path,
) -> None:
    variants = [variant("shm")]
    run, watching = run_campaign(
        tmp_path / "run", variants, plan_for(variants, "pingpong", (8,), 6)
    )
    assert run.strips is not None
    assert sorted(run.strips.attempt.tolist()) == [0, 0] * 6 + [1, 1] * 6  # all are kept
    assert len(watching.slices) == 6
    analysis = Analysis(run)
    medians = [attempt_medians(run, attempt) for attempt in (0, 1)]
    assert analysis.medians.seconds[0, 0] == pytest.approx(medians[1])
    assert not np.allclose(medians[0], medians[1])
    (row,) = analysis.summaries
    assert (row.circumstances.retaken, row.circumstances.disturbed) == (6, 0)
    assert CaveatKind.DISTURBED.code not in {caveat.code for caveat in row.warnings}


@pytest.fixture
def two_are_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that is measured the fourth and the seventh are in the other state, and slower."""
    measure, number = Launch.measure, itertools.count(1)

    def in_states(launch: Launch, *order: object) -> list[Result]:
        far = next(number) in (4, 7)
        results = measure(launch, *order)  # type: ignore[arg-type]
        slower, handover_ns = (SLOWER, 400) if far else (1, 100)
        return [handed(planted(one, 0.0, slower), handover_ns) for one in results]

    monkeypatch.setattr(Launch, "measure", in_states)


def handed(result: Result, handover_ns: int) -> Result:
    """`result` of a rank whose core handed a cache line over in so many nanoseconds."""
    return replace(result, around=replace(result.around, handover_ns=handover_ns))


@pytest.mark.usefixtures("two_are_far")
def test_slice_in_the_other_state_of_the_cores_is_taken_again_and_the_retry_is_used(
    tmp_path: Path,
) -> None:
    variants = [variant("shm")]
    run, _ = run_campaign(tmp_path / "run", variants, plan_for(variants, "pingpong", (8,), 6))
    assert run.strips is not None
    assert sorted(run.strips.attempt.tolist()) == [0, 0] * 6 + [1, 1] * 2  # all are kept
    analysis = Analysis(run)
    (row,) = analysis.summaries
    assert (row.handover_ns, row.blocks) == (100, 6)
    assert (row.circumstances.retaken, row.circumstances.outside_share) == (2, 0)
    expected = attempt_medians(run, 0)
    expected[3], expected[5] = attempt_medians(run, 1, (3, 5))
    assert analysis.medians.seconds[0, 0] == pytest.approx(expected)


def attempt_medians(run: Run, attempt: int, blocks: Sequence[int] = range(6)) -> list[float]:
    """Of each block, of its only visit, by hand."""
    chosen = (run.batches.attempt == attempt) & (run.batches.rank == 0) & (run.batches.flags == 0)
    messages = run.cells[0].messages_per_repetition
    times = run.batches.elapsed_ns * 1e-9 / (run.batches.repetitions * messages)
    return [float(np.median(times[chosen & (run.batches.block == b)])) for b in blocks]


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Processes that take turns on the ranks' cores, bound to neither."""
    started = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.wait()


def test_busy_process_beside_a_campaign_is_named_as_the_cause(tmp_path: Path) -> None:
    variants = [variant("shm")]
    plan = replace(plan_for(variants, "pingpong", (8,), 6), slice_s=0.02)
    with busy(2):
        run, _ = run_campaign(tmp_path / "run", variants, plan)
    (row,) = Analysis(run).summaries
    assert row.circumstances.run_delay_share is not None
    assert row.circumstances.run_delay_share > DISTURBED_SHARE
    assert row.circumstances.disturbed > 0
    assert 0 < row.circumstances.retaken <= FREE_RETRIES + RETRIES_A_VISIT * 6
    (caveat,) = (one for one in row.warnings if one.code == CaveatKind.DISTURBED.code)
    assert "waited for a core" in caveat.cause
