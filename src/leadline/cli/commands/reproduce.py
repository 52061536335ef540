"""`leadline reproduce`: every figure of the papers beside what machine files make of it.

Beside these what this machine shows: runs of the papers' studies, or new ones. Besides what it
prints it writes a page, and a folder of drawings.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_directory, check_folder, draw_each
from leadline.cli.parsing.forms import Report, add_forms, print_report, say
from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import LeadlineError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from leadline.cli.parsing.reading import StudyRuns
    from leadline.papers.cells import ReproducedFigure
    from leadline.papers.recipe import PaperRecipes
    from leadline.papers.reproduction import ReproducedPaper
    from leadline.papers.study import Studied, Study
    from leadline.record.caveats import Caveat


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline reproduce`."""
    from leadline.papers.catalogue import PAPERS

    keys = ", ".join(PAPERS)
    told = f"one of {keys}; repeatable (default: all)"
    parser.add_argument("--paper", metavar="NAME", action="append", default=[], help=told)
    add_files(parser)
    add_here(parser)
    add_strict(parser)
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Simulates what the papers measured and prints it beside theirs; 0, whatever is off.

    1: something couldn't be measured that was to be. 4: --strict objects.
    """
    from leadline.cli.outcome import COMPLETE, INTERRUPTED, SOME_FAILED
    from leadline.papers.cells import figures_of
    from leadline.papers.recipe import recipes_for
    from leadline.papers.reproduction import measured_figures, reproduction
    from leadline.simulate.machine_files import machine_named, shipped_names

    recipes = recipes_for(*arguments.paper)
    check_files(arguments)
    reader = Reader(arguments.strict)
    here = measured_here(arguments, [one.paper.key for one in recipes], reader)
    if here.interrupted:
        return INTERRUPTED
    _tell(recipes)
    machines = {name: machine_named(name) for name in shipped_names()}
    papers = reproduction(recipes, list(machines.values()), here.studied)
    write_files(
        arguments,
        papers,
        lambda: (*figures_of(recipes, machines.__getitem__), *measured_figures(here.studied)),
    )
    print_report(_report(papers, reader.said), arguments.form)
    return reader.status(SOME_FAILED if here.failed else COMPLETE)


def _tell(recipes: Sequence[PaperRecipes]) -> None:
    """Who waits at a terminal hears what for."""
    if sys.stderr.isatty():
        keys = ", ".join(one.paper.key for one in recipes)
        say(f"simulating {keys}: some seconds")


def _report(papers: Sequence[ReproducedPaper], said: Sequence[Caveat]) -> Report:
    from leadline.report.programs.reproduced import reproduced_content, reproduced_records
    from leadline.report.text.reproduced import reproduced_document

    return Report(
        document=lambda: reproduced_document(papers),
        content=lambda: reproduced_content(papers, said),
        records=lambda: reproduced_records(papers),
    )


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
    from leadline.papers.catalogue import all_studies

    return [one for one in all_studies() if one.paper in papers]


def _runs(directories: Sequence[str], studies: Sequence[Study], reader: Reader) -> StudyRuns:
    from leadline.cli.parsing.reading import runs_of

    names = [one.name for one in studies]
    found = runs_of(map(Path, directories), names, "--runs", reader)
    if not found:
        where = " ".join(directories)
        raise UsageError(
            f"--runs {where}: no run in it belongs to a study of the papers: {', '.join(names)}"
        )
    return found


def _answered(studies: Sequence[Study], runs: StudyRuns, failed: bool = False) -> MeasuredHere:
    from leadline.cli.parsing.reading import lost
    from leadline.papers.study import studied

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


def add_files(parser: argparse.ArgumentParser) -> None:
    """The options that name them."""
    parser.add_argument("--report", metavar="FILE", help="write all of it as one HTML file, too")
    parser.add_argument("--plot", metavar="DIR", help="draw the papers' figures there, as SVG")


def check_files(arguments: argparse.Namespace) -> None:
    """UsageError where what was asked for can't be written, before anything is simulated."""
    report = arguments.report
    if report == "-":
        raise UsageError("--report -: what is printed is on stdout; name a file, e.g. papers.html")
    if report is not None:
        check_directory(report, "--report")
        if Path(report).is_dir():
            raise UsageError(f"--report {report} is a directory; name a file in it")
    if arguments.plot is not None:
        check_folder(arguments.plot, "--plot")


def write_files(
    arguments: argparse.Namespace,
    papers: Sequence[ReproducedPaper],
    drawings: Callable[[], Sequence[ReproducedFigure]],
) -> None:
    """Writes what was asked for, over whatever was there; only then `drawings` are made."""
    if arguments.report is None and arguments.plot is None:
        return
    from leadline.cli.parsing.files import write
    from leadline.report.page.reproduced import reproduced_page

    figures = drawings()
    if arguments.report is not None:
        write(arguments.report, reproduced_page(papers, figures).encode(), "--report")
    if arguments.plot is not None:
        draw_each((one.figure for one in figures), arguments.plot, "--plot")
