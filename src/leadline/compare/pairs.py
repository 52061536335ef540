"""Comparison of candidates with a baseline: curves of ratios with verdicts, and warnings.

Inside one run the two are paired block by block; those of two runs are independent, which costs
precision and is reported. What wasn't measured has ratios, but no verdict unless a model is asked
for as reference. Only cells equal in pattern, size, buffers, cadence and definition of time are
compared. What is computed here is formatted in `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from leadline.backends.kinds import is_raw
from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.between import Apart, InRun, RunsApart, unpaired
from leadline.compare.curves import Comparison, Curve, Range, curve_of, grouped_by_curve
from leadline.compare.origins import MODELS, not_measured
from leadline.compare.overheads import Overhead
from leadline.compare.sides import (
    Side,
    comparable,
    contrast_between,
    pairing_of,
    repetitions,
    run_names,
    side_in_run,
    sides_called,
)
from leadline.compare.summaries import algorithm
from leadline.compare.verdict import Rows, Verdict, Why
from leadline.compare.warnings import (
    LINK_BOUND,
    OVERSUBSCRIBED,
    configuration_differences,
    disturbed_sides,
    few_blocks,
    handed_over_sides,
    inherited_differences,
    launcher_differences,
    library_differences,
    machine_differences,
    state_differences,
    unfinished,
    unmatched_cells,
)
from leadline.errors import UsageError, unknown_name
from leadline.record.run import Buffers, Cell, Configuration, Run
from leadline.record.warnings import RunWarning, WarningKind, warning_of

LARGEST_UNDECIDED_SHARE = 0.1
NO_REGRESSION, REGRESSION, TOO_UNCERTAIN = 0, 1, 3


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """Result of a comparison."""

    curves: tuple[Curve, ...]
    overheads: tuple[Overhead, ...]
    warnings: tuple[RunWarning, ...]
    lacking: bool = False
    """One side lacks what the other has, of what could have counted."""
    lone: bool = False
    """Two runs for which the spread of such runs isn't known: longer runs don't help either."""
    changed: bool = True
    """A library isn't the same on both sides: one run can measure both."""

    @property
    def exit_status(self) -> int:
        """Exit status of the curves; 3 instead of 0 where one side lacks what the other has."""
        status = exit_status(self.curves)
        return TOO_UNCERTAIN if self.lacking and status == NO_REGRESSION else status

    @property
    def rows(self) -> tuple[Comparison, ...]:
        """All cells of all curves."""
        return tuple(cell for curve in self.curves for cell in curve.cells)

    @property
    def counted(self) -> tuple[Comparison, ...]:
        """Rows that verdicts are about."""
        return tuple(row for row in self.rows if row.counted)

    @property
    def undecided(self) -> tuple[Comparison, ...]:
        """Counted rows without a verdict."""
        return tuple(row for row in self.counted if row.verdict is Verdict.UNDECIDED)

    @property
    def slowdowns(self) -> tuple[Range, ...]:
        """Ranges in which a candidate is slower, the largest ratio first.

        A whole curve stands for itself where none of its sizes is slower alone.
        """
        slower: list[Range] = []
        for curve in self.curves:
            ranges = [
                range_ for range_ in curve.ranges if range_.judgement.verdict is Verdict.SLOWER
            ]
            if not ranges and curve.whole.counted and curve.whole.verdict is Verdict.SLOWER:
                ranges = [Range((curve.whole,))]
            slower += ranges
        return tuple(sorted(slower, key=lambda range_: range_.highest.value, reverse=True))


def in_simulation(curves: Sequence[Curve]) -> bool:
    """Whether all ratios are of simulated times, and there are some."""
    ratios = [cell for curve in curves for cell in curve.cells if cell.ratio is not None]
    return bool(ratios) and all(cell.in_simulation for cell in ratios)


