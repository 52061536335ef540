"""Times, verification, communication, prediction and rank of every program over every library.

A prediction: T = T_null + sum of count * T_call(m): the time of the same program over no library,
in the same blocks, and of each call what its pattern takes: by its closed form, or where none fits,
on the line between the sizes measured. Bounds add up: what a model is wrong by it is wrong by in
every call.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from leadline.backends.kinds import is_raw
from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.circumstances import counted_rows
from leadline.compare.curves import Comparison
from leadline.compare.verdict import logarithms
from leadline.models.calls import ProgramCall
from leadline.models.fitted import fitted
from leadline.models.model import Model, NotFitted
from leadline.models.program import UnservedError, call_times
from leadline.papers.applications.stages import (
    ALONE,
    COMPUTING,
    CROWDED,
    OPTIONS,
    PARTS,
    PROGRAMS,
    ProgramChoice,
    program_calls,
)
from leadline.papers.estimates import Quantity, estimate
from leadline.papers.results import Measurand, Results, UnmeasuredError, uncrowded
from leadline.papers.study import MeasuredProgram
from leadline.record.run import Failure, Run
from leadline.record.slices import Verified
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, weighted_row_medians


@lru_cache(maxsize=1)
def _fits(analysis: Analysis) -> tuple[Model | NotFitted, ...]:
    return fitted(analysis, PARTS)


def predicted(results: Results, program: ProgramChoice, variant: str, ranks: int) -> Estimate:
    """Seconds of a repetition; UnmeasuredError says what there is no time of."""
    computing = results.counted(Measurand(PROGRAMS, COMPUTING, ranks, program.label))
    calls = program_calls(program, ranks)
    times = (
        _by_form(results, variant, ranks, call) or _between_sizes(results, variant, ranks, call)
        for call in calls
    )
    of_calls = (time.scaled(call.count) for time, call in zip(times, calls, strict=True))
    return _sum([estimate(computing), *of_calls])


def formless(results: Results, program: ProgramChoice, variant: str, ranks: int) -> list[str]:
    """Patterns of a program's calls that no closed form fits."""
    calls = program_calls(program, ranks)
    lacking = (call.pattern for call in calls if _by_form(results, variant, ranks, call) is None)
    return list(dict.fromkeys(lacking))


def _by_form(results: Results, variant: str, ranks: int, call: ProgramCall) -> Estimate | None:
    """None: no closed form was fitted."""
    models = [fit for fit in _fits(results.analyses[PROGRAMS]) if fit.variant == variant]
    if not models:
        return None
    try:
        whole = call_times(models, call, 1, np.array([ranks])).seconds[0]
    except UnservedError:
        return None
    return whole.scaled(1 / call.count)


def _between_sizes(results: Results, variant: str, ranks: int, call: ProgramCall) -> Estimate:
    """On the line from the size measured below the call's to that above; at the ends nearest."""
    place = Measurand(PROGRAMS, variant, ranks, call.pattern)
    known = results.sizes(place)
    if not known:
        raise UnmeasuredError(results.why(place))
    wanted, sizes = call.size.bytes, sorted(known)
    above = min(bisect_left(sizes, wanted), len(sizes) - 1)
    below = max(above - 1, 0)
    a, b = sizes[below], sizes[above]
    share = min(max((wanted - a) / (b - a), 0.0), 1.0) if b > a else 0.0
    ends = ((size, part) for size, part in ((a, 1 - share), (b, share)) if part > 0)
    return _sum([estimate(known[size]).scaled(part) for size, part in ends])


def _sum(estimates: Sequence[Estimate]) -> Estimate:
    """Values and bounds added up."""
    value, n = (
        math.fsum(estimate.value for estimate in estimates),
        min(estimate.n for estimate in estimates),
    )
    bounds = [estimate.bounds for estimate in estimates if estimate.bounds]
    if len(bounds) < len(estimates):
        return Estimate(value, n=n)
    low, high = (math.fsum(bound[k] for bound in bounds) for k in (0, 1))
    return Estimate(value, low, high, CONFIDENCE, n)


# -- measured --------------------------------------------------------------------------------------


WRONG = ("wrong_result", "wrong_byte")
"""Codes of failures that verification found."""
NORM = "norm"
WRONG_NORM = re.compile(rf"{NORM} ([0-9.e+-]+), expected ([0-9.e+-]+)")
"""In the messages of failures."""


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
    """All that were to be measured: by program, ranks and library.

    Libraries that have the program by their times; those without one come last.
    """

    def seconds(place: RanProgram) -> float:
        time = results.times.get(place.measurand)
        return estimate(time).value if time else math.inf

    for label, stage in product(labels(results), (ALONE, PROGRAMS, CROWDED)):
        run = results.runs.get(stage)
        if run is None or label not in {cell.pattern for cell in run.cells}:
            continue
        for ranks in results.pes(stage):
            programs = [
                RanProgram(stage, ProgramChoice.of(label), library, ranks)
                for library in libraries(results, stage)
                if not results.absent(stage, library, label)
            ]
            yield from sorted(programs, key=seconds)


def labels(results: Results) -> list[str]:
    """Labels of the programs that were to be measured, by name, then in order of arrival."""
    patterns = dict.fromkeys(cell.pattern for run in results.runs.values() for cell in run.cells)
    return [label for name in OPTIONS for label in patterns if label.partition(":")[0] == name]


def libraries(results: Results, stage: str, limits: bool = True) -> list[str]:
    """The variants of a stage that move messages, in its order; or those alone that are no limits.

    A limit is a raw backend.
    """
    run = results.runs.get(stage)
    moving = (c for c in run.configurations if c.backend != COMPUTING) if run else ()
    return list(dict.fromkeys(c.variant for c in moving if limits or not is_raw(c.backend)))


