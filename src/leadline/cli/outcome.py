"""A campaign as its user sees it: the plan before, the tables and the exit status after."""

from __future__ import annotations

import shlex
import shutil
import sys
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import Report, print_report, say
from leadline.cli.parsing.reading import NOT_WHOLE
from leadline.measure.prepared import Prepared
from leadline.record.run import Run
from leadline.record.warnings import UNMEASURED
from leadline.report.text.plan import plan_lines, wrapped_plan

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.report.text.measured import Measured

COMPLETE, SOME_FAILED, INTERRUPTED = 0, 1, 130


def print_plan(prepared: Prepared, whole: bool = True) -> None:
    """Prints on stderr what will be measured and how long it takes, in the terminal's width.

    Long lists of patterns that are left out are printed if the `whole` is wanted, else counted.
    """
    lines = plan_lines(
        prepared.plan, prepared.variants, prepared.warnings, prepared.sites,
        prepared.request.link_bound, whole,
    )  # fmt: skip
    if sys.stderr.isatty():
        lines = wrapped_plan(lines, shutil.get_terminal_size().columns)
    say("\n".join(lines))


def print_run(
    analysis: Analysis,
    form: str = "text",
    full: bool = False,
    tails: bool = False,
    by_ranks: bool = False,
) -> None:
    """Prints the report on a run in the form "text", "json", "csv" or "markdown".

    As text it is the first screen, unless it is to be `full`, with `tails`, or `by_ranks`.
    """
    from leadline.compare.analysis import THRESHOLD
    from leadline.report.programs.measured import measured_content, measured_records
    from leadline.report.text.first_screen import first_screen
    from leadline.report.text.run import run_document

    whole = full or tails or by_ranks or form != "text"
    measured = computed(analysis, THRESHOLD, tails)
    report = Report(
        document=lambda: run_document(measured, by_ranks) if whole else first_screen(measured),
        content=lambda: measured_content(measured),
        records=lambda: measured_records(measured),
    )
    print_report(report, form)


def computed(analysis: Analysis, threshold: float, tails: bool = False) -> Measured:
    """Everything that reports on a run contain; with `tails` also quantiles."""
    from leadline.compare.ranking import rankings_of
    from leadline.models.fitted import overview
    from leadline.models.pingpong import ping_pongs
    from leadline.report.text.measured import Measured

    return Measured(
        run=analysis.run,
        untimed=analysis.untimed,
        rows=analysis.summaries_with_tails if tails else analysis.summaries,
        rankings=rankings_of(analysis, threshold),
        pingpongs=ping_pongs(analysis),
        threshold=threshold,
        overlaps=analysis.hidden_shares,
        rates=analysis.rates,
        forms=overview(analysis),
    )


def conclude(run: Run, quiet: bool, known: bool, full: bool = False, strict: bool = False) -> int:
    """Prints what `run` shows, its directory and commands that go on; returns the exit status.

    `full` prints all tables; `quiet` leaves out the commands, and the directory where it is
    `known`; `strict` is --strict.
    """
    from leadline.compare.analysis import Analysis

    analysis = Analysis(run)
    try:
        print_run(analysis, full=full)
    finally:  # also where the tables can't be written
        if not (quiet and known):
            say(f"\nrun directory: {run.path}")
    if run.complete and run.batches.rank.size and not quiet:
        say(next_commands(run.path))
    if run.awaits_hosts:
        say(f"hosts went down; when they are back, go on with: {resuming(run.path)}")
        return SOME_FAILED
    if not run.complete:
        say(f"interrupted; go on with: {resuming(run.path)}")
        return INTERRUPTED
    status = status_of(run)
    return NOT_WHOLE if strict and analysis.untimed and not status else status


def next_commands(path: str) -> str:
    """Commands that show the run at `path`, a line each, quoted for a shell."""
    run = shlex.quote(path)
    return f"  leadline show {run} --full\n  leadline report {run}"


def resuming(path: str) -> str:
    """The command that goes on with the run at `path`, quoted for a shell."""
    return f"leadline run --resume {shlex.quote(path)}"


def status_of(run: Run) -> int:
    """0: every cell was measured; 1: some failed, or a variant couldn't be built or started."""
    lost = any(warning.code in UNMEASURED for warning in run.warnings)
    return SOME_FAILED if run.failures or lost else COMPLETE
