"""Times, verification and communication of every program over every library."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from leadline.backends.kinds import is_raw
from leadline.compare.analysis import Analysis
from leadline.compare.circumstances import counted_rows
from leadline.compare.verdict import logarithms
from leadline.record.run import Failure, Run
from leadline.record.slices import Strips, Verified
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import weighted_row_medians
from leadline.statistics.permutation import Bools
from leadline.studies.applications.calls import OPTIONS, ProgramChoice
from leadline.studies.applications.predicted import predicted
from leadline.studies.applications.stages import ALONE, COMPUTING, CROWDED, PROGRAMS
from leadline.studies.estimates import Quantity, estimate
from leadline.studies.programs import MeasuredProgram
from leadline.studies.results import Measurand, Results, UnmeasuredError, uncrowded

WRONG = ("wrong_result", "wrong_byte")
"""Codes of failures that verification found."""
NORM = "norm"
WRONG_NORM = re.compile(rf"{NORM} ([0-9.e+-]+), expected ([0-9.e+-]+)")
"""As failures have it."""


@dataclass(frozen=True, slots=True)
class RanProgram:
    """A program over a library on so many ranks, in a stage."""

    stage: str
    program: ProgramChoice
    variant: str
    ranks: int

    @property
    def measurand(self) -> Measurand:
        """What its time is that of."""
        return Measurand(self.stage, self.variant, self.ranks, self.program.label)


def places(results: Results) -> Iterator[RanProgram]:
    """All that were to be measured: by program, ranks and library."""
    for label in labels(results):
        for stage in (ALONE, PROGRAMS, CROWDED):
            for ranks in results.pes(stage):
                mine = (
                    RanProgram(stage, ProgramChoice.of(label), one, ranks)
                    for one in libraries(results, stage)
                )
                yield from sorted(
                    (one for one in mine if _asked(results, one)), key=partial(_seconds, results)
                )


def _asked(results: Results, place: RanProgram) -> bool:
    """Whether the stage was to measure it, and the library can."""
    label = place.program.label
    cells = {cell.pattern for cell in results.runs[place.stage].cells}
    return label in cells and not results.absent(place.stage, place.variant, label)


def _seconds(results: Results, place: RanProgram) -> float:
    """To order libraries by; what has no time comes last."""
    time = results.times.get(place.measurand)
    return estimate(time).value if time else math.inf


def labels(results: Results) -> list[str]:
    """Of the programs that were to be measured, by name, then in order of arrival."""
    found = dict.fromkeys(cell.pattern for run in results.runs.values() for cell in run.cells)
    return [one for name in OPTIONS for one in found if one.partition(":")[0] == name]


def libraries(results: Results, stage: str, limits: bool = True) -> list[str]:
    """The variants of a stage that move messages, in its order; or those alone that are no limits.

    A limit is a raw backend.
    """
    run = results.runs.get(stage)
    moving = (c for c in run.configurations if c.backend != COMPUTING) if run else ()
    return list(dict.fromkeys(c.variant for c in moving if limits or not is_raw(c.backend)))


def measured_programs(results: Results) -> tuple[MeasuredProgram, ...]:
    """One for each place that was measured, or failed."""
    found = (_program(results, place) for place in places(results))
    return tuple(one for one in found if one is not None)


def _program(results: Results, place: RanProgram) -> MeasuredProgram | None:
    run, time = results.runs[place.stage], results.times.get(place.measurand)
    wrong = wrong_result(run, place)
    if time is None and not any(_failures(run, place)):
        return None
    told, why = None, None
    try:
        told = foretold(results, place)
    except UnmeasuredError as lack:
        why = str(lack)
    return MeasuredProgram(
        name=place.program.name,
        problem=place.program.problem,
        variant=place.variant,
        ranks=place.ranks,
        seconds=estimate(time) if time and not wrong else None,
        mop=place.program.mop,
        verified=time is not None and not wrong,
        norm=_wrong_norm(wrong) if wrong else _norm(results.analyses[place.stage], place),
        communication_share=_known_share(results, place),
        predicted=told,
        why_unpredicted=why,
        crowded=bool(time and time.crowded),
    )


def foretold(results: Results, place: RanProgram) -> Estimate:
    """What the models say of the place; UnmeasuredError where they don't."""
    if place.stage != PROGRAMS:
        raise UnmeasuredError(
            f"models of {place.ranks} rank{'s' * (place.ranks != 1)} with a core each"
        )
    return predicted(results, place.program, place.variant, place.ranks)


