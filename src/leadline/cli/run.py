"""`leadline run`: plan, build, measure, and say what came out."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from leadline.cli.quiet import add_quiet
from leadline.cli.reading import NOT_WHOLE
from leadline.measure.suites import SUITES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline run`."""
    what = parser.add_argument_group("what to measure")
    what.add_argument(
        "--suite", default="quick", metavar="|".join(SUITES), help="of patterns (default: quick)"
    )
    what.add_argument(
        "--patterns", metavar="P,...",
        help="with options: allreduce:max, unexpected:16, ibcast:overlapped:work=20us "
        "(`leadline patterns` lists all)",
    )  # fmt: skip
    what.add_argument("--backends", metavar="B,...", help="default: every usable one")
    what.add_argument(
        "--variant", action="append", default=[], metavar="NAME=BACKEND,SETTING,...",
        help="a backend with settings, under a name of its own (repeatable): env:KEY=VALUE, "
        "arg:WORD for its launcher, map:hops|load|internode|hop-bytes|FILE for ranks on a grid, "
        "machine:NAME|FILE and library:NAME for smpi",
    )  # fmt: skip
    what.add_argument(
        "--machine", metavar="NAME|FILE",
        help="that backend smpi simulates, as for simulate, e.g. cray-t3e-900",
    )  # fmt: skip
    what.add_argument("--library", metavar="NAME", help="whose costs messages have there")
    what.add_argument("--mpicc", action="append", default=[], metavar="PATH", help="one more MPI")
    what.add_argument("--ranks", default="2", metavar="N,...", help="default: 2")
    what.add_argument("--root", default="0", metavar="N", help="of bcast, reduce, ... (default: 0)")
    what.add_argument("--sizes", metavar="S,...", help="e.g. 0,8,64KiB,1MB; default: 12 sizes")
    how = parser.add_argument_group("how to measure")
    how.add_argument(
        "--buffers", default="echo", metavar="echo|separate|cold",
        help="which memory messages use (default: echo; separate compares with OSU's and IMB's)",
    )  # fmt: skip
    how.add_argument("--cadence", metavar="streaming|isolated", help="default: the pattern's own")
    how.add_argument("--per-operation", action="store_true", help="time each one, for p90 and p99")
    how.add_argument(
        "--all-ranks", action="store_true", help="keep all ranks' batches, of more than 16 too"
    )
    how.add_argument("--budget", metavar="TIME", help="default: 60s, more for large suites")
    how.add_argument(
        "--precision", default="2%", metavar="SHARE",
        help="stop when every interval's half width is below it (default: 2%%)",
    )  # fmt: skip
    how.add_argument("--blocks", metavar="N", help="exactly N, however long they take")
    how.add_argument(
        "--bind",
        default="auto",
        metavar="auto|none|C,...",
        help="cores of the ranks (default: auto)",
    )
    how.add_argument("--hosts", metavar="H,...", help="spread ranks over these, e.g. node[01-03]")
    how.add_argument(
        "--agent", metavar="PROGRAM",
        help="starts processes on hosts (default: ssh; on emulated hosts their own)",
    )  # fmt: skip
    how.add_argument(
        "--launcher", metavar="own|srun",
        help="who starts ranks (default: srun inside an allocation of Slurm)",
    )  # fmt: skip
    how.add_argument(
        "--link-bound", nargs="?", const="", metavar="RATE",
        help="verdicts above the core count where a link is the limit, e.g. 1Gbit",
    )  # fmt: skip
    how.add_argument("--load", metavar="N|cores", help="spinning processes beside the ranks")
    how.add_argument(
        "--patience", default="20s", metavar="TIME",
        help="without an answer before a rank counts as hung (default: 20s)",
    )  # fmt: skip
    how.add_argument("--seed", default="0", metavar="N", help="of the random order (default: 0)")
    where = parser.add_argument_group("where the run goes")
    where.add_argument("-o", "--out", metavar="DIR", help="default: leadline-DATE-TIME")
    where.add_argument("--resume", metavar="DIR", help="go on with an interrupted run")
    where.add_argument(
        "--against", metavar="RUN",
        help="measure what RUN did, by its libraries as they were and as they are now, in one run",
    )  # fmt: skip
    where.add_argument("-n", "--dry-run", action="store_true", help="print the plan, start nothing")
    where.add_argument(
        "--strict", action="store_true", help=f"exit status {NOT_WHOLE} where a cell has no time"
    )
    add_quiet(where)


def execute(arguments: argparse.Namespace) -> int:
    """Runs the campaign that `arguments` ask for; returns the exit status."""
    if arguments.resume:
        from leadline.cli.resume import resume_campaign

        return resume_campaign(arguments)
    return _start(arguments)


def _start(arguments: argparse.Namespace) -> int:
    from leadline.cli.against import conclude_against, order_against_run
    from leadline.cli.options import order_of
    from leadline.cli.outcome import COMPLETE, conclude, print_plan
    from leadline.cli.quiet import compiling_for, observer_for
    from leadline.cli.simulated_machines import on_machine, simulated_machines
    from leadline.measure.conduct import conduct
    from leadline.measure.preparation import prepare
    from leadline.store import check_unused

    order, successions = order_of(arguments), None
    if arguments.against:
        order, successions = order_against_run(arguments, order)
    order = on_machine(order, arguments.machine, arguments.library)
    directory = Path(arguments.out or time.strftime("leadline-%Y%m%d-%H%M%S"))
    check_unused(directory)
    with simulated_machines(order) as machines:
        prepared = prepare(order, machines=machines, compiling=compiling_for(arguments.quiet))
        if arguments.dry_run or not arguments.quiet:
            print_plan(prepared, whole=arguments.dry_run)
        if arguments.dry_run:
            return COMPLETE
        observer = observer_for(prepared.plan.estimate_s, arguments)
        run = conduct(prepared, directory, observer)
    status = conclude(
        run, arguments.quiet, known=arguments.out is not None, strict=arguments.strict
    )
    return status if successions is None or status else conclude_against(run, successions)
