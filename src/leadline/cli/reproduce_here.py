"""What `leadline reproduce` takes of this machine: runs of the papers' studies, or new ones."""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.saying import say
from leadline.errors import LeadlineError, UsageError

if TYPE_CHECKING:
    from leadline.cli.reading import Reader
    from leadline.cli.study_runs import StudyRuns
    from leadline.studies.study import Studied, Study


@dataclass(frozen=True, slots=True)
class MeasuredHere:
    """What the papers' studies come to on this machine."""

    studied: tuple[Studied, ...] = ()
    failed: bool = False
    """A study couldn't be measured, or a cell of one."""
    interrupted: bool = False
    """Nothing is to be said any more."""


def add_here(parser: argparse.ArgumentParser) -> None:
    """The options."""
    runs = "directories of studies of the papers: their figures, measured on this machine, besides"
    live = "measure them now: the quick study of each paper, some minutes"
    parser.add_argument("--runs", nargs="+", default=[], metavar="DIR", help=runs)
    parser.add_argument("--live", action="store_true", help=live)
    parser.add_argument(
        "-o", "--out", metavar="DIR", help="of --live; default: leadline-study-DATE-TIME"
    )


def measured_here(
    arguments: argparse.Namespace, papers: Collection[str], reader: Reader
) -> MeasuredHere:
    """What the options ask for, of `papers`, as `reader` reads it; nothing without them.

    Raises:
        UsageError: Options that don't belong together; no run of a study of `papers`.
        LeadlineError: Nothing could be measured.
    """
    if arguments.out and not arguments.live:
        raise UsageError("--out is for what --live measures; give --live, or leave it out")
    if arguments.runs and arguments.live:
        raise UsageError("--live measures what --runs has; give one of them")
    studies = _studies(papers)
    if arguments.runs:
        return _answered(studies, _runs(arguments.runs, studies, reader))
    return _live(studies, arguments.out, reader) if arguments.live else MeasuredHere()


def _studies(papers: Collection[str]) -> list[Study]:
    from leadline.studies.catalogue import all_studies

    return [one for one in all_studies() if one.paper in papers]


def _runs(directories: Sequence[str], studies: Sequence[Study], reader: Reader) -> StudyRuns:
    from leadline.cli.study_runs import runs_of

    names = [one.name for one in studies]
    found = runs_of(map(Path, directories), names, "--runs", reader)
    if not found:
        where = " ".join(directories)
        raise UsageError(
            f"--runs {where}: no run in it belongs to a study of the papers: {', '.join(names)}"
        )
    return found


def _answered(studies: Sequence[Study], runs: StudyRuns, failed: bool = False) -> MeasuredHere:
    from leadline.cli.study_runs import lost
    from leadline.studies.study import studied

    every = (run for stages in runs.values() for run in stages.values())
    found = tuple(studied(one, runs[one.name]) for one in studies if one.name in runs)
    return MeasuredHere(found, failed or any(map(lost, every)))


# -- measured now ----------------------------------------------------------------------------------


def _live(studies: Sequence[Study], directory: str | None, reader: Reader) -> MeasuredHere:
    """One after the other; what there is remains, whatever becomes of the next."""
    from leadline.store import check_unused

    out = Path(directory or time.strftime("leadline-study-%Y%m%d-%H%M%S"))
    check_unused(out)  # an older study below it would be there twice, once all are measured
    told = ", ".join(f"{one.name} ({one.quick_s:.0f} s)" for one in studies)
    total_s = sum(one.quick_s for one in studies)
    say(f"measuring about {total_s / 60:.0f} min below {out}: {told}")
    refusals: list[LeadlineError] = []
    for study in studies:
        try:
            complete = _measured(study, out / study.name)
        except LeadlineError as error:
            say(f"study {study.name} is left out: {error}")
            refusals.append(error)
            continue
        if not complete:
            say(f"what there is: leadline reproduce --runs {out}")
            return MeasuredHere(interrupted=True)
    if len(refusals) == len(studies):
        raise refusals[0]
    say(f"run directories: {out}/*/*")
    return _answered(studies, _runs([str(out)], studies, reader), failed=bool(refusals))


def _measured(study: Study, out: Path) -> bool:
    """As `leadline study STUDY --quick` does; False: interrupted."""
    from leadline.cli.stages import measured

    say(f"\nstudy {study.name}: {study.title}")
    words = argparse.Namespace(
        quick=True,
        budget=None,
        backends=None,
        mpicc=[],
        hosts=None,
        agent=None,
        dry_run=False,
        quiet=False,
        verbose=False,
    )
    return measured(study, words, out)
