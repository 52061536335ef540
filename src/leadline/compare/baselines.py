"""All comparisons that a report on one or several runs shows side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart
from leadline.compare.origins import competes, labelled
from leadline.compare.pairs import ComparisonResult, compare_runs, compare_within
from leadline.compare.sides import run_names
from leadline.errors import UsageError, unknown_name
from leadline.record.run import Configuration, Run
from leadline.record.warnings import RunWarning, WarningKind, warning_of

MOST_BASELINES = 6
"""With more libraries than this in a run, only the first is a baseline unless one is named."""


@dataclass(frozen=True, slots=True)
class BaselineContrast:
    """Candidates compared with one baseline."""

    run: int
    """Number of the candidates' run."""
    paired: bool
    """Whether the baseline is of the same run; else it is of the first run, and each name has that
    of its run behind it."""
    baseline: str
    """Label of a variant, or name of the first run."""
    result: ComparisonResult


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Comparisons in order of interest."""

    by_baseline: tuple[BaselineContrast, ...]
    warnings: tuple[RunWarning, ...]


def contrasts_of(
    analyses: Sequence[Analysis],
    baseline: str | None,
    threshold: float,
    known: RunsApart | None = None,
) -> Contrasts:
    """Compare each run but the first with the first, then all variants of each run with baselines.

    `baseline` is the one variant that others are compared with; None: every library of a run in
    turn, and every raw transport; those that weren't measured only where nothing else is. Runs
    that have nothing in common get a warning. `known` is as in compare_runs.

    Raises:
        UsageError: no run has `baseline`.
    """
    runs = [analysis.run for analysis in analyses]
    variants = dict.fromkeys(
        configuration.variant for run in runs for configuration in run.configurations
    )
    variants |= dict.fromkeys(label for run in runs for label in _labels(run))
    if baseline is not None and baseline not in variants:
        raise unknown_name("variant", baseline, variants)
    contrasts: list[BaselineContrast] = []
    warnings: list[RunWarning] = []
    names = run_names(runs)
    for i, other in enumerate(analyses[1:], start=1):
        try:
            result = compare_runs(analyses[0], other, threshold, (names[0], names[i]), known=known)
        except UsageError as error:
            warnings.append(warning_of(WarningKind.NOT_COMPARED, error=error))
        else:
            contrasts.append(BaselineContrast(i, False, names[0], result))
    for i, analysis in enumerate(analyses):
        for name in _baselines(analysis.run, baseline):
            try:
                result = compare_within(
                    analysis, name, threshold=threshold, chosen=baseline is None
                )
            except UsageError:  # nothing to compare it with
                continue
            contrasts.append(BaselineContrast(i, True, name, result))
    return Contrasts(tuple(contrasts), tuple(warnings))


def _baselines(run: Run, named: str | None) -> list[str]:
    """Labels of the baselines of `run`: libraries in the order of the run, then raw transports.

    `named` is the one variant, or label, that a user asked for; None: all.
    """
    every = _labels(run)
    if named is not None:
        variants = [
            label for label, configuration in every.items() if configuration.variant == named
        ]
        return [named] if named in every else variants
    backends = {
        label: configuration.backend
        for label, configuration in every.items()
        if competes(configuration)
    }
    backends = backends or {label: configuration.backend for label, configuration in every.items()}
    libraries = [label for label, backend in backends.items() if not is_raw(backend)]
    raw = [label for label in backends if label not in libraries]
    return [*libraries[: None if len(libraries) <= MOST_BASELINES else 1], *raw]


def _labels(run: Run) -> dict[str, Configuration]:
    """Labels in `run`, each with one of its configurations."""
    return {
        labelled(configuration.variant, configuration.origin): configuration
        for configuration in run.configurations
    }
