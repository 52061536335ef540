from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.compare import pairs
from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart
from leadline.compare.curves import Comparison, Curve
from leadline.compare.pairs import (
    NO_REGRESSION,
    REGRESSION,
    TOO_UNCERTAIN,
    ComparisonResult,
    exit_status,
)
from leadline.compare.sides import run_names
from leadline.compare.verdict import Judgement, Verdict
from leadline.errors import UsageError
from leadline.record.curve import CurveKey
from leadline.record.run import Buffers, Cell, GridPlacement, Run
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats

NAN = float("nan")
SIZES = (0, 8, 512, 4096)
PINGPONG = tuple(cell(size) for size in SIZES)


def seconds(times: Mapping[str, float], cells: int, blocks: int, seed: int) -> Floats:
    """Launches move all of a block alike by 30 %, noise each median by 0.4 %."""
    rng = np.random.default_rng(seed)
    launches = 0.3 * rng.standard_normal(blocks)
    shape = (len(times), cells, blocks)
    truth = np.array(list(times.values()))[:, None, None]
    return truth * np.exp(launches + 0.004 * rng.standard_normal(shape))


def run(
    times: Mapping[str, float],
    cells: Sequence[Cell] = PINGPONG,
    blocks: int = 8,
    seed: int = 0,
    **other: Any,
) -> Run:
    named = [configuration(name) for name in times]
    return run_of_blocks(seconds(times, len(cells), blocks, seed), named, cells, **other)


def compare_within(run: Run, *arguments: Any, **options: Any) -> ComparisonResult:
    return pairs.compare_within(Analysis(run), *arguments, **options)


def compare_runs(first: Run, second: Run, *arguments: Any, **options: Any) -> ComparisonResult:
    return pairs.compare_runs(Analysis(first), Analysis(second), *arguments, **options)


def codes(result: Any) -> list[str]:
    return [warning.code for warning in result.warnings]


# -- inside one run --------------------------------------------------------------------------------


def test_candidates_meet_the_baseline_at_every_size() -> None:
    result = compare_within(run({"mpich": 1e-3, "openmpi": 5e-4, "impi": 1.5e-3}), "mpich")
    assert [(row.candidate, row.size_bytes) for row in result.rows] == [
        (name, size) for name in ("openmpi", "impi") for size in SIZES
    ]
    assert {row.baseline for row in result.rows} == {"mpich"}
    assert [row.ratio for row in result.rows] == pytest.approx([0.5] * 4 + [1.5] * 4, rel=0.01)
    assert [c.whole.verdict for c in result.curves] == [Verdict.FASTER, Verdict.SLOWER]
    assert result.warnings == ()


def test_intervals_are_those_of_pairs_not_of_launches() -> None:
    row = compare_within(run({"mpich": 1e-3, "openmpi": 5e-4}), "mpich").rows[0]
    assert row.low is not None
    assert row.high is not None
    assert row.high / row.low < 1.02


def test_raw_backends_are_candidates_only_by_name() -> None:
    measured = run({"shm": 3e-4, "mpich": 1e-3, "openmpi": 5e-4})
    assert {row.candidate for row in compare_within(measured, "mpich").rows} == {"openmpi"}
    assert {row.candidate for row in compare_within(measured, "mpich", ["shm"]).rows} == {"shm"}
    assert {row.candidate for row in compare_within(measured, "shm").rows} == {"mpich", "openmpi"}


@pytest.mark.parametrize(("baseline", "candidates"), [("mpihc", None), ("openmpi", ["mpihc"])])
def test_unknown_variant_is_refused_with_the_nearest_name(
    baseline: str, candidates: list[str] | None
) -> None:
    measured = run({"mpich": 1e-3, "openmpi": 1e-3})
    with pytest.raises(UsageError, match=r"'mpihc'.*'mpich'"):
        compare_within(measured, baseline, candidates)


def test_nothing_to_compare_with_is_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as refused:
        compare_within(run({"mpich": 1e-3, "shm": 1e-3}), "mpich")
    assert str(refused.value) == snapshot


