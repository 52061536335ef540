"""All comparisons that a report of one or several runs shows side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart
from leadline.compare.origins import competes, labelled
from leadline.compare.pairs import ComparisonResult, compare_runs, compare_within
from leadline.compare.sides import run_names
from leadline.errors import UsageError, unknown_name
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Configuration, Run

MOST_BASELINES = 6
"""Of more libraries than this in a run, only the first is a baseline unless one is named."""


@dataclass(frozen=True, slots=True)
class BaselineContrast:
    """Candidates held to one baseline."""

    run: int
    """The number of the candidates' run."""
    paired: bool
    """The baseline is from the same run; else from the first, and names have their run's behind."""
    baseline: str
    """A variant's label, or the first run's name."""
    result: ComparisonResult


@dataclass(frozen=True, slots=True)
class Contrasts:
    """The comparisons in the order in which they are of interest."""

    by_baseline: tuple[BaselineContrast, ...]
    caveats: tuple[Caveat, ...]


def contrasts_of(
    analyses: Sequence[Analysis],
    baseline: str | None,
    threshold: float,
    known: RunsApart | None = None,
) -> Contrasts:
    """Each run but the first against the first, then in each run all against several baselines.

    `baseline` is the one variant that others are held to; None: every library of a run in turn,
    and every raw transport; those that weren't measured only where nothing else is. Runs that have
    nothing in common get a caveat. `known` is as in compare_runs. UsageError where no run has
    `baseline`.
    """
    runs = [one.run for one in analyses]
    variants = dict.fromkeys(one.variant for run in runs for one in run.configurations)
    variants |= dict.fromkeys(label for run in runs for label in _labels(run))
    if baseline is not None and baseline not in variants:
        raise unknown_name("variant", baseline, variants)
    found: list[BaselineContrast] = []
    caveats: list[Caveat] = []
    names = run_names(runs)
    for i, other in enumerate(analyses[1:], start=1):
        try:
            result = compare_runs(analyses[0], other, threshold, (names[0], names[i]), known=known)
        except UsageError as error:
            caveats.append(CaveatKind.NOT_COMPARED.because(str(error)))
        else:
            found.append(BaselineContrast(i, False, names[0], result))
    for i, one in enumerate(analyses):
        found += _within(i, one, baseline, threshold)
    return Contrasts(tuple(found), tuple(caveats))


def _within(
    index: int, analysis: Analysis, baseline: str | None, threshold: float
) -> Iterator[BaselineContrast]:
    for name in _baselines(analysis.run, baseline):
        try:
            result = compare_within(analysis, name, threshold=threshold, chosen=baseline is None)
        except UsageError:  # nothing to compare it with
            continue
        yield BaselineContrast(index, True, name, result)


def _baselines(run: Run, named: str | None) -> list[str]:
    """Labels: libraries in the order of the run, then raw transports."""
    every = _labels(run)
    if named is not None:
        variants = [label for label, one in every.items() if one.variant == named]
        return [named] if named in every else variants
    backends = {label: one.backend for label, one in every.items() if competes(one)}
    backends = backends or {label: one.backend for label, one in every.items()}
    libraries = [label for label, backend in backends.items() if not is_raw(backend)]
    raw = [label for label in backends if label not in libraries]
    return [*libraries[: None if len(libraries) <= MOST_BASELINES else 1], *raw]


def _labels(run: Run) -> dict[str, Configuration]:
    """Each with one of its configurations."""
    return {labelled(one.variant, one.origin): one for one in run.configurations}
