"""What a user sees of a campaign: its plan before, its tables and the exit status after."""

from __future__ import annotations

import shlex
import shutil
import sys

from leadline.cli.show import print_run
from leadline.errors import printable
from leadline.measure.prepared import Prepared
from leadline.record.codes import UNMEASURED
from leadline.record.run import Run
from leadline.report.text.plan import plan_lines, wrapped_plan

COMPLETE, SOME_FAILED, INTERRUPTED = 0, 1, 130


def print_plan(prepared: Prepared, whole: bool = True) -> None:
    """Prints on stderr what will be measured and how long it takes, as wide as a terminal is.

    Unless the `whole` is wanted, long lists of patterns that are left out are counted.
    """
    lines = plan_lines(
        prepared.plan, prepared.variants, prepared.caveats, prepared.sites,
        prepared.order.link_bound, whole,
    )  # fmt: skip
    if sys.stderr.isatty():
        lines = wrapped_plan(lines, shutil.get_terminal_size().columns)
    print(printable("\n".join(lines)), file=sys.stderr)


def conclude(run: Run, quiet: bool, known: bool) -> int:
    """Prints the tables of `run`, where it is and what may be asked next; returns the exit status.

    Who is `quiet` is told nothing but where it is, unless that is `known`.
    """
    try:
        print_run(run)
    finally:  # also where nobody takes the tables
        if not (quiet and known):
            print(f"\nrun directory: {run.path}", file=sys.stderr)
    if run.complete and run.batches.rank.size and not quiet:
        print(printable(next_commands(run.path)), file=sys.stderr)
    if run.awaits_hosts:
        again = f"leadline run --resume {run.path}"
        print(f"hosts went down; when they are back, go on with: {again}", file=sys.stderr)
        return SOME_FAILED
    if not run.complete:
        print(f"interrupted; go on with: leadline run --resume {run.path}", file=sys.stderr)
        return INTERRUPTED
    return status_of(run)


def next_commands(path: str) -> str:
    """What may be asked of the run at `path` next, a line each, as a shell takes it."""
    return f"  leadline show {shlex.quote(path)}\n  leadline report {shlex.quote(path)}"


def status_of(run: Run) -> int:
    """0: every cell was measured; 1: some failed, or a variant couldn't be built or started."""
    lost = any(caveat.code in UNMEASURED for caveat in run.warnings)
    return SOME_FAILED if run.failures or lost else COMPLETE