def test_only_equal_numbers_of_ranks_meet() -> None:
    named = [configuration(n, ranks=r) for r in (2, 4) for n in ("mpich", "openmpi")]
    times = seconds({"a": 1e-3, "b": 2e-3, "c": 1e-3, "d": 3e-3}, 4, 8, 0)
    result = compare_within(run_of_blocks(times, named, PINGPONG), "mpich")
    assert [(c.whole.ranks, round(c.whole.ratio or 0)) for c in result.curves] == [(2, 2), (4, 3)]


def test_cells_of_other_buffers_are_other_curves() -> None:
    cells = [cell(8), cell(64), cell(8, buffers=Buffers.COLD), cell(64, buffers=Buffers.COLD)]
    result = compare_within(run({"mpich": 1e-3, "openmpi": 1e-3}, cells), "mpich")
    assert [(c.whole.buffers, len(c.cells)) for c in result.curves] == [("echo", 2), ("cold", 2)]


def test_oversubscribed_is_shown_flagged_and_not_counted() -> None:
    named = [configuration("mpich"), configuration("openmpi", oversubscribed=True)]
    times = seconds({"mpich": 1e-3, "openmpi": 2e-3}, 4, 8, 0)
    result = compare_within(run_of_blocks(times, named, PINGPONG), "mpich")
    assert [row.ratio for row in result.rows] == pytest.approx([2] * 4, rel=0.01)
    assert {row.verdict for row in result.rows} == {Verdict.UNDECIDED}
    assert codes(result) == ["oversubscribed"]
    assert exit_status(result.curves) == TOO_UNCERTAIN


def test_few_blocks_give_ratios_without_intervals_and_say_so() -> None:
    result = compare_within(run({"mpich": 1e-3, "openmpi": 5e-4}, blocks=5), "mpich")
    row = result.rows[0]
    assert row.ratio == pytest.approx(0.5, rel=0.01)
    assert (row.low, row.high, row.verdict, row.blocks) == (None, None, Verdict.UNDECIDED, 5)
    assert codes(result) == ["few_blocks"]
    assert set(numbers(result.warnings[0].remedy)) == {"8"}  # 5 tests want 8, an interval 6


def test_an_interrupted_run_says_so() -> None:
    result = compare_within(run({"mpich": 1e-3, "openmpi": 1e-3}, complete=False), "mpich")
    assert codes(result) == ["incomplete"]


def test_a_size_that_failed_under_the_candidate_stays_in_sight() -> None:
    times = seconds({"mpich": 1e-3, "openmpi": 1e-3}, 4, 8, 0)
    times[1, 2] = NAN
    named = [configuration("mpich"), configuration("openmpi")]
    result = compare_within(run_of_blocks(times, named, PINGPONG), "mpich")
    assert [row.ratio is None for row in result.rows] == [False, False, True, False]
    assert exit_status(result.curves) == TOO_UNCERTAIN


def test_a_size_that_neither_has_is_left_out() -> None:
    times = seconds({"mpich": 1e-3, "openmpi": 1e-3}, 4, 8, 0)
    times[:, 2] = NAN
    named = [configuration("mpich"), configuration("openmpi")]
    result = compare_within(run_of_blocks(times, named, PINGPONG), "mpich")
    assert [row.size_bytes for row in result.rows] == [0, 8, 4096]


@pytest.mark.parametrize(("algorithm", "message"), [("native", ["not_compared"]), ("absent", [])])
def test_a_missing_curve_is_named_unless_the_backend_has_no_such_pattern(
    algorithm: str, message: list[str]
) -> None:
    cells = [*PINGPONG, cell(8, "bcast")]
    times = seconds({"mpich": 1e-3, "openmpi": 1e-3}, 5, 8, 0)
    times[1, 4] = NAN
    other = configuration("openmpi", algorithms={"bcast": algorithm})
    result = compare_within(run_of_blocks(times, [configuration("mpich"), other], cells), "mpich")
    assert [curve.whole.pattern for curve in result.curves] == ["pingpong"]
    assert codes(result) == message


# -- library overhead ------------------------------------------------------------------------------


def test_tax_is_the_ratio_over_raw_shared_memory_at_the_smallest_payload() -> None:
    result = compare_within(run({"shm": 3e-4, "mpich": 9e-4, "openmpi": 4.5e-4}), "mpich")
    assert [(overhead.variant, overhead.size_bytes) for overhead in result.overheads] == [
        ("mpich", 8),
        ("openmpi", 8),
    ]
    assert [overhead.effect.value for overhead in result.overheads] == pytest.approx(
        [3, 1.5], rel=0.01
    )


