"""`leadline reproduce`: every figure of the papers beside what simulated machines come to.

On request also beside what this machine shows: runs of the papers' studies, or new ones. It prints
a report, and writes a page and a folder of drawings.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_directory, check_folder, draw_each
from leadline.cli.parsing.forms import Report, add_forms, print_report, say
from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import LeadlineError, UsageError

if TYPE_CHECKING:
    from leadline.papers.recipe import PaperRecipes
    from leadline.papers.reproduction import ReproducedPaper
    from leadline.papers.study import Studied, Study
    from leadline.simulate.machine import MachineModel


@dataclass(frozen=True, slots=True)
class MeasuredHere:
    """What the papers' studies show on this machine."""

    studied: tuple[Studied, ...] = ()
    failed: bool = False
    """Whether a study couldn't be measured, or a cell of one."""
    interrupted: bool = False
    """Whether nothing is to be printed any more."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline reproduce`."""
    from leadline.papers.catalogue import PAPERS

    keys = ", ".join(PAPERS)
    told = f"paper: {keys} (repeatable; default: all)"
    parser.add_argument("--paper", metavar="NAME", action="append", default=[], help=told)
    parser.add_argument("--report", metavar="FILE", help="file for all of it as one HTML page")
    parser.add_argument("--plot", metavar="DIR", help="folder for the papers' figures, an SVG each")
    runs = "directories of studies: also print the papers' figures as they were measured there"
    live = "measure those now, by the quick study of each paper, in some minutes"
    parser.add_argument("--runs", nargs="+", default=[], metavar="DIR", help=runs)
    parser.add_argument("--live", action="store_true", help=live)
    parser.add_argument(
        "-o",
        "--out",
        metavar="DIR",
        help="with --live: directory for its runs (default: leadline-study-DATE-TIME)",
    )
    add_strict(parser)
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Simulates what the papers measured and prints it beside theirs; 0, whatever is off.

    1: something couldn't be measured that was to be. 4: --strict objects.
    """
    from leadline.cli.outcome import COMPLETE, INTERRUPTED, SOME_FAILED
    from leadline.papers.recipe import recipes_for
    from leadline.papers.reproduction import reproduction
    from leadline.report.programs.reproduced import reproduced_content, reproduced_records
    from leadline.report.text.reproduced import reproduced_document
    from leadline.simulate.machine_files import machine_named, shipped_names

    recipes = recipes_for(*arguments.paper)
    keys = [recipe.paper.key for recipe in recipes]
    check_files(arguments)
    reader = Reader(arguments.strict)
    here = measured_here(arguments, keys, reader)
    if here.interrupted:
        return INTERRUPTED
    if sys.stderr.isatty():  # somebody waits
        say(f"simulating {', '.join(keys)}: some seconds")
    machines = {name: machine_named(name) for name in shipped_names()}
    papers = reproduction(recipes, list(machines.values()), here.studied)
    write_files(arguments, recipes, machines, papers, here.studied)
    report = Report(
        document=lambda: reproduced_document(papers),
        content=lambda: reproduced_content(papers, reader.warnings),
        records=lambda: reproduced_records(papers),
    )
    print_report(report, arguments.form)
    return reader.status(SOME_FAILED if here.failed else COMPLETE)


def measured_here(
    arguments: argparse.Namespace, papers: Collection[str], reader: Reader
) -> MeasuredHere:
    """What the options ask for, of `papers`, as `reader` reads it; nothing without them.

    Raises:
        UsageError: Options that don't belong together; no run of a study of `papers`.
        LeadlineError: Nothing could be measured.
    """
    from leadline.papers.catalogue import all_studies

    if arguments.out and not arguments.live:
        raise UsageError("--out is for what --live measures; give --live, or leave it out")
    if arguments.runs and arguments.live:
        raise UsageError("--live measures what --runs has; give one of them")
    studies = [study for study in all_studies() if study.paper in papers]
    if arguments.runs:
        return _answered(studies, arguments.runs, reader)
    return _live(studies, arguments.out, reader) if arguments.live else MeasuredHere()


def _answered(
    studies: Sequence[Study], directories: Sequence[str], reader: Reader, failed: bool = False
) -> MeasuredHere:
    """What the runs of `studies` below `directories` show; UsageError where there are none."""
    from leadline.cli.parsing.reading import lost, runs_of
    from leadline.papers.study import studied

    names = [study.name for study in studies]
    runs = runs_of(map(Path, directories), names, "--runs", reader)
    if not runs:
        where = " ".join(directories)
        raise UsageError(
            f"--runs {where}: no run in it belongs to a study of the papers: {', '.join(names)}"
        )
    every = (run for stages in runs.values() for run in stages.values())
    answered = tuple(studied(study, runs[study.name]) for study in studies if study.name in runs)
    return MeasuredHere(answered, failed or any(map(lost, every)))


def _live(studies: Sequence[Study], directory: str | None, reader: Reader) -> MeasuredHere:
    """Measures one study after the other; what was measured is kept if the next one fails."""
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
    return _answered(studies, [str(out)], reader, failed=bool(refusals))


def _measured(study: Study, out: Path) -> bool:
    """Measures `study` below `out` as `leadline study STUDY --quick` does; False: interrupted."""
    from leadline.cli.stages import measured

    say(f"\nstudy {study.name}: {study.title}")
    options = argparse.Namespace(
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
    return measured(study, options, out)


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
    recipes: Sequence[PaperRecipes],
    machines: Mapping[str, MachineModel],
    papers: Sequence[ReproducedPaper],
    studied: Sequence[Studied],
) -> None:
    """Writes the page and the drawings that were asked for, over files of the same names."""
    if arguments.report is None and arguments.plot is None:
        return
    from leadline.cli.parsing.files import write
    from leadline.papers.cells import figures_of
    from leadline.papers.reproduction import measured_figures
    from leadline.report.page.reproduced import reproduced_page

    figures = (*figures_of(recipes, machines.__getitem__), *measured_figures(studied))
    if arguments.report is not None:
        write(arguments.report, reproduced_page(papers, figures).encode(), "--report")
    if arguments.plot is not None:
        draw_each((figure.figure for figure in figures), arguments.plot, "--plot")
