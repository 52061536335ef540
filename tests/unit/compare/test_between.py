from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.compare.analysis import Analysis
from leadline.compare.between import Apart, InRun, RunsApart, unpaired
from leadline.compare.pairs import compare_runs
from leadline.compare.verdict import Verdict, Why

SIZES = (pingpong(8), pingpong(512))


def night(day: int, factor: float = 1.0, version: str = "1", host: str = "node1") -> Analysis:
    """A run of that day; all times are `factor` times the usual ones."""
    run = Campaign(["mpich"], SIZES, batches=3, slowdown={"mpich": factor}).run()
    return Analysis(
        replace(
            run,
            path=f"night{day}",
            metadata={"started": f"2026-11-{day:02d}T06:00", "machine": {"host": host}},
            configurations=tuple(replace(c, version=version) for c in run.configurations),
        )
    )


def between(first: Analysis, second: Analysis, beside: Sequence[Analysis]) -> Apart | None:
    before, after = (InRun(one, one.sides[0]) for one in (first, second))
    return RunsApart(beside=tuple(beside)).between(before, after, SIZES)


def test_spread_is_that_of_runs_like_either(snapshot: SnapshotAssertion) -> None:
    # about 1, 1.02, 1.04 and 1.5 (whose version is the second's, and alone): 0.02
    old = [night(day, factor) for day, factor in ((1, 1.0), (2, 1.02), (3, 1.04), (4, 1.02))]
    new = night(9, 1.5, version="2")
    found = between(night(5), night(8, 1.6, version="2"), [*old, new])
    assert found is not None
    logs = np.log([1.0, 1.02, 1.04, 1.02])
    assert found.of(np.arange(2)).sizes == pytest.approx([logs.std(ddof=1)] * 3, rel=1e-3)
    assert found.of(np.arange(2)).freedom == 3
    assert unpaired((found.span, found.runs)).cause.partition("apart by ")[2] == snapshot


def test_what_was_changed_between_two_runs_alike_is_no_spread() -> None:
    nights = [night(day, 1.0 if day < 5 else 1.3) for day in range(1, 10)]
    found = between(nights[3], nights[4], [*nights[:3], *nights[5:]])
    assert found is not None
    assert found.of(np.arange(2)).sizes == pytest.approx([0] * 3, abs=1e-3)
    # of those in between nobody knows on which side of the change they are
    assert between(nights[1], nights[7], [*nights[2:7], nights[0], nights[8]]) is None


def copying(night: Analysis, way: str, chosen: bool) -> Analysis:
    """The same where copies were made so, as the campaign found best or as it was told."""
    told = {"mpich": ["LEADLINE_SINGLE_COPY"]} if chosen else {}
    (one,) = night.run.configurations
    set_so = (replace(one, environment={"LEADLINE_SINGLE_COPY": way}),)
    metadata = {**night.run.metadata, "chosen": told}
    return Analysis(replace(night.run, configurations=set_so, metadata=metadata))


@pytest.mark.parametrize("chosen", [True, False])
def test_what_campaigns_chose_themselves_makes_runs_no_less_alike(chosen: bool) -> None:
    nights = [copying(night(day), f"{day}k", chosen) for day in range(1, 9)]
    told = between(nights[3], nights[4], [*nights[:3], *nights[5:]])
    assert told is None or told.runs == 6
    assert (told is not None) is chosen
    warnings = compare_runs(nights[3], nights[4]).warnings
    differing = [one.cause for one in warnings if one.code == "hidden_difference"]
    assert len(differing) == (not chosen)


@pytest.mark.parametrize(
    "beside",
    [
        [night(day) for day in (1, 2, 3)],
        [night(day, host="node2") for day in range(1, 8)],
        [night(day, version="0") for day in range(1, 8)],
        [],
    ],
    ids=["few", "machine", "version", "none"],
)
def test_too_few_comparable_runs_tell_nothing(beside: Sequence[Analysis]) -> None:
    assert between(night(8), night(9, 1.5, version="2"), beside) is None
    result = compare_runs(
        night(8), night(9, 1.5, version="2"), known=RunsApart(None, tuple(beside))
    )
    assert {row.why for row in result.rows} == {Why.ONE_PAIR_OF_RUNS}
    assert result.exit_status == 3


def test_change_beyond_what_runs_differ_by_is_told_and_within_it_is_not() -> None:
    nights = tuple(night(day, 1 + day % 3 / 100) for day in range(1, 8))
    for factor, verdict in ((1.2, Verdict.SLOWER), (1.04, Verdict.UNDECIDED)):
        second = night(9, factor, version="2")
        result = compare_runs(night(8), second, known=RunsApart(beside=nights))
        assert result.curves[0].whole.verdict is verdict
        assert numbers(result.warnings[0].cause)[-1] == "7"