def test_tax_of_a_pattern_without_sizes_is_at_zero_bytes() -> None:
    measured = run({"shm": 3e-4, "mpich": 9e-4, "openmpi": 4e-4}, [cell(0, "barrier")])
    assert [overhead.size_bytes for overhead in compare_within(measured, "mpich").overheads] == [
        0,
        0,
    ]


def test_raw_tcp_limits_only_libraries_that_send_through_it() -> None:
    measured = run({"shm": 3e-4, "tcp": 6e-4, "mpich": 9e-4, "openmpi": 4e-4})
    transports = {"shm": "shm", "tcp": "tcp loopback", "mpich": "ofi tcp", "openmpi": "ob1 sm"}
    over = [replace(c, transport=transports[c.variant]) for c in measured.configurations]
    overheads = compare_within(replace(measured, configurations=tuple(over)), "mpich").overheads
    assert [(t.raw, t.variant) for t in overheads] == [
        ("shm", "mpich"),
        ("shm", "openmpi"),
        ("tcp", "mpich"),
    ]


def test_raw_transport_laid_otherwise_limits_nothing() -> None:
    measured = run({"shm": 3e-4, "laid": 3e-4, "mpich": 9e-4, "impi": 9e-4})
    laid = GridPlacement("", (1, 0), "hops", "nodes:1x2", 1.0, 1.0)
    over = [
        replace(one, backend="shm", placement=(laid,)) if one.variant == "laid" else one
        for one in measured.configurations
    ]
    overheads = compare_within(replace(measured, configurations=tuple(over)), "mpich").overheads
    assert [(overhead.raw, overhead.variant) for overhead in overheads] == [
        ("shm", "mpich"),
        ("shm", "impi"),
    ]


def test_there_is_no_tax_without_raw_shared_memory() -> None:
    assert compare_within(run({"mpich": 9e-4, "openmpi": 4e-4}), "mpich").overheads == ()


# -- two runs --------------------------------------------------------------------------------------


def two(first: Mapping[str, float], second: Mapping[str, float], **other: Any) -> tuple[Run, Run]:
    quiet = [
        run_of_blocks(
            np.array(list(times.values()))[:, None, None]
            * np.exp(0.005 * np.random.default_rng(seed).standard_normal((len(times), 4, 8))),
            [configuration(name) for name in times],
            PINGPONG,
            f"runs/{path}",
        )
        for seed, (path, times) in enumerate({"before": first, "after": second}.items())
    ]
    return quiet[0], replace(quiet[1], **other)


def test_each_variant_meets_itself_in_the_other_run() -> None:
    both = two({"mpich": 1e-3, "impi": 1e-3}, {"impi": 1e-3, "mpich": 1.2e-3})
    result = compare_runs(*both, known=RunsApart(0.001))
    assert [(c.whole.baseline, c.whole.candidate) for c in result.curves] == [
        ("impi (before)", "impi (after)"),
        ("mpich (before)", "mpich (after)"),
    ]
    assert [c.whole.verdict for c in result.curves] == [Verdict.SAME, Verdict.SLOWER]
    assert exit_status(result.curves) == REGRESSION


def test_two_runs_say_that_they_are_not_paired() -> None:
    assert codes(compare_runs(*two({"mpich": 1e-3}, {"mpich": 1e-3}))) == ["unpaired"]


def test_who_is_alone_is_told_from_who_is_not_by_its_threads(snapshot: SnapshotAssertion) -> None:
    first, second = two({"mpich": 1e-3, "impi": 1e-3}, {"mpich": 1e-3})
    threads = replace(configuration("mpich"), threads=2)
    more = replace(first, configurations=(first.configurations[0], threads))
    assert [one.cause for one in compare_runs(more, second).warnings] == snapshot


