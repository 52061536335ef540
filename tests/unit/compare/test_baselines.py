from __future__ import annotations

from dataclasses import replace

import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion

from leadline.compare import baselines
from leadline.compare.analysis import Analysis
from leadline.compare.baselines import MOST_BASELINES, Contrasts
from leadline.errors import UsageError
from leadline.record.run import Buffers, Run

CELLS = [cell(8), cell(64)]


def one(variants: dict[str, float], path: str = "runs/one", cells: object = None) -> Run:
    """Each variant always takes its time, in every cell and block."""
    seconds = [[[time] * 8] * 2 for time in variants.values()]
    named = [configuration(name) for name in variants]
    return run_of_blocks(seconds, named, cells or CELLS, path)  # type: ignore[arg-type]


def contrasts_of(runs: list[Run], baseline: str | None, threshold: float) -> Contrasts:
    return baselines.contrasts_of([Analysis(run) for run in runs], baseline, threshold)


def test_every_library_and_then_every_raw_transport_is_a_baseline_once() -> None:
    run = one({"shm": 1e-6, "mpich": 2e-6, "impi": 3e-6})
    held = contrasts_of([run], None, 0.02).by_baseline
    assert [h.baseline for h in held] == ["mpich", "impi", "shm"]
    assert all(h.run == 0 and h.paired for h in held)
    candidates = [{curve.whole.candidate for curve in h.result.curves} for h in held]
    assert candidates == [{"impi"}, {"mpich"}, {"mpich", "impi"}]


def test_named_baseline_is_the_only_one() -> None:
    run = one({"shm": 1e-6, "mpich": 2e-6, "impi": 3e-6})
    assert [h.baseline for h in contrasts_of([run], "impi", 0.02).by_baseline] == ["impi"]
    with pytest.raises(UsageError, match=r"'imp'.*'impi'"):
        contrasts_of([run], "imp", 0.02)


def test_of_very_many_libraries_the_first_is_the_baseline() -> None:
    run = one({f"library{i}": 1e-6 for i in range(MOST_BASELINES + 1)})
    assert [h.baseline for h in contrasts_of([run], None, 0.02).by_baseline] == ["library0"]


def test_lone_library_has_nobody_to_be_held_to() -> None:
    assert contrasts_of([one({"mpich": 1e-6})], None, 0.02).by_baseline == ()


def test_later_runs_are_held_to_the_first_under_their_names() -> None:
    times = {"a": 1e-6, "b": 2e-6, "c": 3e-6}
    runs = [one({"mpich": time}, f"runs/{name}") for name, time in times.items()]
    held = contrasts_of(runs, None, 0.02).by_baseline
    assert [(h.run, h.paired, h.baseline) for h in held] == [(1, False, "a"), (2, False, "a")]
    wholes = [h.result.curves[0].whole for h in held]
    assert [(w.candidate, w.baseline) for w in wholes] == [
        ("mpich (b)", "mpich (a)"), ("mpich (c)", "mpich (a)"),
    ]  # fmt: skip
    assert [w.ratio for w in wholes] == pytest.approx([2, 3])


def test_runs_without_anything_in_common_are_a_warning(snapshot: SnapshotAssertion) -> None:
    cold = [replace(c, buffers=Buffers.COLD) for c in CELLS]
    runs = [one({"mpich": 1e-6}, "runs/a"), one({"mpich": 1e-6}, "runs/b", cold)]
    found = contrasts_of(runs, None, 0.02)
    assert found.by_baseline == ()
    assert [c.code for c in found.warnings] == ["not_compared"]
    assert found.warnings[0].cause == snapshot