def exit_status(curves: Iterable[Curve]) -> int:
    """Exit status: 0 no regression; 1 a cell or a whole curve is slower; 3 too uncertain.

    3 means that over a tenth of cells are undecided. What doesn't count is passed over. Nothing
    left to count: 3, as nothing was shown; but 0 where all of it is between simulations, which have
    no verdict to wait for.
    """
    curves = tuple(curves)
    if in_simulation(curves):
        return NO_REGRESSION
    counted = [curve for curve in curves if curve.whole.counted]
    verdicts = [cell.verdict for curve in counted for cell in curve.cells if cell.counted]
    if Verdict.SLOWER in (*verdicts, *(curve.whole.verdict for curve in counted)):
        return REGRESSION
    undecided = verdicts.count(Verdict.UNDECIDED)
    if not verdicts or undecided > LARGEST_UNDECIDED_SHARE * len(verdicts):
        return TOO_UNCERTAIN
    return NO_REGRESSION


def compare_within(
    analysis: Analysis,
    baseline: str,
    candidates: Collection[str] | None = None,
    threshold: float = THRESHOLD,
    against_model: bool = False,
    chosen: bool = False,
) -> ComparisonResult:
    """Compare variants of one run with its variant `baseline`, block by block, ranks alike.

    `candidates` None: all others, but raw backends only with a raw one. `against_model`: a
    simulated or predicted side is taken as reference for a verdict on a measured one. `chosen`:
    the baseline is one of several, so all pairs of libraries are one family of tests.

    Raises:
        UsageError: the run doesn't have a name, or nothing is left to compare.
    """
    run = analysis.run
    names = (baseline, *(candidates or ()))  # labels or variants
    called = [sides_called(name, analysis.sides) for name in names]
    for name, sides in zip(names, called, strict=True):
        if not sides:
            known = dict.fromkeys(side.label for side in analysis.sides)
            raise unknown_name(f"variant of {run.path}", name, known)
    bases, *named = called
    others = [side for sides in named for side in sides]
    if candidates is None:
        raw = is_raw(bases[0].configuration.backend)
        others = [side for side in analysis.sides if raw or not is_raw(side.configuration.backend)]
    pairs = _alike(bases, [side for side in others if side not in bases])
    if not pairs:
        raise UsageError(f"{run.path} has no variant to compare with {baseline!r}; measure another")

    def judged(base: Side, other: Side, rows: Rows) -> Curve:
        return analysis.curve(base, other, rows, threshold, against_model, chosen)

    result = _curves(pairs, run.cells, analysis.curve_rows, judged, against_model)
    warnings = (*unfinished(run), *analysis.untimed, *result.warnings)
    return replace(result, overheads=analysis.overheads, warnings=warnings)


def compare_runs(
    first: Analysis,
    second: Analysis,
    threshold: float = THRESHOLD,
    names: tuple[str, str] | None = None,
    against_model: bool = False,
    known: RunsApart | None = None,
) -> ComparisonResult:
    """Compare each variant of `second` with the same variant of `first`, unpaired, ranks alike.

    Runs of one variant each are compared whatever the names. `names` are the two runs' (None:
    short ones); `against_model` is as in compare_within. `known` is how far runs lie apart where
    nothing was changed: without it nothing is decided.

    Raises:
        UsageError: no variant or no cell is in both, or only under other buffers.
    """
    runs = first.run, second.run
    cells = common_cells(*runs)
    before, after = first.sides_in(cells), second.sides_in(cells)
    pairs = _matched(before, after)
    if not pairs:
        seen = "; ".join(", ".join(s.label for s in sides) for sides in (before, after))
        raise UsageError(
            f"{runs[0].path} and {runs[1].path} have no variant with as many ranks in common "
            f"({seen}); measure the same --backends and --ranks"
        )
    before_name, after_name = names or run_names(runs)
    named = [
        (side_in_run(base, before_name), side_in_run(other, after_name)) for base, other in pairs
    ]

    spreads: list[Apart | None] = []

    def judged(base: Side, other: Side, rows: Rows) -> Curve:
        of_rows, sides = [cells[row] for row in rows], (base.at(rows), other.at(rows))
        pairing = pairing_of(base, other, rows, against_model)
        runs_apart = known or RunsApart()
        if repetitions(*sides):  # each block is a launch: other runs add no knowledge
            runs_apart = replace(runs_apart, beside=())
        apart = runs_apart.between(InRun(first, sides[0]), InRun(second, sides[1]), of_rows)
        spreads.append(apart)
        contrast = contrast_between(*sides, pairing.comparable, apart.of if apart else None)
        return curve_of(contrast, of_rows, pairing, threshold, first.seed)

    result = _curves(named, cells, grouped_by_curve(cells), judged, against_model)
    alone = _alone((before, after), pairs)
    changed = any(library_changed(runs, (a.configuration, b.configuration)) for a, b in pairs)
    warnings = [
        *_between_runs(runs, pairs, spreads, changed),
        *state_differences(first.visits.states, second.visits.states),
        *(_only_in(runs[place], side) for place, side in alone),
        *(
            replace(warning, cause=f"{analysis.run.path}: {warning.cause}")
            for analysis in (first, second)
            for warning in analysis.untimed
        ),
        *result.warnings,
    ]
    lacking = result.lacking or any(side.competes or against_model for _, side in alone)
    return replace(
        result,
        warnings=tuple(dict.fromkeys(warnings)),
        lacking=lacking,
        lone=unpaired(None, changed) in warnings,
        changed=changed,
    )


