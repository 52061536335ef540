"""Runs of studies below a directory, and whether something of them failed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.reading import Reader
from leadline.errors import UsageError
from leadline.record.codes import UNMEASURED

if TYPE_CHECKING:
    from leadline.record.run import Run

StudyRuns = dict[str, dict[str, "Run"]]
"""By study, then by stage."""


def runs_of(directories: Iterable[Path], studies: Collection[str], option: str) -> StudyRuns:
    """Those below `directories` that belong to one of `studies`, all stages of a study together.

    UsageError, about the `option` that named the directory: a study is there twice. RecordError:
    there is no run below one, or it can't be read.
    """
    from leadline.store import runs_below

    reader, found = Reader(), StudyRuns()
    for directory in dict.fromkeys(directories):
        for path in runs_below(directory, reader.say):
            run = reader.run(path)
            belongs = run.provenance.study
            if belongs is None or belongs.name is None or belongs.name not in studies:
                continue
            stages = found.setdefault(belongs.name, {})
            if path.name in stages:
                raise UsageError(
                    f"{option} {directory}: several studies are below it; name one of them"
                )
            stages[path.name] = run
    return found


def lost(run: Run) -> bool:
    """Whether a cell failed that had a core for each rank, or a variant was left out."""
    alone = (not run.configurations[f.configuration].oversubscribed for f in run.failures)
    return any(alone) or any(caveat.code in UNMEASURED for caveat in run.warnings)
