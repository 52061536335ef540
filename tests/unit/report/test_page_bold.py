"""Whose times are bold on a page, and what is said below forms of too few blocks."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from harness.models import barrier, bcast
from harness.models import pingpong as link
from harness.synthetic import BASE_NS, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.cli import main
from leadline.models.fitted import Overview
from leadline.models.model import Model
from leadline.models.points import PredictedTime, fastest
from leadline.report.text.fitted import form_sections
from leadline.report.text.predicted import _fastest
from leadline.statistics.estimate import Estimate

BOLD = re.compile(r'<td class="heat\d tied">')
LIBRARIES = ("mpich", "openmpi")


def bold(folder: Path, campaign: Campaign) -> int:
    """How many times by library are bold."""
    campaign.write(folder / "run")
    assert main(["report", str(folder / "run"), "--out", str(folder / "run.html")]) == 0
    return len(BOLD.findall((folder / "run.html").read_text()))


def test_fastest_is_bold_where_a_verdict_says_so(tmp_path: Path) -> None:
    assert bold(tmp_path, Campaign(LIBRARIES, [pingpong(8), pingpong(512)])) == 2


def test_nobody_is_bold_where_nothing_is_decided(tmp_path: Path) -> None:
    assert bold(tmp_path, Campaign(LIBRARIES, [pingpong(8)], blocks=3)) == 0


def test_all_that_are_as_fast_are_bold(tmp_path: Path) -> None:
    alike = {"openmpi": BASE_NS["mpich"] / BASE_NS["openmpi"]}
    assert bold(tmp_path, Campaign(LIBRARIES, [pingpong(0)], blocks=40, slowdown=alike)) == 2


# -- forms -----------------------------------------------------------------------------------------


def notes(*models: Model) -> list[str]:
    return [note for one in form_sections(Overview(models, 0)) for note in one.notes]


def of_blocks(model: Model, blocks: int, start_s: float | None = None) -> Model:
    """`model` without intervals, of so many blocks, its first coefficient as given."""
    if start_s is not None:
        (family, (first, *others)), *rest = model.pieces
        low = replace(first.coefficients[0], value=Estimate(start_s))
        pieces = (replace(first, coefficients=(low, *first.coefficients[1:])), *others)
        model = replace(model, pieces=((family, pieces), *rest))
    return replace(model, blocks=blocks, scatter=None, residuals=None)


def test_forms_of_few_blocks_are_doubted(snapshot: SnapshotAssertion) -> None:
    messages = {
        "1 and 3 blocks": notes(of_blocks(link(), 1), of_blocks(bcast(), 3)),
        "2 blocks": notes(of_blocks(link(), 2), bcast()),
        "3 blocks, no start-up below zero": notes(of_blocks(barrier(), 3)),
    }
    assert messages == snapshot


def test_start_up_below_nought_gives_a_form_of_few_blocks_away(
    snapshot: SnapshotAssertion,
) -> None:
    assert notes(of_blocks(link(), 3, start_s=-4.9e-6)) == snapshot


def test_forms_with_intervals_are_not_doubted(snapshot: SnapshotAssertion) -> None:
    assert notes(link(), bcast(), barrier()) == snapshot


# -- predictions -----------------------------------------------------------------------------------


def predicted(variant: str, seconds: float) -> PredictedTime:
    subject = link()
    return PredictedTime(
        variant, "pingpong", subject.buffers, subject.cadence, 0, subject.origin, 2, 8,
        Estimate(seconds, 0.99 * seconds, 1.01 * seconds, 0.95, 8), False, False,
    )  # fmt: skip


@pytest.mark.parametrize("rivals", [("mpich", "openmpi"), ("mpich", "openmpi", "impi")])
def test_raw_transport_is_no_competitor_of_libraries_in_predictions(
    rivals: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    points = [
        predicted("shm", 1e-7),
        *(predicted(name, 1e-6 * i) for i, name in enumerate(rivals, 1)),
    ]
    assert list(_fastest(points)) == snapshot
    assert fastest(points)[0].label == "shm", "which it would be, were it one"


def test_library_beside_a_raw_transport_alone_has_nobody_to_beat() -> None:
    assert list(_fastest([predicted("shm", 1e-7), predicted("mpich", 1e-6)])) == []