def _matched(before: Sequence[Side], after: Sequence[Side]) -> list[tuple[Side, Side]]:
    """Pairs of one variant, of one origin where both runs have it.

    Where each run has a single variant, among those measured if there are any, the two are compared
    whatever their names.
    """
    mains = [
        {side.label for side in sides if side.competes} or {side.label for side in sides}
        for sides in (before, after)
    ]
    single = all(len(names) == 1 for names in mains)
    alike = [
        pair
        for pair in _alike(before, after)
        if len({side.configuration.variant for side in pair}) == 1
        or (single and all(side.label in names for side, names in zip(pair, mains, strict=True)))
    ]
    same = {other.number for base, other in alike if _one_origin(base, other)}
    return [pair for pair in alike if pair[1].number not in same or _one_origin(*pair)]


def _one_origin(base: Side, other: Side) -> bool:
    return base.configuration.origin is other.configuration.origin


def _alone(
    sides: tuple[Sequence[Side], Sequence[Side]], pairs: Sequence[tuple[Side, Side]]
) -> list[tuple[int, Side]]:
    """Sides without a partner, each with its place, 0 or 1.

    A measured side needs a measured partner where the other run has any.
    """
    alone = []
    for place, (of_run, others) in enumerate((sides, sides[::-1])):
        wants = any(other.competes for other in others)
        partners = [
            pair[place].number
            for pair in pairs
            if pair[1 - place].competes or not (pair[place].competes and wants)
        ]
        alone += [(place, side) for side in of_run if side.number not in partners]
    return alone


def _alike(bases: Sequence[Side], others: Sequence[Side]) -> list[tuple[Side, Side]]:
    """All pairs with as many ranks and threads."""
    return [
        (base, other)
        for other in others
        for base in bases
        if base.configuration.key == other.configuration.key
    ]


def _between_runs(
    runs: tuple[Run, Run],
    pairs: Sequence[tuple[Side, Side]],
    spreads: Sequence[Apart | None],
    changed: bool,
) -> Iterator[RunWarning]:
    """Warn of what may be in the ratios of two runs besides what is under study.

    A model's machine differs, and is no earlier state of a machine: its origin shows that.
    """
    real = [p for p in pairs if not any(side.configuration.origin in MODELS for side in p)]
    every = dict.fromkeys((spread.span, spread.runs) if spread else None for spread in spreads)
    if all(repetitions(*pair) for pair in real):
        every.pop(None, None)
    elif not any(base.competes and other.competes for base, other in real):
        every.clear()
    yield from (unpaired(apart, changed) for apart in every)
    if real:
        yield from machine_differences(*runs)
        yield from launcher_differences(*runs)
        yield from inherited_differences(*runs)
    yield from unmatched_cells(*runs)
    yield from unfinished(*runs)
    for base, other in real:
        configuration, two = base.configuration, other.configuration
        yield from configuration_differences(runs[0].as_asked(configuration), runs[1].as_asked(two))
        if configuration.version == two.version:
            yield from library_differences((runs[0], configuration.variant), (runs[1], two.variant))


