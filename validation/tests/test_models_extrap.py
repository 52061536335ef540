"""Extra-P's models beside ours: what the benchmark makes of its answers, without Extra-P."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.synthetic import Campaign, pingpong
from validation.models import extrap
from validation.models.extrap import MODELERS, OURS, Answer, Modelled, measure

from leadline.report.formats.extrap import ExtrapCurves

SIZES = [0, *(8 << i for i in range(12))]
CAMPAIGN = Campaign(["shm", "mpich"], [pingpong(size) for size in SIZES], batches=5)


def answer(curves: ExtrapCurves, sizes: Sequence[int], seconds: float | None) -> Answer:
    """What a program says that takes every message to need `seconds`."""
    model = Modelled(function="a", seconds=[seconds for _ in sizes])
    return {name: dict.fromkeys(curves.curves, model) for name in MODELERS}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    CAMPAIGN.write(tmp_path / "run")
    return tmp_path / "run"


def answering(monkeypatch: pytest.MonkeyPatch, *seconds: float | None) -> None:
    """Lets Extra-P answer so from each of its formats."""
    monkeypatch.setattr(
        extrap, "_asked",
        lambda curves, sizes: [answer(curves, sizes, one) for one in seconds],
    )  # fmt: skip


def test_every_other_size_is_held_out_of_both(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[ExtrapCurves, list[int]]] = []

    def keep(curves: ExtrapCurves, sizes: list[int]) -> list[Answer]:
        asked.append((curves, sizes))
        return [answer(curves, sizes, 1.0)] * 3

    monkeypatch.setattr(extrap, "_asked", keep)
    figures = measure(run)
    curves, sizes = asked[0]
    assert curves.coordinates == tuple((size,) for size in [*SIZES[1::2], SIZES[-1]])
    assert sizes == SIZES[2:-1:2]
    assert figures["sizes"] == [7, 5]
    rows = figures["rows"]
    assert isinstance(rows, list)
    assert [row["curve"] for row in rows] == ["shm->pingpong", "mpich->pingpong"]
    assert all(row[OURS][0] < 0.03 for row in rows)
    assert figures["curves closer than its best"] == "2 of 2"
    assert figures["reached"] is True


def test_formats_that_are_read_differently_are_told(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, 1.0, 1.0, 2.0)
    figures = measure(run)
    assert (figures["same models from each format"], figures["reached"]) == (False, False)


def test_points_without_a_value_are_counted_and_no_error(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, None, None, None)
    figures = measure(run)
    rows = figures["rows"]
    assert isinstance(rows, list) and all(row["default"] is None for row in rows)
    assert figures["without a value"] == {OURS: 0, **dict.fromkeys(MODELERS, 10)}
