"""`leadline study`: a paper's measurements on this machine, its tables, and which findings hold."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_folder, draw_each
from leadline.cli.parsing.forms import Report, add_forms, add_quiet, print_report, say
from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import UsageError
from leadline.papers.catalogue import STUDIES, all_studies, study_named

if TYPE_CHECKING:
    from leadline.papers.study import Study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline study`."""
    names = ", ".join(STUDIES)
    parser.add_argument("study", nargs="?", metavar="STUDY", help=f"{names}; none: list them")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="fewer sizes, and at most two numbers of PEs, no more than twice the cores; at most "
        "two minutes",
    )
    parser.add_argument(
        "--budget",
        metavar="TIME",
        help="time that all stages may take together (default: the study's own)",
    )
    parser.add_argument(
        "--backends",
        metavar="B,...",
        help="backends, as for run (default: the study's own, or those of a run, with pvm where "
        "the paper is about it)",
    )
    parser.add_argument(
        "--mpicc",
        action="append",
        default=[],
        metavar="PATH",
        help="one more MPI, by the path of its compiler wrapper (repeatable)",
    )
    parser.add_argument(
        "--hosts",
        metavar="H,...",
        help="study mapping only: 2 to 8 hosts to measure in place of emulated ones",
    )
    parser.add_argument(
        "--agent",
        metavar="PROGRAM",
        help="program that starts processes on them, as for run",
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="DIR",
        help="directory for the runs, new or empty (default: leadline-study-DATE-TIME)",
    )
    parser.add_argument(
        "--from",
        metavar="DIR",
        help="directory of a study: answer from what was measured, measure nothing",
    )
    parser.add_argument(
        "--figures",
        metavar="DIR",
        help="folder for the paper's figures, an SVG each; shared-memory and applications have "
        "none",
    )
    parser.add_argument(
        "-n",
        "--dry-run",
        action="store_true",
        help="print the plan and the time of every stage, start nothing but compilers and, "
        "for a moment, hosts",
    )
    add_quiet(parser)
    add_strict(parser)
    add_forms(parser)


MEASURING = (
    *("quick", "budget", "backends", "mpicc", "hosts", "agent", "out", "dry_run"),
    *("quiet", "verbose"),
)
"""Options of measuring, by their names in the arguments."""


def execute(arguments: argparse.Namespace) -> int:
    """Lists, measures or answers from what was measured, and prints; returns the exit status."""
    if arguments.study is None:
        return _list(arguments)
    study, folder = study_named(arguments.study), arguments.figures
    if folder is not None:
        if study.figures is None:
            raise UsageError(
                f"--figures: the paper of the study {study.name} has none; leave it out"
            )
        check_folder(folder, "--figures")
    earlier = getattr(arguments, "from")
    if earlier:
        for option in _given(arguments, MEASURING):
            raise UsageError(f"--from measures nothing; leave {option} out")
        return _answer(study, Path(earlier), arguments)
    from leadline.cli.outcome import COMPLETE, INTERRUPTED
    from leadline.cli.stages import measured

    out = Path(arguments.out or time.strftime("leadline-study-%Y%m%d-%H%M%S"))
    complete = measured(study, arguments, out)
    if arguments.dry_run:
        return COMPLETE
    if not complete:
        say(f"what there is: leadline study {study.name} --from {out}")
        return INTERRUPTED
    status = _answer(study, out, arguments)
    if not (arguments.quiet and arguments.out):
        say(f"\nrun directories: {out}/*")
    return status


def _given(arguments: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """The options among `names` that the command line has, as they are written."""
    return [f"--{name.replace('_', '-')}" for name in names if vars(arguments)[name]]


def _list(arguments: argparse.Namespace) -> int:
    """Prints which studies there are; UsageError for options that are for one of them."""
    from leadline.report.programs.study import studies_content, studies_records
    from leadline.report.text.study import studies_document

    for option in _given(arguments, (*MEASURING, "from", "figures", "strict")):
        raise UsageError(f"{option} is for one study; name it: {', '.join(STUDIES)}")
    studies = all_studies()
    report = Report(
        document=lambda: studies_document(studies),
        content=lambda: studies_content(studies),
        records=lambda: studies_records(studies),
    )
    print_report(report, arguments.form)
    return 0


def _answer(study: Study, directory: Path, arguments: argparse.Namespace) -> int:
    """Prints and draws what the runs below `directory` show; 1 where some of their cells failed.

    4: --strict objects. UsageError where no run belongs to the study, or it is there twice.
    """
    from leadline.cli.outcome import COMPLETE, SOME_FAILED
    from leadline.cli.parsing.reading import lost, runs_of
    from leadline.papers.study import studied
    from leadline.report.programs.study import study_content, study_records
    from leadline.report.text.study import study_document

    reader = Reader(arguments.strict)
    runs = runs_of([directory], [study.name], "--from", reader).get(study.name)
    if runs is None:
        raise UsageError(f"--from {directory}: no run in it belongs to the study {study.name}")
    found = studied(study, runs, reader.warnings)
    report = Report(
        document=lambda: study_document(found),
        content=lambda: study_content(found),
        records=lambda: study_records(found),
    )
    print_report(report, arguments.form)
    if arguments.figures is not None:
        draw_each(found.figures, arguments.figures, "--figures")
    return reader.status(SOME_FAILED if any(map(lost, runs.values())) else COMPLETE)
