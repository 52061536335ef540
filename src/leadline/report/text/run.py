"""A run as a document: one table per pattern, who is faster, and the ping-pong's numbers."""

from __future__ import annotations

from leadline.report.document import Section
from leadline.report.text.forms import form_sections
from leadline.report.text.measured import Measured
from leadline.report.text.notes import note_sections
from leadline.report.text.numbers import pingpong_sections, tail_sections
from leadline.report.text.overlaps import overlap_sections
from leadline.report.text.placements import placement_sections
from leadline.report.text.rates import rate_sections
from leadline.report.text.sweeps import sweep_sections
from leadline.report.text.times import curve_sections
from leadline.report.text.titles import run_title


def run_document(measured: Measured, by_ranks: bool = False) -> list[Section]:
    """Everything that `show` says about a run; `by_ranks`: against ranks in place of sizes."""
    if by_ranks:
        nothing = Section("nothing was measured with several numbers of ranks: run --ranks 2,3,4")
        return [
            run_title(measured),
            *(list(sweep_sections(measured.rows)) or [nothing]),
            *note_sections([measured.run], measured.caveats),
        ]
    return [
        run_title(measured),
        *(list(curve_sections(measured)) or [Section("nothing was measured")]),
        *tail_sections(measured.rows),
        *pingpong_sections(measured),
        *form_sections(measured.forms),
        *rate_sections(measured.rates),
        *overlap_sections(measured.overlaps),
        *placement_sections(measured.run.configurations),
        *note_sections([measured.run], measured.caveats),
    ]
