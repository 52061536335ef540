"""Candidates against a baseline: curves of ratios with verdicts, and what they add up to.

Inside one run the two are paired block by block; of two runs they are independent, which costs
precision and is said. Only cells equal in pattern, size, buffers, cadence and definition of time
meet. What is computed here is formatted in `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from leadline.backends.kinds import is_raw
from leadline.compare.curves import Comparison, Curve, Match, curve_of, grouped_by_curve
from leadline.compare.hidden_differences import (
    common_cells,
    configuration_differences,
    machine_differences,
    unmatched_cells,
)
from leadline.compare.samples import block_medians, reduce_ranks, visit_medians
from leadline.compare.summaries import IMPORTED, OVERSUBSCRIBED, algorithm, few_blocks
from leadline.compare.verdict import (
    Contrast,
    Effect,
    Paired,
    Rows,
    Unpaired,
    Verdict,
    effect_of,
    logarithms,
)
from leadline.errors import UsageError, unknown_name
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Cell, Configuration, Run
from leadline.statistics.intervals import Floats

THRESHOLD = 0.02
LARGEST_UNDECIDED_SHARE = 0.1
NO_REGRESSION, REGRESSION, TOO_UNCERTAIN = 0, 1, 3

UNPAIRED = CaveatKind.UNPAIRED.because(
    "the two runs weren't alive together: what changed on the machine in between is in the ratio"
)
INCOMPLETE = CaveatKind.INCOMPLETE.because("a run was interrupted: later blocks are missing")


@dataclass(frozen=True, slots=True)
class Tax:
    """A library's time over a raw transport's at the smallest payload measured."""

    pattern: str
    ranks: int
    size_bytes: int
    variant: str
    effect: Effect
    raw: str
    """The backend that is the limit: shm, or tcp for a library that sends through TCP."""


@dataclass(frozen=True, slots=True)
class Result:
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


@dataclass(frozen=True, slots=True)
class Side:
    """One configuration of a run and its block medians."""

    label: str
    configuration: Configuration
    logs: Floats
    """Logarithms of seconds, shape (cells, blocks), nan where not measured."""
    visit_logs: Floats
    """Likewise of each visit, shape (cells, blocks, visits)."""
    imported: bool = False


def paired(baseline: Side, candidate: Side, rows: Rows) -> Paired:
    """Two sides of one run in the cells `rows`, visit by visit."""
    return Paired(baseline.visit_logs[rows], candidate.visit_logs[rows])


def unpaired(baseline: Side, candidate: Side, rows: Rows) -> Unpaired:
    """Sides of two runs in the cells `rows`."""
    return Unpaired(baseline.logs[rows], candidate.logs[rows])


def exit_status(curves: Iterable[Curve]) -> int:
    """0 no regression; 1 a cell or a whole curve is slower; 3 over a tenth of cells undecided.

    What doesn't count is passed over. Nothing left to count: 3, for nothing was shown.
    """
    counted = [curve for curve in curves if curve.whole.counted]
    verdicts = [cell.verdict for curve in counted for cell in curve.cells]
    if Verdict.SLOWER in (*verdicts, *(curve.whole.verdict for curve in counted)):
        return REGRESSION
    undecided = verdicts.count(Verdict.UNDECIDED)
    if not verdicts or undecided > LARGEST_UNDECIDED_SHARE * len(verdicts):
        return TOO_UNCERTAIN
    return NO_REGRESSION


def compare_within(
    run: Run,
    baseline: str,
    candidates: Collection[str] | None = None,
    threshold: float = THRESHOLD,
    seed: int = 0,
) -> Result:
    """Variants of one run against its variant `baseline`, paired block by block, ranks alike.

    `candidates` None: all others, but raw backends only against a raw one. UsageError for a name
    that the run doesn't have, and where nothing is left to compare.
    """
    return compare_sides(run, sides_of(run, run.cells), baseline, candidates, threshold, seed)


def compare_sides(
    run: Run,
    sides: Sequence[Side],
    baseline: str,
    candidates: Collection[str] | None = None,
    threshold: float = THRESHOLD,
    seed: int = 0,
) -> Result:
    """compare_within for several baselines: `sides` are those of all cells of `run`."""
    names = {side.label: side.configuration.backend for side in sides}
    for name in (baseline, *(candidates or ())):
        if name not in names:
            raise unknown_name(f"variant of {run.path}", name, names)
    if candidates is None:
        raw = is_raw(names[baseline])
        candidates = [name for name, backend in names.items() if raw or not is_raw(backend)]
    bases = [side for side in sides if side.label == baseline]
    others = [side for side in sides if side.label != baseline and side.label in candidates]
    pairs = [
        (base, other)
        for other in others
        for base in bases
        if base.configuration.key == other.configuration.key
    ]
    if not pairs:
        raise UsageError(f"{run.path} has no variant to compare with {baseline!r}; measure another")
    curves, caveats = _curves(pairs, run.cells, paired, threshold, seed)
    incomplete = () if run.complete else (INCOMPLETE,)
    return Result(curves, taxes_of(sides, run.cells), (*incomplete, *caveats))


def compare_runs(
    first: Run,
    second: Run,
    threshold: float = THRESHOLD,
    seed: int = 0,
    names: tuple[str, str] | None = None,
) -> Result:
    """Each variant of `second` against the same variant of `first`, unpaired, ranks alike.

    Runs of one variant each are compared whatever the names. `names` are the two runs' (None:
    short ones). UsageError where no variant or no cell is in both, or only under other buffers.
    """
    cells = common_cells(first, second)
    before, after = sides_of(first, cells), sides_of(second, cells)
    single = all(len({side.label for side in sides}) == 1 for sides in (before, after))
    pairs = [
        (base, other)
        for other in after
        for base in before
        if (single or base.label == other.label)
        and base.configuration.key == other.configuration.key
    ]
    if not pairs:
        seen = "; ".join(", ".join(s.label for s in sides) for sides in (before, after))
        raise UsageError(
            f"{first.path} and {second.path} have no variant with as many ranks in common "
            f"({seen}); measure the same --backends and --ranks"
        )
    caveats = [UNPAIRED, *machine_differences(first, second), *unmatched_cells(first, second)]
    for run, sides, place in ((first, before, 0), (second, after, 1)):
        matched = {id(pair[place]) for pair in pairs}
        caveats += [_only_in(run, side) for side in sides if id(side) not in matched]
    caveats += [] if first.complete and second.complete else [INCOMPLETE]
    for base, other in pairs:
        caveats += configuration_differences(base.configuration, other.configuration)
    before_name, after_name = names or run_names((first, second))
    named = [(_of_run(base, before_name), _of_run(other, after_name)) for base, other in pairs]
    curves, found = _curves(named, cells, unpaired, threshold, seed)
    return Result(curves, (), tuple(dict.fromkeys((*caveats, *found))))


def sides_of(run: Run, cells: Sequence[Cell]) -> tuple[Side, ...]:
    """The configurations of `run` with their block medians of `cells`, in this order."""
    samples = reduce_ranks(run)
    logs = logarithms(block_medians(run, samples).seconds)
    visit_logs = logarithms(visit_medians(run, samples))
    index = {cell: row for row, cell in enumerate(run.cells)}
    rows = [index[cell] for cell in cells]
    imported = {table.configuration for table in run.imported}
    return tuple(
        Side(
            configuration.variant,
            configuration,
            logs[number, rows],
            visit_logs[number, rows],
            number in imported,
        )
        for number, configuration in enumerate(run.configurations)
    )


def _only_in(run: Run, side: Side) -> Caveat:
    return CaveatKind.NOT_COMPARED.because(
        f"{side.label} on {side.configuration.ranks} ranks is only in {run.path}"
    )


def run_names(runs: Sequence[Run]) -> tuple[str, ...]:
    """Short names of runs: the last part of their paths, or all of it where two are equal."""
    short = tuple(run.path.rstrip("/").rpartition("/")[2] for run in runs)
    return short if len(set(short)) == len(short) else tuple(run.path for run in runs)


def in_run(variant: str, run_name: str) -> str:
    """What a variant is called among those of several runs."""
    return f"{variant} ({run_name})"


def _of_run(side: Side, run_name: str) -> Side:
    return replace(side, label=in_run(side.label, run_name))


def _curves(
    pairs: Sequence[tuple[Side, Side]],
    cells: Sequence[Cell],
    contrast_of: Callable[[Side, Side, Rows], Contrast],
    threshold: float,
    seed: int,
) -> tuple[tuple[Curve, ...], tuple[Caveat, ...]]:
    """The curves of all pairs, and what is to be said of them, each thing once."""
    curves: list[Curve] = []
    caveats: list[Caveat] = []
    for base, other in pairs:
        match = _match(base, other)
        caveats += [] if match.counted else [OVERSUBSCRIBED]
        for rows in grouped_by_curve(cells):
            present = [_measured(side, rows) for side in (base, other)]
            if not all(side.any() for side in present):
                caveats += _missing(base, other, present, cells[rows[0]])
                continue
            some = rows[present[0] | present[1]]
            contrast = contrast_of(base, other, some)
            curve = curve_of(contrast, [cells[row] for row in some], match, threshold, seed)
            if curve.whole.low is None:
                caveats.append(IMPORTED if match.imported else few_blocks(curve.whole.blocks))
            curves.append(curve)
    return tuple(curves), tuple(dict.fromkeys(caveats))


def _match(base: Side, other: Side) -> Match:
    crowded = base.configuration.oversubscribed or other.configuration.oversubscribed
    return Match(
        base.label,
        other.label,
        base.configuration.ranks,
        counted=not crowded,
        imported=base.imported or other.imported,
    )


def _measured(side: Side, rows: Rows) -> npt.NDArray[np.bool_]:
    return np.asarray(~np.isnan(side.logs[rows]).all(axis=1))


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


def taxes_of(sides: Sequence[Side], cells: Sequence[Cell]) -> tuple[Tax, ...]:
    """Each library over the raw transports that limit it, on as many ranks, both measured."""
    return tuple(
        tax
        for raw in sides
        for side in sides
        if _limits(raw.configuration, side.configuration)
        and raw.configuration.key == side.configuration.key
        and _match(raw, side).counted
        for rows in grouped_by_curve(cells)
        for tax in _tax(raw, side, rows, cells)
    )


def _limits(raw: Configuration, library: Configuration) -> bool:
    """Whether `raw` is what `library` at best could be: TCP only if it sends through TCP itself."""
    if is_raw(library.backend):
        return False
    sends_by_tcp = "tcp" in library.transport.lower().split()
    return raw.backend == "shm" or (raw.backend == "tcp" and sends_by_tcp)


def _tax(raw: Side, side: Side, rows: Rows, cells: Sequence[Cell]) -> Iterator[Tax]:
    """At the smallest size above zero that both have; at zero where there is no other."""
    both = rows[_measured(raw, rows) & _measured(side, rows)]
    if both.size == 0:
        return
    row = min(both, key=lambda row: (cells[row].size_bytes == 0, cells[row].size_bytes))
    contrast = paired(raw, side, np.array([row]))
    cell = cells[row]
    yield Tax(
        cell.pattern,
        raw.configuration.ranks,
        cell.size_bytes,
        side.label,
        effect_of(contrast, np.arange(1)),
        raw.configuration.backend,
    )
