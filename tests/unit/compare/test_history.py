from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.compare.history import (
    Choice,
    History,
    history_of,
    notable_changes,
    points_of,
)
from leadline.record.run import GridPlacement, Run
from leadline.store import Journal, finish

SIZES = (pingpong(8), pingpong(512))
FLAT = (0.0, 0.4, -0.3, 0.2, -0.5, 0.1, 0.5, -0.2, 0.3, -0.4, 0.25, -0.1)
"""Percent by which run after run differs."""


def metadata(day: int, **machine: Any) -> Mapping[str, Any]:
    return {
        "started": f"2026-11-{day + 1:02d}T06:00:00+0000",
        "machine": {"host": "node1", "cpu": "some", "kernel": "6.1", **machine},
    }


def runs(factors: list[float], **settings: Any) -> Iterator[Run]:
    """One run a day; all of its times are `factors` times those of the first."""
    for day, factor in enumerate(factors):
        campaign = Campaign(
            ["mpich"], SIZES, blocks=1, batches=3, slowdown={"mpich": factor}, **settings
        )
        yield replace(campaign.run(), path=f"r{day:02d}", metadata=metadata(day))


def levels(*percent: float) -> list[float]:
    """Six runs at each level, with the differences of FLAT."""
    level = [p for p in percent for _ in range(6)]
    return [1 + (a + b) / 100 for a, b in zip(level, FLAT * len(percent), strict=False)]


def history(found: Iterator[Run], choice: Choice | None = None) -> History:
    points = [point for run in found for point in points_of(Analysis(run), choice or Choice())]
    return history_of(points, 0.02)


def test_slowdown_at_the_end_is_found_with_its_interval() -> None:
    (series,) = history(runs(levels(0, 10))).trends
    (change,) = series.changes
    assert change.index == 6
    assert change.ratio.bounds is not None
    low, high = change.ratio.bounds
    assert 1.08 < low < change.ratio.value < high < 1.12
    assert series.slower_at_the_end


def test_slowdown_that_was_mended_is_no_longer_at_the_end() -> None:
    found = history(runs(levels(0, 10, 0)))
    assert [change.index for change in found.trends[0].changes] == [6, 12]
    assert found.exit_status == 0


def test_runs_whose_cores_were_far_are_a_series_of_their_own() -> None:
    found = [point for run in runs(levels(0, 80)) for point in points_of(Analysis(run), Choice())]
    core_latencies = [100.0] * 3 + [None] * 3 + [400.0] * 6
    told = [replace(p, core_latency_ns=ns) for p, ns in zip(found, core_latencies, strict=True)]
    near, far = history_of(told, 0.02).trends
    assert [(one.conditions.far, len(one.points)) for one in (near, far)] == [(False, 6), (True, 6)]
    assert history_of(told, 0.02).exit_status == 0
    assert history_of(found, 0.02).exit_status == 1  # the fault that is planted


def copying(found: Iterator[Run], **facts: Any) -> Iterator[Run]:
    """Every other of the runs copies otherwise; `facts` say who wanted it so."""
    for day, run in enumerate(found):
        (one,) = run.configurations
        told = replace(one, environment={"LEADLINE_SINGLE_COPY": ("none", "1m")[day % 2]})
        yield replace(run, configurations=(told,), metadata={**run.metadata, **facts})


@pytest.mark.parametrize(
    ("facts", "series"),
    [
        ({"chosen": {"mpich": ["LEADLINE_SINGLE_COPY"]}}, 1),
        ({"chosen": {}}, 2),
        ({"command": ["leadline", "run", "--backends", "shm"]}, 1),  # recorded before `chosen` was
        ({"command": ["leadline", "run", "--variant", "a=shm,env:LEADLINE_SINGLE_COPY=1m"]}, 2),
        ({}, 2),
    ],
)
def test_what_campaigns_chose_themselves_is_no_setting(facts: dict[str, Any], series: int) -> None:
    trends = history(copying(runs([1.0] * 4), **facts)).trends
    assert len(trends) == series


