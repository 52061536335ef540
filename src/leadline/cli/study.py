"""`leadline study`: a paper's measurements on this machine, its tables, and whether they hold."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.forms import Report, add_forms, print_report
from leadline.errors import UsageError, unknown_name
from leadline.record.caveats import CaveatKind

if TYPE_CHECKING:
    from leadline.record.run import Run
    from leadline.report.text.study import Studied

STUDIES = ("shared-memory",)
SAID_BY_TABLES = tuple(
    kind.code for kind in (CaveatKind.ABSENT, CaveatKind.OVERSUBSCRIBED, CaveatKind.BACKGROUND_LOAD)
)
"""Codes of warnings that repeat what the tables say where it matters."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline study`."""
    parser.add_argument("study", metavar="STUDY", help=", ".join(STUDIES))
    parser.add_argument("--quick", action="store_true", help="fewer sizes and PEs, two minutes")
    parser.add_argument("--budget", metavar="TIME", help="default: 380s, quick 82s")
    parser.add_argument("--backends", metavar="B,...", help="default: every usable one")
    parser.add_argument("--mpicc", action="append", default=[], metavar="PATH", help="one more MPI")
    parser.add_argument("--out", metavar="DIR", help="default: leadline-study-DATE-TIME")
    parser.add_argument("--from", metavar="DIR", help="answer from what was measured before")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, start nothing")
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Measures unless told where that was done, and prints; returns the exit status."""
    if arguments.study not in STUDIES:
        raise unknown_name("study", arguments.study, STUDIES)
    earlier = getattr(arguments, "from")
    if earlier:
        _refuse_beside_from(arguments)
        return _answer(Path(earlier), arguments.form)
    return _measure(arguments)


def _refuse_beside_from(arguments: argparse.Namespace) -> None:
    measuring = ("quick", "budget", "backends", "mpicc", "out", "dry_run")
    given = [name for name in measuring if vars(arguments)[name]]
    if given:
        option = given[0].replace("_", "-")
        raise UsageError(f"--from measures nothing; leave --{option} out")


def _measure(arguments: argparse.Namespace) -> int:
    from leadline.cli.outcome import COMPLETE, INTERRUPTED
    from leadline.cli.stages import measured, planned

    stages = planned(arguments)
    if arguments.dry_run:
        return COMPLETE
    if not measured(stages, arguments.study):
        directory = stages.directory
        print(
            f"what there is: leadline study {arguments.study} --from {directory}", file=sys.stderr
        )
        return INTERRUPTED
    status = _answer(stages.directory, arguments.form)
    print(f"\nrun directories: {stages.directory}/*", file=sys.stderr)
    return status


def _answer(directory: Path, form: str) -> int:
    """Prints what the runs below `directory` say; 1 where some of their cells failed."""
    from leadline.cli.outcome import COMPLETE, SOME_FAILED
    from leadline.report.programs.study import study_content, study_records
    from leadline.report.text.study import study_document

    runs = _runs(directory)
    studied = _studied(runs)
    report = Report(
        document=lambda: study_document(studied),
        content=lambda: study_content(studied),
        records=lambda: study_records(studied),
    )
    print_report(report, form)
    return SOME_FAILED if any(map(_lost, runs.values())) else COMPLETE


def _runs(directory: Path) -> dict[str, Run]:
    """The study's runs below `directory` by stage; UsageError where there is none, or two."""
    from leadline.store import load, runs_below

    found: dict[str, Run] = {}
    for path in runs_below(directory):
        run = load(path)
        study = run.provenance.study
        if study is None or study.name != STUDIES[0]:
            continue
        if path.name in found:
            raise UsageError(f"--from {directory}: several studies are below it; name one of them")
        found[path.name] = run
    if not found:
        raise UsageError(f"--from {directory}: no run in it belongs to the study {STUDIES[0]}")
    return found


def _lost(run: Run) -> bool:
    """Whether a cell failed that had a core for each rank, or a variant couldn't be built."""
    alone = (not run.configurations[f.configuration].oversubscribed for f in run.failures)
    return any(alone) or any(caveat.code == CaveatKind.BUILD.code for caveat in run.warnings)


def _studied(runs: dict[str, Run]) -> Studied:
    from leadline.compare.analysis import Analysis
    from leadline.compare.pairs import INCOMPLETE
    from leadline.report.text.study import Studied
    from leadline.studies.findings import answered
    from leadline.studies.published.cray_mpt import SOURCE
    from leadline.studies.results import results_of
    from leadline.studies.shared_memory.findings import CLAIMS
    from leadline.studies.shared_memory.tables import tables

    results = results_of({stage: Analysis(run) for stage, run in runs.items()})
    caveats = [INCOMPLETE for run in runs.values() if not run.complete]
    caveats += [c for run in runs.values() for c in run.warnings if c.code not in SAID_BY_TABLES]
    first = {(caveat.code, caveat.remedy): caveat for caveat in reversed(caveats)}
    return Studied(
        title=STUDIES[0],
        source=SOURCE,
        directories=[run.path for run in runs.values()],
        tables=tables(results),
        findings=answered(CLAIMS, results),
        caveats=tuple(reversed(first.values())),
    )