def test_how_far_runs_lie_apart_is_told_where_it_was_not(snapshot: SnapshotAssertion) -> None:
    both = two({"mpich": 1e-3}, {"mpich": 1e-3})
    unknown = compare_runs(*both).warnings[0]
    stated = compare_runs(*both, known=RunsApart(0.01)).warnings[0]
    assert [unknown.cause, stated.cause] == snapshot
    assert "--between" not in stated.remedy


def test_runs_of_one_variant_each_are_compared_whatever_the_names() -> None:
    result = compare_runs(*two({"mpich": 1e-3}, {"openmpi": 1e-3}))
    assert [row.candidate for row in result.rows] == ["openmpi (after)"] * 4


def test_runs_without_a_common_variant_are_refused() -> None:
    with pytest.raises(UsageError, match=r"\(mpich, impi; openmpi\)"):
        compare_runs(*two({"mpich": 1e-3, "impi": 1e-3}, {"openmpi": 1e-3}))


def test_hidden_differences_are_footnoted(snapshot: SnapshotAssertion) -> None:
    first, second = two({"mpich": 1e-3}, {"mpich": 1e-3}, metadata={"machine": {"kernel": "6.8"}})
    result = compare_runs(first, second)
    assert codes(result) == ["unpaired", "hidden_difference"]
    assert result.warnings[1].cause == snapshot


def test_cells_are_matched_by_what_they_are_not_by_place() -> None:
    first = run_of_blocks([[[1e-3] * 8, [2e-3] * 8]], [configuration("mpich")], [cell(8), cell(64)])
    second = run_of_blocks(
        [[[2e-3] * 6, [1e-3] * 6, [9e-3] * 6]],
        [configuration("mpich")],
        [cell(64), cell(8), cell(9)],
        "runs/two",
    )
    result = compare_runs(first, second)
    assert [row.size_bytes for row in result.rows] == [8, 64]
    assert [row.ratio for row in result.rows] == pytest.approx([1, 1])
    assert codes(result) == ["unpaired", "unmatched_cells"]


def test_run_names_are_short_where_that_tells_them_apart() -> None:
    first, second = two({"mpich": 1e-3}, {"mpich": 1e-3})
    assert run_names((first, replace(second, path="runs/after/"))) == ("before", "after")
    assert run_names((first, replace(second, path="old/before"))) == ("runs/before", "old/before")


# -- exit status -----------------------------------------------------------------------------------


def curve(
    verdicts: Sequence[Verdict], whole: Verdict = Verdict.SAME, counted: bool = True
) -> Curve:
    def row(size: int | None, verdict: Verdict) -> Comparison:
        key = CurveKey("pingpong", 2, "echo", "streaming")
        return Comparison(
            key, size, "a", "b", Estimate(1.0, 0.9, 1.1, n=8), Judgement(verdict), counted
        )

    rows = tuple(row(size, verdict) for size, verdict in enumerate(verdicts))
    return Curve(rows, row(None, whole), (), ())


SAME, SLOWER, UNDECIDED = Verdict.SAME, Verdict.SLOWER, Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("curves", "status"),
    [
        ([curve([SAME] * 3)], NO_REGRESSION),
        ([curve([Verdict.FASTER] * 3, Verdict.FASTER)], NO_REGRESSION),
        ([curve([SAME] * 9 + [UNDECIDED])], NO_REGRESSION),
        ([curve([SAME] * 8 + [UNDECIDED])], TOO_UNCERTAIN),
        ([curve([SAME] * 9), curve([UNDECIDED])], NO_REGRESSION),
        ([curve([SAME] * 9), curve([SLOWER])], REGRESSION),
        ([curve([UNDECIDED] * 9 + [SLOWER])], REGRESSION),
        ([curve([SAME] * 9, whole=SLOWER)], REGRESSION),
        ([curve([SAME] * 9, whole=UNDECIDED)], NO_REGRESSION),
        ([curve([SLOWER], counted=False), curve([SAME])], NO_REGRESSION),
        ([curve([UNDECIDED], counted=False)], TOO_UNCERTAIN),
        ([], TOO_UNCERTAIN),
    ],
)
def test_exit_status(curves: list[Curve], status: int) -> None:
    assert exit_status(curves) == status


def test_exit_statuses_are_those_documented() -> None:
    assert (NO_REGRESSION, REGRESSION, TOO_UNCERTAIN) == (0, 1, 3)