def test_runs_whose_ranks_are_laid_otherwise_form_no_series() -> None:
    laid = GridPlacement("pingpong", (1, 0), "internode", "nodes:2x1", 2.0, 2.0)
    other = replace(laid, pattern="halo")
    found = [
        *list(runs([1.0] * 3, placements={"mpich": (other,)})),
        *list(runs([1.0] * 9, placements={"mpich": (laid, other)}))[3:],
    ]
    trends = history(iter(found)).trends
    settings = {trend.conditions.settings: len(trend.points) for trend in trends}
    assert settings == {"": 3, laid.label: 6}


def test_speedup_is_a_change_but_no_slowdown() -> None:
    found = history(runs(levels(10, 0)))
    assert [change.ratio.value < 0.95 for change in found.trends[0].changes] == [True]
    assert found.exit_status == 0


def test_significant_change_within_the_threshold_is_none() -> None:
    assert history(runs(levels(0, 1.5))).trends[0].changes == ()


def test_changes_whose_interval_includes_none_are_undone() -> None:
    logs = np.log(levels(0, 0, 10))
    (change,) = notable_changes(logs, (6, 12), 0.02)
    assert change.index == 12
    assert notable_changes(np.array([0.0, 0.0, 0.5]), (2,), 0.02) == ()


def test_more_ranks_than_cores_never_decide_the_exit_status() -> None:
    found = history(runs(levels(0, 10), ranks=4))
    assert len(found.trends[0].changes) == 1
    assert found.exit_status == 0
    assert found.trends[0].warnings[0].code == "oversubscribed"


def test_too_few_runs_say_how_many_would_do() -> None:
    (warning,) = history(runs([1.0, 1.5, 1.5])).trends[0].warnings
    assert warning.code == "few_runs"
    assert numbers(warning.cause)[:2] == ["3", "12"]


@pytest.mark.parametrize(
    "change",
    [
        {"metadata": metadata(1, host="node2")},
        {"cells": (pingpong(8), pingpong(1000))},
    ],
    ids=["machine", "sizes"],
)
def test_runs_under_other_conditions_are_left_out_and_counted(change: dict[str, Any]) -> None:
    first, second = runs([1.0, 1.0])
    found = history(iter([first, replace(second, **change)]))
    assert found.trends == ()
    assert [c.code for c in found.warnings] == ["not_comparable"]


def test_kernel_may_change_within_a_series() -> None:
    first, second = runs([1.0, 1.0])
    found = history(iter([first, replace(second, metadata=metadata(1, kernel="6.8"))]))
    assert [point.kernel for point in found.trends[0].points] == ["6.1", "6.8"]


def test_value_of_a_run_is_the_geometric_mean_over_the_sizes_chosen() -> None:
    (run,) = runs([1.0])
    chosen: tuple[tuple[int, ...], ...] = ((8,), (512,), (8, 512))
    values = {sizes: next(points_of(Analysis(run), Choice(sizes=sizes))) for sizes in chosen}
    both = values[8, 512].mean_s
    assert both**2 == pytest.approx(values[8,].mean_s * values[512,].mean_s)


def test_choice_of_what_was_not_measured_has_no_point() -> None:
    (run,) = runs([1.0])
    assert list(points_of(Analysis(run), Choice(patterns=["bcast"]))) == []
    assert list(points_of(Analysis(run), Choice(variants=["openmpi"]))) == []


# -- the command -----------------------------------------------------------------------------------

