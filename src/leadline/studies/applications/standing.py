"""Who is the fastest of a program's libraries, and what the others take beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leadline.backends.kinds import is_raw
from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.curves import Comparison
from leadline.compare.sides import Side
from leadline.compare.verdict import Rows
from leadline.studies.applications.calls import ProgramChoice
from leadline.studies.applications.measured import RanProgram, wrong_result
from leadline.studies.results import Results


@dataclass(frozen=True, slots=True)
class ProgramStanding:
    """The libraries of a program on so many ranks, by their times."""

    fastest: str
    others: dict[str, Comparison]
    """By variant, the second first: what it takes beside the fastest one; limits are among them."""
    rivals: tuple[str, ...]
    """Libraries, no limits, by their times."""


def standing(
    results: Results, stage: str, program: ProgramChoice, ranks: int
) -> ProgramStanding | None:
    """None where no library has a time, and none of its solutions was wrong.

    Pairs of libraries have the verdicts that they have among all pairs.
    """
    analysis = results.analyses.get(stage)
    if analysis is None or (row := _row(analysis, program)) is None:
        return None
    sides = [
        side
        for side in _timed(analysis, ranks, row)
        if not wrong_result(results.runs[stage], RanProgram(stage, program, side.label, ranks))
    ]
    rivals = [side for side in sides if not is_raw(side.configuration.backend)]
    if not rivals:
        return None
    first = rivals[0]
    others = {
        side.label: analysis.curve(first, side, row, THRESHOLD, chosen=True).cells[0]
        for side in sides
        if side is not first
    }
    return ProgramStanding(first.label, others, tuple(side.label for side in rivals))


def _row(analysis: Analysis, program: ProgramChoice) -> Rows | None:
    found = [i for i, cell in enumerate(analysis.run.cells) if cell.pattern == program.label]
    return np.array(found[:1]) if found else None


def _timed(analysis: Analysis, ranks: int, row: Rows) -> list[Side]:
    mine = [
        side
        for side in analysis.sides
        if side.competes and side.configuration.ranks == ranks and side.measured(row).any()
    ]
    return sorted(mine, key=lambda side: float(side.centres[row[0]]))
