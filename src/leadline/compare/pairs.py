"""Candidates against a baseline: curves of ratios with verdicts, and what they add up to.

Inside one run the two are paired block by block; of two runs they are independent, which costs
precision and is said. Only cells equal in pattern, size, buffers, cadence and definition of time
meet. What is computed here is formatted in `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.backends.kinds import is_raw
from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.curves import Comparison, Curve, curve_of, grouped_by_curve
from leadline.compare.hidden_differences import (
    common_cells,
    configuration_differences,
    machine_differences,
    unmatched_cells,
)
from leadline.compare.sides import Side, pairing_of, run_names, side_in_run, unpaired
from leadline.compare.summaries import IMPORTED, LINK_BOUND, OVERSUBSCRIBED, algorithm, few_blocks
from leadline.compare.taxes import Tax
from leadline.compare.verdict import Rows, Verdict
from leadline.errors import UsageError, unknown_name
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Cell, Run

LARGEST_UNDECIDED_SHARE = 0.1
NO_REGRESSION, REGRESSION, TOO_UNCERTAIN = 0, 1, 3

UNPAIRED = CaveatKind.UNPAIRED.because(
    "the two runs weren't alive together: what changed on the machine in between is in the ratio"
)
INCOMPLETE = CaveatKind.INCOMPLETE.because("a run was interrupted: later blocks are missing")


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """Everything that a comparison found."""

    curves: tuple[Curve, ...]
    taxes: tuple[Tax, ...]
    caveats: tuple[Caveat, ...]

    @property
    def exit_status(self) -> int:
        """That of the curves; 3 instead of 0 where one side lacks what the other has."""
        status = exit_status(self.curves)
        lacking = any(caveat.code == CaveatKind.NOT_COMPARED.code for caveat in self.caveats)
        return TOO_UNCERTAIN if lacking and status == NO_REGRESSION else status

    @property
    def rows(self) -> tuple[Comparison, ...]:
        """All cells of all curves."""
        return tuple(cell for curve in self.curves for cell in curve.cells)


def exit_status(curves: Iterable[Curve]) -> int:
    """0 no regression; 1 a cell or a whole curve is slower; 3 over a tenth of cells undecided.

    What doesn't count is passed over. Nothing left to count: 3, for nothing was shown.
    """
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
) -> ComparisonResult:
    """Variants of one run against its variant `baseline`, paired block by block, ranks alike.

    `candidates` None: all others, but raw backends only against a raw one. UsageError for a name
    that the run doesn't have, and where nothing is left to compare.
    """
    run, sides = analysis.run, analysis.sides
    names = {side.label: side.configuration.backend for side in sides}
    for name in (baseline, *(candidates or ())):
        if name not in names:
            raise unknown_name(f"variant of {run.path}", name, names)
    if candidates is None:
        raw = is_raw(names[baseline])
        candidates = [name for name, backend in names.items() if raw or not is_raw(backend)]
    bases = [side for side in sides if side.label == baseline]
    others = [side for side in sides if side.label != baseline and side.label in candidates]
    pairs = _alike(bases, others)
    if not pairs:
        raise UsageError(f"{run.path} has no variant to compare with {baseline!r}; measure another")

    def judged(base: Side, other: Side, rows: Rows) -> Curve:
        return analysis.curve(base, other, rows, threshold)

    curves, caveats = _curves(pairs, run.cells, analysis.curve_rows, judged)
    incomplete = () if run.complete else (INCOMPLETE,)
    return ComparisonResult(curves, analysis.taxes, (*incomplete, *caveats))


def compare_runs(
    first: Analysis,
    second: Analysis,
    threshold: float = THRESHOLD,
    names: tuple[str, str] | None = None,
) -> ComparisonResult:
    """Each variant of `second` against the same variant of `first`, unpaired, ranks alike.

    Runs of one variant each are compared whatever the names. `names` are the two runs' (None:
    short ones). UsageError where no variant or no cell is in both, or only under other buffers.
    """
    runs = first.run, second.run
    cells = common_cells(*runs)
    before, after = first.sides_in(cells), second.sides_in(cells)
    single = all(len({side.label for side in sides}) == 1 for sides in (before, after))
    pairs = [pair for pair in _alike(before, after) if single or pair[0].label == pair[1].label]
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

    def judged(base: Side, other: Side, rows: Rows) -> Curve:
        of_rows = [cells[row] for row in rows]
        contrast = unpaired(base, other, rows)
        return curve_of(contrast, of_rows, pairing_of(base, other, rows), threshold, first.seed)

    curves, found = _curves(named, cells, grouped_by_curve(cells), judged)
    caveats = _between_runs(runs, (before, after), pairs)
    return ComparisonResult(curves, (), tuple(dict.fromkeys((*caveats, *found))))


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
    sides: tuple[Sequence[Side], Sequence[Side]],
    pairs: Sequence[tuple[Side, Side]],
) -> Iterator[Caveat]:
    """What may be in the ratios of two runs besides what is under study."""
    yield UNPAIRED
    yield from machine_differences(*runs)
    yield from unmatched_cells(*runs)
    for place, (run, of_run) in enumerate(zip(runs, sides, strict=True)):
        matched = {pair[place].number for pair in pairs}
        yield from (_only_in(run, side) for side in of_run if side.number not in matched)
    if not all(run.complete for run in runs):
        yield INCOMPLETE
    for base, other in pairs:
        yield from configuration_differences(base.configuration, other.configuration)


def _only_in(run: Run, side: Side) -> Caveat:
    return CaveatKind.NOT_COMPARED.because(
        f"{side.label} on {side.configuration.ranks} ranks is only in {run.path}"
    )


def _curves(
    pairs: Sequence[tuple[Side, Side]],
    cells: Sequence[Cell],
    curves: Sequence[Rows],
    judged: Callable[[Side, Side, Rows], Curve],
) -> tuple[tuple[Curve, ...], tuple[Caveat, ...]]:
    """The curves of all pairs, and what is to be said of them, each thing once."""
    found: list[Curve] = []
    caveats: list[Caveat] = []
    for base, other in pairs:
        for rows in curves:
            present = [side.measured(rows) for side in (base, other)]
            if not all(side.any() for side in present):
                caveats += _missing(base, other, present, cells[rows[0]])
                continue
            curve = judged(base, other, rows[present[0] | present[1]])
            caveats += _crowd(curve)
            if curve.whole.effect.bounds is None:
                imported = base.imported or other.imported
                caveats.append(IMPORTED if imported else few_blocks(curve.whole.blocks))
            found.append(curve)
    return tuple(found), tuple(dict.fromkeys(caveats))


def _crowd(curve: Curve) -> Iterator[Caveat]:
    """What is to be said where ranks outnumber cores: of cells that don't count, and that do."""
    if not all(cell.counted for cell in curve.cells):
        yield OVERSUBSCRIBED
    sides = (one for cell in curve.cells if cell.counted for one in cell.circumstances)
    if any(one.oversubscribed for one in sides):
        yield LINK_BOUND


def _missing(
    base: Side, other: Side, present: Sequence[npt.NDArray[np.bool_]], cell: Cell
) -> Iterator[Caveat]:
    """Says which side lacks a whole curve that the other has, unless it can't have it."""
    if not any(side.any() for side in present):
        return
    for side, measured in zip((base, other), present, strict=True):
        if not measured.any() and algorithm(side.configuration, cell) != "absent":
            yield CaveatKind.NOT_COMPARED.because(
                f"{side.label} has no {cell.pattern} on {side.configuration.ranks} ranks"
            )
