"""Closed forms of reproduced papers, as they are printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from syrupy.assertion import SnapshotAssertion
from tests.support.made_again import ring

from leadline.models.forms import Scaling, Term
from leadline.models.model import Coefficient, Piece
from leadline.papers.recipe import ReproducedForm
from leadline.report.formats.plain_text import text_lines
from leadline.report.text.reproduced import FORM_MEANINGS, reproduced_document
from leadline.statistics.estimate import Estimate

SCALINGS = Scaling.CONSTANT, Scaling.LOGARITHMIC


def form(machine: str, operation: str, rate: float | None) -> ReproducedForm:
    """40 us and 80 ns a byte a stage; beyond what was fitted 100 MB/s."""
    terms = [Term(one, per_byte) for per_byte in (False, True) for one in SCALINGS]
    values = [
        Coefficient(term, Estimate(value))
        for term, value in zip(terms, (0.0, 40e-6, 0.0, 80e-9), strict=True)
    ]
    return ReproducedForm(
        machine=machine,
        operation=operation,
        formula="b log2 p + d log2 p m",
        coefficients=(),
        pieces=(Piece(16, 1024, tuple(values), np.empty((0, 0))),),
        startup=Scaling.LOGARITHMIC,
        rate_bytes_per_s=rate,
        slope_bytes_per_s=None if rate is None else 100e6,
    )


FORMS = (
    form("ring-8", "alltoall", 102e6),
    form("ring-8", "bcast", 100.001e6),
    form("ring-16", "barrier", None),
)


def lines(width: int = 100) -> list[str]:
    return [
        line.text for line in text_lines(reproduced_document([replace(ring(), forms=FORMS)]), width)
    ]


def test_machine_has_a_table_with_an_operation_a_line(snapshot: SnapshotAssertion) -> None:
    tables = {
        one.heading: (one.table.columns, *one.table.rows)
        for one in reproduced_document([replace(ring(), forms=FORMS)])
        if one.table and any(form.machine in one.heading for form in FORMS)
    }
    assert tables == snapshot


def test_what_columns_mean_is_said_once_below_the_last() -> None:
    text = " ".join(" ".join(lines()).split())
    assert text.count(FORM_MEANINGS) == 1
    assert max(text.rindex(one.machine) for one in FORMS) < text.index(FORM_MEANINGS)


def test_tables_keep_within_80_columns() -> None:
    assert max(map(len, lines(80))) <= 80
