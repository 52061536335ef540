"""Closed forms of what was simulated for a paper, and the limits that follow from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from leadline.papers.collectives.closed_forms import MOST, NODES
from leadline.papers.recipe import ReproducedForm
from leadline.report.document import Section, Table
from leadline.report.text.closed_forms import expression
from leadline.report.text.phrases import MISSING
from leadline.units import format_bandwidth

COLUMNS = ("", f"R_inf({MOST})\nby form", "by slope", "off", "T(m, p)")
MEANINGS = (
    f"Fitted to simulated times on {NODES[0]} to {MOST} nodes: m are a message's bytes, p the "
    f"nodes. R_inf({MOST}) are the bytes delivered a second as messages grow, by the form, and by "
    "the slope of times at sizes beyond those that it was fitted to."
)
NOTHING_OFF = 0.0005
"""Less than that isn't told."""


def forms_sections(forms: Sequence[ReproducedForm]) -> Iterator[Section]:
    """A line an operation, machine by machine; nothing of none."""
    for machine, found in groupby(forms, lambda one: one.machine):
        table = Table(COLUMNS, tuple(map(_row, found)), prose=True)
        last = machine == forms[-1].machine
        yield Section(f"closed forms, {machine}", table, (MEANINGS,) if last else ())


def _row(form: ReproducedForm) -> tuple[str, ...]:
    return (
        form.operation.replace("_", " "),
        _rate(form.rate_bytes_per_s),
        _rate(form.slope_bytes_per_s),
        _off(form.deviation),
        "; ".join(expression(piece, NODES) for piece in form.pieces),
    )


def _rate(bytes_per_s: float | None) -> str:
    return MISSING if bytes_per_s is None else format_bandwidth(bytes_per_s)


def _off(deviation: float | None) -> str:
    if deviation is None:
        return MISSING
    return "0 %" if abs(deviation) < NOTHING_OFF else f"{100 * deviation:+.1f} %"
