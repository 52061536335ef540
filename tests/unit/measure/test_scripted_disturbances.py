"""Slices that a disturbance spoils are taken again: loads and states of cores that are scripted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.scripted import Played, played, request

from leadline.compare.analysis import Analysis
from leadline.compare.pairs import compare_within
from leadline.compare.verdict import Verdict
from leadline.measure.slices import FREE_RETRIES, MOST_ATTEMPTS, RETRIES_A_VISIT
from leadline.record.run import Run
from leadline.record.warnings import WarningKind
from leadline.scripted.script import (
    Cores,
    LoadPeriod,
    NoiseModel,
    RankFault,
    ScriptedLibrary,
    Trouble,
)

CALM = ScriptedLibrary(noise=NoiseModel(batches=0.001, slices=0.0, launches=0.0))


def attempts(run: Run) -> Counter[tuple[int, int, int]]:
    """How often each (block, visit, configuration) was taken, of one cell."""
    assert run.strips is not None
    columns = (run.strips.block, run.strips.visit, run.strips.configuration, run.strips.attempt)
    slices = set(zip(*(column.tolist() for column in columns), strict=True))
    return Counter((block, visit, one) for block, visit, one, _ in slices)


def under_load(directory: Path, *loads: LoadPeriod, blocks: int = 6) -> Played:
    asked = request(blocks=blocks, budget_s=0.0)
    return played(directory, {"a": CALM}, asked=asked, loads=loads, mood=0.0)


def test_slice_that_waited_for_a_core_is_taken_again_and_the_retry_counts(tmp_path: Path) -> None:
    # a block takes 0.1 s: the load is there at the first attempt of block 2, and gone by the next
    calm = under_load(tmp_path / "calm")
    begin_s = float(np.unique(first_starts_s(calm.run))[2]) - 1000.0
    found = under_load(tmp_path / "run", LoadPeriod(begin_s - 0.021, begin_s + 0.001, 0.5))
    run = found.run
    assert attempts(run) == {(block, 0, 0): 1 + (block == 2) for block in range(6)}
    analysis = Analysis(run)
    (row,) = analysis.summaries
    assert (row.circumstances.retaken, row.circumstances.disturbed) == (1, 0)
    assert WarningKind.DISTURBED.code not in {warning.code for warning in row.warnings}
    assert analysis.medians.seconds[0, 0] == pytest.approx(1e-6 + 8 / 4e9, rel=0.01)


def first_starts_s(run: Run) -> list[float]:
    """When each block's first batch began."""
    return [
        float(run.batches.start_ns[run.batches.block == block].min()) * 1e-9
        for block in np.unique(run.batches.block)
    ]


def test_disturbed_slice_stays_where_taking_it_again_fails(tmp_path: Path) -> None:
    calm = under_load(tmp_path / "calm")
    begin_s = float(np.unique(first_starts_s(calm.run))[2]) - 1000.0
    load = LoadPeriod(begin_s - 0.021, begin_s + 0.001, 0.5)
    asked, falls = request(blocks=6, budget_s=0.0), RankFault(Trouble.CRASH, "a", at_s=begin_s)
    found = played(
        tmp_path / "run", {"a": CALM}, asked=asked, loads=(load,), mood=0.0, faults=(falls,)
    )
    assert attempts(found.run) == {(block, 0, 0): 1 for block in range(3)}
    (failure,) = found.run.failures
    assert failure.block == 2


def test_lasting_load_is_named_as_the_cause_and_retries_have_an_end(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    found = under_load(tmp_path / "run", LoadPeriod(0.0, 1e9, 0.5), blocks=20)
    taken = attempts(found.run)
    retries = sum(taken.values()) - len(taken)
    assert retries == FREE_RETRIES + RETRIES_A_VISIT * 20
    assert max(taken.values()) == MOST_ATTEMPTS
    (row,) = Analysis(found.run).summaries
    assert row.circumstances.run_delay_share == pytest.approx(0.5, abs=0.01)
    assert (row.circumstances.retaken, row.circumstances.disturbed) == (retries, 20)
    (warning,) = (one for one in row.warnings if one.code == WarningKind.DISTURBED.code)
    assert warning.cause == snapshot


def test_load_that_comes_and_goes_spoils_no_verdict(tmp_path: Path) -> None:
    libraries = {"a": CALM, "b": ScriptedLibrary(latency_s=1.1e-6, noise=CALM.noise)}
    loads = tuple(LoadPeriod(at_s, at_s + 0.4, 0.6) for at_s in (1.0, 3.0, 5.0, 7.0))
    run = played(tmp_path / "run", libraries, asked=request(budget_s=10.0), loads=loads).run
    result = compare_within(Analysis(run), "a", ["b"])
    (curve,) = result.curves
    assert curve.whole.judgement.verdict is Verdict.SLOWER
    assert curve.whole.effect is not None
    assert curve.whole.effect.value == pytest.approx(1.1, rel=0.005)


def test_number_of_attempts_is_one_where_ranks_outnumber_cores(tmp_path: Path) -> None:
    asked = request(patterns=("barrier",), ranks=(5,), blocks=4, budget_s=0.0)
    loads = (LoadPeriod(0.0, 1e9, 0.5),)
    run = played(tmp_path / "run", {"a": CALM}, asked=asked, loads=loads).run
    assert set(attempts(run).values()) == {1}
    assert run.configurations[0].oversubscribed


# -- two states of the cores -----------------------------------------------------------------------

STATES = Cores(factor=1.5, stays_s=0.7, far_share=0.2)


def in_two_states(directory: Path, cores: Cores, seed: int = 3) -> Run:
    asked = request(sizes=(8,), budget_s=10.0, precision=1e-9)
    return played(directory, {"a": CALM}, asked=asked, cores=cores, seed=seed, mood=0.0).run


def test_slice_in_the_other_state_is_taken_again(tmp_path: Path) -> None:
    run = in_two_states(tmp_path / "run", STATES)
    assert run.strips is not None
    assert run.conditions is not None
    handed = run.conditions.core_latency_ns
    far = handed == STATES.far_ns
    assert far.any()
    assert set(np.unique(handed).tolist()) == {STATES.near_ns, STATES.far_ns}
    assert run.strips.attempt.max() >= 1
    near_again = (run.strips.attempt > 0) & ~far
    assert near_again.any()


def test_times_are_those_of_the_state_that_most_visits_are_in(tmp_path: Path) -> None:
    analysis = Analysis(in_two_states(tmp_path / "run", STATES))
    (row,) = analysis.summaries
    assert row.core_latency_ns == STATES.near_ns
    assert row.time.value == pytest.approx(1e-6 + 8 / 4e9, rel=0.01)
    assert row.circumstances.states.far.visits > 0


def test_without_states_nothing_is_taken_again(tmp_path: Path) -> None:
    run = in_two_states(tmp_path / "run", Cores(factor=1.0, stays_s=1e12, far_share=0.001))
    assert set(attempts(run).values()) == {1}