Told = Callable[..., tuple[int, str]]


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Told:
    """Exit status and output of `leadline history WORDS` in a folder of twelve runs.

    From the seventh day on they are 10 % slower; names are in the reverse order of the days.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for day, factor in enumerate(levels(0, 10)):
        campaign = Campaign(["mpich"], SIZES, 1, 3, slowdown={"mpich": factor})
        directory = Path("all") / "deep" / f"r{11 - day:02d}"
        with Journal.create(
            directory, metadata(day, kernel="6.1" if day < 6 else "6.8")
        ) as journal:
            journal.add_cells(campaign.cells)
            journal.add_configuration(campaign.configurations[0])
            for slice_ in campaign.slices():
                journal.add_slice(slice_)
            journal.close(True)
        if day % 2:
            finish(directory)

    def tell(*words: str) -> tuple[int, str]:
        status = main(["history", *words])
        captured = capsys.readouterr()
        return status, captured.err if status == 2 else captured.out

    return tell


def test_runs_are_shown_in_order_of_their_start_with_the_change_beside(
    told: Told, snapshot: SnapshotAssertion
) -> None:
    status, printed = told("all")
    assert status == 1
    assert printed == snapshot


@pytest.mark.parametrize("width", [80, 100, 120])
def test_history_keeps_within_the_terminal(
    width: int, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    _, printed = told("all")
    assert max(map(len, printed.splitlines())) <= width
    heads = [line for line in printed.splitlines() if line.startswith("  run ")]
    assert [line.split() for line in heads] == [["run", "started", "version", "time", "change"]]


def test_latest_runs_alone_may_be_looked_at(told: Told, snapshot: SnapshotAssertion) -> None:
    status, printed = told("all", "--last", "6")
    assert status == 0
    assert printed == snapshot


def test_strict_objects_to_no_run_that_last_leaves_out(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = Path("all/deep/r07/journal.jsonl")
    damaged.write_bytes(damaged.read_bytes().replace(b'"visit":0', b'"visit":1', 1))
    assert main(["history", "all", "--last", "6", "--strict"]) == 0
    assert capsys.readouterr().err.startswith(f"journal_line: {damaged}:4: ")
    assert told("all", "--last", "9", "--strict")[0] == 4


def test_runs_that_do_not_say_when_they_were_started_are_counted(
    told: Told, snapshot: SnapshotAssertion
) -> None:
    Campaign(["mpich"], SIZES, blocks=1, batches=3).write(Path("all") / "undated")
    status, printed = told("all", "--json")
    assert status == 1
    assert [(one["code"], one["cause"]) for one in json.loads(printed)["warnings"]] == snapshot


def test_json_and_csv_tell_the_same(told: Told) -> None:
    report = json.loads(told("all", "--json")[1])
    rows = list(csv.DictReader(told("all", "--csv")[1].splitlines()))
    (series,) = report["series"]
    assert report["exit_status"] == 1
    assert [float(row["mean_s"]) for row in rows] == [p["mean_s"] for p in series["points"]]
    (changed,) = [row for row in rows if row["change"]]
    assert float(changed["change"]) == series["changes"][0]["ratio"]
    assert rows.index(changed) == series["changes"][0]["index"] == 6


@pytest.mark.parametrize(
    "words",
    [
        ["nowhere"],
        ["all", "--sizes", "7"],
        ["all", "--last", "1"],
        ["all", "--patterns", "a,,b"],
        ["all", "--threshold", "none"],
    ],
    ids=["nowhere", "sizes", "last", "patterns", "threshold"],
)
def test_bad_input_ends_with_one_line(
    told: Told, words: list[str], snapshot: SnapshotAssertion
) -> None:
    status, printed = told(*words)
    assert status == 2
    assert printed.count("\n") == 1
    assert printed == snapshot


def test_run_that_was_started_at_no_date_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    Journal.create(tmp_path / "odd", {"started": "yesterday"}).close(True)
    finish(tmp_path / "odd")
    assert main(["history", str(tmp_path)]) == 2
    left_out, error = capsys.readouterr().err.splitlines()
    assert left_out.startswith(f"unreadable: {tmp_path}/odd: ")
    assert "'yesterday'" in left_out
    assert error == snapshot


def test_run_that_cannot_be_read_is_left_out_and_named(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = json.loads(told("all", "--json")[1])
    for name, content in (("header", b"{}\n"), ("empty", b"")):
        (Path("all") / name).mkdir()
        (Path("all") / name / "journal.jsonl").write_bytes(content)
    journal = Path("all/deep/r11/journal.jsonl")
    journal.write_bytes(journal.read_bytes().replace(b'"visit":0', b'"visit":1', 1))
    assert main(["history", "all", "--json", "--strict"]) == 4
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    codes = [one["code"] for one in report["warnings"]]
    assert codes == ["journal_line", "unreadable", "unreadable", "not_comparable"]
    assert [line.split(": ")[:2] for line in captured.err.splitlines()] == [
        ["journal_line", "all/deep/r11/journal.jsonl:4"],
        ["unreadable", "all/empty/journal.jsonl:1"],
        ["unreadable", "all/header/journal.jsonl:1"],
    ]
    assert len(report["series"][0]["points"]) == len(whole["series"][0]["points"]) - 1
    assert told("all")[0] == 0  # eleven are too few to show what twelve do
