"""`leadline study`: a paper's measurements on this machine, its tables, and whether they hold."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.forms import Report, add_forms, print_report
from leadline.errors import BudgetError, UsageError, unknown_name
from leadline.record.caveats import CaveatKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leadline.backends.backend import Backend
    from leadline.cli.campaigns import Prepared
    from leadline.record.run import Run
    from leadline.report.text.study import Studied
    from leadline.studies.shared_memory.stages import Stage

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
    import time

    from leadline.backends.discovery import find_backends
    from leadline.cli import campaigns

    out = Path(arguments.out or time.strftime("leadline-study-%Y%m%d-%H%M%S"))
    backends = find_backends(arguments.mpicc)
    names = _names(arguments, backends)
    stages = [stage for stage in _stages(arguments) if stage.takes(names)]
    planned = [_prepared(stage, out, arguments, names) for stage in stages]
    for prepared in planned:
        print(f"stage {prepared.directory.name}:", file=sys.stderr)
        prepared.print_plan()
    total_s = sum(prepared.plan.estimate_s for prepared in planned)
    print(f"all stages: about {total_s:.0f} s", file=sys.stderr)
    if arguments.dry_run:
        return campaigns.COMPLETE
    study = {"name": arguments.study, "missing": _missing(backends)}
    if not _conduct(planned, study):
        print(f"what there is: leadline study {arguments.study} --from {out}", file=sys.stderr)
        return campaigns.INTERRUPTED
    status = _answer(out, arguments.form)
    print(f"\nrun directories: {out}/*", file=sys.stderr)
    return status


def _conduct(planned: Sequence[Prepared], study: Mapping[str, object]) -> bool:
    """Measures stage by stage; False: interrupted, which leaves out the later ones."""
    from leadline.cli import campaigns
    from leadline.store import finish

    for prepared in planned:
        complete = campaigns.conduct(prepared, {"study": study})
        finish(prepared.directory)
        if not complete:
            resume = f"leadline run --resume {prepared.directory}"
            print(f"interrupted; this stage goes on with: {resume}", file=sys.stderr)
            return False
    return True


def _stages(arguments: argparse.Namespace) -> Sequence[Stage]:
    import os

    from leadline.studies.shared_memory.stages import stages

    return stages(_budget_s(arguments), arguments.quick, len(os.sched_getaffinity(0)))


def _budget_s(arguments: argparse.Namespace) -> float:
    """Of the whole study."""
    from leadline.studies.shared_memory.stages import FULL_S, QUICK_S
    from leadline.units import parse_duration

    usual = QUICK_S if arguments.quick else FULL_S
    return parse_duration(arguments.budget) if arguments.budget else usual


def _prepared(
    stage: Stage, out: Path, arguments: argparse.Namespace, backends: Sequence[str]
) -> Prepared:
    """The stage as `leadline run` would begin it."""
    from leadline.cli import campaigns, parser_for

    words = ["run", "--out", str(out / stage.name), "--budget", f"{stage.budget_s:g}s"]
    words += ["--patience", f"{stage.patience_s:g}s"]
    words += ["--patterns", ",".join(stage.measured(backends))]
    words += ["--sizes", ",".join(map(str, stage.sizes)), "--ranks", ",".join(map(str, stage.pes))]
    words += ["--backends", ",".join(stage.takes(backends))]
    words += [word for text in stage.variants(backends) for word in ("--variant", text)]
    if stage.load:  # isolated operations that all ranks begin in time are those that met no load
        words += ["--load", stage.load, "--cadence", "streaming"]
    words += [word for path in arguments.mpicc for word in ("--mpicc", path)]
    try:
        return campaigns.prepare_campaign(parser_for("run").parse_args(words))
    except BudgetError as error:
        whole_s = error.least_s * _budget_s(arguments) / stage.budget_s
        raise UsageError(
            f"stage {stage.name} has {stage.budget_s:.2g} s of the study's time and takes "
            f"{error.least_s:.2g} s at least; give --budget {math.ceil(whole_s)}s"
        ) from None


def _names(arguments: argparse.Namespace, backends: Sequence[Backend]) -> list[str]:
    """The backends asked for, else all that a run takes by itself."""
    from leadline.backends.kinds import KINDS
    from leadline.cli.options import words

    if arguments.backends:
        return words(arguments.backends, "--backends")
    return [b.name for b in backends if b.usable and not KINDS[b.kind].only_by_name]


def _missing(backends: Sequence[Backend]) -> dict[str, str]:
    """The libraries that this machine lacks, by kind, and how to get them."""
    from leadline.backends.kinds import title_of

    usable = {backend.kind for backend in backends if backend.usable}
    return {
        b.kind: f"{title_of(b.kind)}: {b.reason}; {b.remedy}"
        for b in backends
        if b.kind not in usable
    }


def _answer(directory: Path, form: str) -> int:
    """Prints what the runs below `directory` say; 1 where some of their cells failed."""
    from leadline.cli.campaigns import COMPLETE, SOME_FAILED
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