def wrong_result(run: Run, place: RanProgram) -> Failure | None:
    """The first check of its results that failed."""
    return next((one for one in _failures(run, place) if one.code in WRONG), None)


def _failures(run: Run, place: RanProgram) -> Iterator[Failure]:
    """Those of the place, or of the launch that it was to be measured in."""
    for failure in run.failures:
        configuration = run.configurations[failure.configuration]
        mine = (configuration.variant, configuration.ranks) == (place.variant, place.ranks)
        cells = run.cells if failure.cell is None else (run.cells[failure.cell],)
        if mine and place.program.label in {cell.pattern for cell in cells}:
            yield failure


def _norm(analysis: Analysis, place: RanProgram) -> Verified | None:
    """Of MG's residual, of the solution furthest from the published one; None: it has none."""
    wanted = place.variant, place.ranks, place.program.label
    found = (
        analysis.circumstances[c][k].verified
        for c, over in enumerate(analysis.run.configurations)
        for k, cell in enumerate(analysis.run.cells)
        if (over.variant, over.ranks, cell.pattern) == wanted
    )
    return next((one for one in found if one and one.quantity == NORM), None)


def _wrong_norm(failure: Failure) -> Verified | None:
    """What was seen in place of the published one; None: something else was wrong."""
    said = WRONG_NORM.search(failure.message)
    return Verified(NORM, float(said[2]), float(said[1])) if said else None


def right_time(results: Results, place: RanProgram) -> Quantity:
    """Seconds of a repetition; UnmeasuredError where there are none, or a solution was wrong."""
    if wrong_result(results.runs[place.stage], place):
        raise UnmeasuredError(results.why(place.measurand))
    return results.time(place.measurand)


def counted_time(results: Results, place: RanProgram) -> Quantity:
    """Likewise, as it takes part in answers: with a core for each rank."""
    return uncrowded(right_time(results, place), place.ranks)


# -- communication ---------------------------------------------------------------------------------


def _known_share(results: Results, place: RanProgram) -> Estimate | None:
    try:
        return estimate(share(results, place))
    except UnmeasuredError:
        return None


def share(results: Results, place: RanProgram) -> Quantity:
    """Of the time of a place's repetitions that in communication, the mean over ranks, by blocks.

    Of a block the median over its visits, which count for as much as in its time.

    UnmeasuredError where it isn't known, or there was none.
    """
    analysis = results.analyses[place.stage]
    run, time = analysis.run, right_time(results, place)
    strips, conditions = run.strips, run.conditions
    if strips is None or conditions is None:
        raise UnmeasuredError("a record of what ranks spent")
    mine = counted_rows(strips, conditions, analysis.visits)
    mine = mine[_of_place(run, strips, place)[mine]]
    if not mine.size:
        raise UnmeasuredError(f"{place.variant}, {place.program.label}: a record of what it spent")
    weights = analysis.visits.weights[strips.configuration[mine][0], strips.cell[mine][0]]
    sums = np.zeros((2, *weights.shape, place.ranks))
    where = strips.block[mine], strips.visit[mine], strips.rank[mine]
    np.add.at(sums[0], where, conditions.communication_ns[mine])
    np.add.at(sums[1], where, conditions.repetitions_ns[mine])
    spent = np.divide(sums[0], sums[1], out=np.full(sums[0].shape, np.nan), where=sums[1] > 0)
    shares = weighted_row_medians(spent.mean(axis=2), weights)
    if not np.any(shares > 0):
        raise UnmeasuredError(f"{place.variant}, {place.program.label}: nothing was communicated")
    return Quantity(run.path, logarithms(shares), time.crowded)


def _of_place(run: Run, strips: Strips, place: RanProgram) -> Bools:
    """Which strips are of the place."""
    mine = [(c.variant, c.ranks) == (place.variant, place.ranks) for c in run.configurations]
    cells = [cell.pattern == place.program.label for cell in run.cells]
    return np.asarray(np.array(mine)[strips.configuration] & np.array(cells)[strips.cell])
