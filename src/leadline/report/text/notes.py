"""Failures with their facts and warnings with their remedies, which every report ends with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline.record.run import Failure, Run
from leadline.record.warnings import RunWarning
from leadline.report.document import Section
from leadline.report.text.phrases import plural
from leadline.units import format_size


def note_sections(runs: Sequence[Run], warnings: Sequence[RunWarning]) -> list[Section]:
    """The failures of `runs`, then the warnings; a section that would be empty is left out."""
    failures = tuple(
        failure_text(run, failure, len(runs) > 1) for run in runs for failure in run.failures
    )
    sections = (
        Section("failures", notes=failures),
        Section("warnings", notes=warning_texts(warnings)),
    )
    return [section for section in sections if section.notes]


def warning_texts(warnings: Sequence[RunWarning]) -> tuple[str, ...]:
    """Code and cause of each, and on a second line what helps."""
    return tuple(f"{c.code}: {c.cause}\n{c.remedy}" for c in warnings)


def failure_text(run: Run, failure: Failure, name_run: bool = False) -> str:
    """Variant, pattern, ranks, block, code and facts of a failure; the run if it is to be named."""
    configuration = run.configurations[failure.configuration]
    what = "launch"
    if failure.cell is not None:
        cell = run.cells[failure.cell]
        sizes = {other.size_bytes for other in run.cells if other.pattern == cell.pattern}
        what = cell.pattern + (f" at {format_size(cell.size_bytes)}" if sizes != {0} else "")
    return (
        f"{f'{run.path}: ' if name_run else ''}{configuration.variant}, {what}, "
        f"{plural(configuration.ranks, 'rank')}, block {failure.block + 1}: {failure.code}: "
        f"{run.fact_of(failure)}"
    )


def of_several(by_run: Sequence[tuple[Run, Sequence[RunWarning]]]) -> list[RunWarning]:
    """Warnings of several runs; those that not all of them have name their run."""
    return [
        warning
        if all(warning in others for _, others in by_run)
        else replace(warning, cause=f"{run.path}: {warning.cause}")
        for run, warnings in by_run
        for warning in warnings
    ]
