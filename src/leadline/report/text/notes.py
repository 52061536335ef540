"""What every report ends with: failures with their facts, and warnings with their remedies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline.record.caveats import Caveat
from leadline.record.run import Failure, Run
from leadline.report.document import Section
from leadline.report.text.phrases import plural
from leadline.units import format_size


def note_sections(runs: Sequence[Run], caveats: Sequence[Caveat]) -> list[Section]:
    """The failures of `runs`, then `caveats`; a section that would be empty is left out."""
    failures = tuple(
        failure_text(run, failure, len(runs) > 1) for run in runs for failure in run.failures
    )
    warnings = tuple(f"{c.code}: {c.cause}\n{c.remedy}" for c in caveats)
    sections = [Section("failures", notes=failures), Section("warnings", notes=warnings)]
    return [section for section in sections if section.notes]


def failure_text(run: Run, failure: Failure, name_run: bool = False) -> str:
    """What failed where, and the facts."""
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


def of_several(said: Sequence[tuple[Run, Sequence[Caveat]]]) -> list[Caveat]:
    """What is said of several runs; what isn't said of all of them names its run."""
    return [
        caveat
        if all(caveat in others for _, others in said)
        else replace(caveat, cause=f"{run.path}: {caveat.cause}")
        for run, caveats in said
        for caveat in caveats
    ]
