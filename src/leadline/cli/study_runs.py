"""Runs of studies below a directory, and whether something of them failed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.errors import UsageError
from leadline.record.caveats import UNMEASURED

if TYPE_CHECKING:
    from leadline.cli.reading import Reader
    from leadline.record.run import Run

StudyRuns = dict[str, dict[str, "Run"]]
"""By study, then by stage."""


def runs_of(
    directories: Iterable[Path], studies: Collection[str], option: str, reader: Reader
) -> StudyRuns:
    """Those below `directories` that belong to one of `studies`, all stages of a study together.

    Those that `reader` can't read are left out. UsageError, about the `option` that named the
    directory: a study is there twice. RecordError: there is no run below one.
    """
    from leadline.store import runs_below

    found = StudyRuns()
    for directory in dict.fromkeys(directories):
        for path in runs_below(directory, reader.say, "leadline study"):
            with reader.leaving_out():
                run = reader.run(path)
                if (name := _study_of(run)) in studies:
                    _add(found.setdefault(name, {}), path.name, run, f"{option} {directory}")
                else:
                    reader.pass_over(run.path)
    return found


def _study_of(run: Run) -> str:
    """The name of the study that it was measured for; "": none."""
    belongs = run.provenance.study
    return belongs.name or "" if belongs else ""


def _add(stages: dict[str, Run], stage: str, run: Run, where: str) -> None:
    if stage in stages:
        raise UsageError(f"{where}: several studies are below it; name one of them")
    stages[stage] = run


def lost(run: Run) -> bool:
    """Whether a cell failed that had a core for each rank, or a variant was left out."""
    alone = (not run.configurations[f.configuration].oversubscribed for f in run.failures)
    return any(alone) or any(caveat.code in UNMEASURED for caveat in run.warnings)