def _only_in(run: Run, side: Side) -> RunWarning:
    """Warning that `side` has no partner in the other run."""
    ranks, threads = side.configuration.key
    return warning_of(
        WarningKind.NOT_COMPARED,
        side=side.label,
        ranks=ranks,
        threads=str(threads) if threads > 0 else None,
        run=run.path,
    )


def _curves(
    pairs: Sequence[tuple[Side, Side]],
    cells: Sequence[Cell],
    curves: Sequence[Rows],
    judged: Callable[[Side, Side, Rows], Curve],
    against_model: bool,
) -> ComparisonResult:
    """Curves of all pairs, and their warnings, each of them once."""
    compared: list[Curve] = []
    warnings: list[RunWarning] = []
    lacking = False
    for base, other in pairs:
        decides = comparable(base, other, against_model)
        by_origin = (
            not_measured(side.configuration.origin, side.repeated) for side in (base, other)
        )
        warnings += filter(None, by_origin)
        for rows in curves:
            present = [side.measured(rows) for side in (base, other)]
            if not all(side.any() for side in present):
                missing = list(_missing(base, other, present, cells[rows[0]]))
                lacking |= decides and bool(missing)
                warnings += missing
                continue
            curve = judged(base, other, rows[present[0] | present[1]])
            # ranks may outnumber cores in cells that don't count, and in cells that do
            if any(
                circumstances.crowded
                for cell in curve.cells
                for circumstances in cell.circumstances
            ):
                warnings.append(OVERSUBSCRIBED)
            sides = (
                circumstances
                for cell in curve.cells
                if cell.counted
                for circumstances in cell.circumstances
            )
            if any(side.oversubscribed for side in sides):
                warnings.append(LINK_BOUND)
            warnings += curve.warnings
            lost = {c.why for c in curve.cells} == {Why.DISTURBED}  # a warning below, with remedy
            if curve.whole.effect.bounds is None and decides and not lost:
                warnings.append(few_blocks(curve.whole.blocks, curve.whole.blocks_needed))
            compared.append(curve)
    warnings += disturbed_sides(pairs)
    warnings += handed_over_sides(pairs)
    return ComparisonResult(tuple(compared), (), tuple(dict.fromkeys(warnings)), lacking)


def _missing(
    base: Side, other: Side, present: Sequence[npt.NDArray[np.bool_]], cell: Cell
) -> Iterator[RunWarning]:
    """Warn that one side lacks a whole curve that the other has, unless it can't have it."""
    if not any(side.any() for side in present):
        return
    for side, measured in zip((base, other), present, strict=True):
        if not measured.any() and algorithm(side.configuration, cell) != "absent":
            yield warning_of(
                WarningKind.NOT_COMPARED,
                side=side.label,
                pattern=cell.pattern,
                ranks=side.configuration.ranks,
            )


def common_cells(first: Run, second: Run) -> tuple[Cell, ...]:
    """Cells that both runs have, in the order of the first.

    Raises:
        UsageError: there are none; the message differs if only the buffer policy is in the way.
    """
    common = tuple(cell for cell in first.cells if cell in set(second.cells))
    if common:
        return common
    where = f"{first.path} and {second.path}"
    if {_any_buffers(cell) for cell in first.cells} & {_any_buffers(c) for c in second.cells}:
        seen = [", ".join(sorted({cell.buffers for cell in run.cells})) for run in (first, second)]
        raise UsageError(
            f"{where} used different buffers ({seen[0]}; {seen[1]}), which decide the result; "
            f"measure both with the same --buffers"
        )
    raise UsageError(f"{where} have no cell in common; measure the same --patterns and --sizes")


def _any_buffers(cell: Cell) -> Cell:
    return replace(cell, buffers=Buffers.ECHO)


def library_changed(runs: tuple[Run, Run], of: tuple[Configuration, Configuration]) -> bool:
    """Whether its version or, where both runs know it, its compiler differs."""
    versions = {configuration.version for configuration in of}
    sides = zip(runs, of, strict=True)
    compilers = {
        run.provenance.compilers.get(configuration.variant) for run, configuration in sides
    }
    return len(versions) > 1 or len(compilers - {None}) > 1