def measured_programs(results: Results) -> tuple[MeasuredProgram, ...]:
    """One for each place that was measured, or failed."""
    programs = (_program(results, place) for place in places(results))
    return tuple(program for program in programs if program is not None)


def _program(results: Results, place: RanProgram) -> MeasuredProgram | None:
    run, time = results.runs[place.stage], results.times.get(place.measurand)
    wrong = wrong_result(run, place)
    if time is None and not any(_failures(run, place)):
        return None
    prediction, why, spent = None, None, None
    try:
        prediction = foretold(results, place)
    except UnmeasuredError as lack:
        why = str(lack)
    with suppress(UnmeasuredError):
        spent = estimate(share(results, place))
    if wrong:  # what was seen in place of the published norm, unless something else was wrong
        match = WRONG_NORM.search(wrong.message)
        norm = Verified(NORM, float(match[2]), float(match[1])) if match else None
    else:
        norm = _norm(results.analyses[place.stage], place)
    return MeasuredProgram(
        name=place.program.name,
        problem=place.program.problem,
        variant=place.variant,
        ranks=place.ranks,
        seconds=estimate(time) if time and not wrong else None,
        mop=place.program.mop,
        verified=time is not None and not wrong,
        norm=norm,
        communication_share=spent,
        predicted=prediction,
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
    return next((failure for failure in _failures(run, place) if failure.code in WRONG), None)


def _failures(run: Run, place: RanProgram) -> Iterator[Failure]:
    """Failures of the place, or of the launch that it was to be measured in."""
    for failure in run.failures:
        configuration = run.configurations[failure.configuration]
        of_place = (configuration.variant, configuration.ranks) == (place.variant, place.ranks)
        cells = run.cells if failure.cell is None else (run.cells[failure.cell],)
        if of_place and place.program.label in {cell.pattern for cell in cells}:
            yield failure


def _norm(analysis: Analysis, place: RanProgram) -> Verified | None:
    """MG's residual, of the solution furthest from the published one; None: it has none."""
    wanted = place.variant, place.ranks, place.program.label
    checks = (
        analysis.circumstances[c][k].verified
        for c, over in enumerate(analysis.run.configurations)
        for k, cell in enumerate(analysis.run.cells)
        if (over.variant, over.ranks, cell.pattern) == wanted
    )
    return next((verified for verified in checks if verified and verified.quantity == NORM), None)


def right_time(results: Results, place: RanProgram) -> Quantity:
    """Seconds of a repetition; UnmeasuredError where there are none, or a solution was wrong."""
    if wrong_result(results.runs[place.stage], place):
        raise UnmeasuredError(results.why(place.measurand))
    return results.time(place.measurand)


def counted_time(results: Results, place: RanProgram) -> Quantity:
    """Likewise, as it takes part in answers: with a core for each rank."""
    return uncrowded(right_time(results, place), place.ranks)


# -- communication ---------------------------------------------------------------------------------


def share(results: Results, place: RanProgram) -> Quantity:
    """The share of a place's repetitions spent in communication, the mean over ranks, by blocks.

    Of a block the median over its visits, which count for as much as in its time.

    UnmeasuredError where it isn't known, or there was none.
    """
    analysis = results.analyses[place.stage]
    run, time = analysis.run, right_time(results, place)
    strips, conditions = run.strips, run.conditions
    if strips is None or conditions is None:
        raise UnmeasuredError("a record of what ranks spent")
    rows = counted_rows(strips, conditions, analysis.visits)
    over = [(c.variant, c.ranks) == (place.variant, place.ranks) for c in run.configurations]
    cells = [cell.pattern == place.program.label for cell in run.cells]
    of_place = np.array(over)[strips.configuration] & np.array(cells)[strips.cell]
    rows = rows[of_place[rows]]
    if not rows.size:
        raise UnmeasuredError(f"{place.variant}, {place.program.label}: a record of what it spent")
    weights = analysis.visits.weights[strips.configuration[rows][0], strips.cell[rows][0]]
    sums = np.zeros((2, *weights.shape, place.ranks))
    where = strips.block[rows], strips.visit[rows], strips.rank[rows]
    np.add.at(sums[0], where, conditions.communication_ns[rows])
    np.add.at(sums[1], where, conditions.repetitions_ns[rows])
    spent = np.divide(sums[0], sums[1], out=np.full(sums[0].shape, np.nan), where=sums[1] > 0)
    shares = weighted_row_medians(spent.mean(axis=2), weights)
    if not np.any(shares > 0):
        raise UnmeasuredError(f"{place.variant}, {place.program.label}: nothing was communicated")
    return Quantity(run.path, logarithms(shares), time.crowded)


# -- ranking ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProgramRanking:
    """The libraries of a program on so many ranks, by their times."""

    fastest: str
    others: dict[str, Comparison]
    """By variant, the second first: what it takes beside the fastest one; limits are among them."""
    rivals: tuple[str, ...]
    """Libraries, no limits, by their times."""


def ranking(
    results: Results, stage: str, program: ProgramChoice, ranks: int
) -> ProgramRanking | None:
    """None where no library has a time, and none of its solutions was wrong.

    Pairs of libraries have the verdicts that they have among all pairs.
    """
    analysis = results.analyses.get(stage)
    if analysis is None:
        return None
    rows = [i for i, cell in enumerate(analysis.run.cells) if cell.pattern == program.label]
    if not rows:
        return None
    row = np.array(rows[:1])
    timed = [
        side
        for side in analysis.sides
        if side.competes and side.configuration.ranks == ranks and side.measured(row).any()
    ]
    sides = [
        side
        for side in sorted(timed, key=lambda side: float(side.centres[row[0]]))
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
    return ProgramRanking(first.label, others, tuple(side.label for side in rivals))
