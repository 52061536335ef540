"""`leadline run`: plans, builds, measures, and prints the results.

With --resume it goes on with an interrupted run, by the options that it has stored; with --against
it repeats what a run measured, by its libraries then and now, in one run.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli import parser_for
from leadline.cli.parsing.forms import add_quiet, compiling_for, observer_for, say
from leadline.cli.parsing.reading import NOT_WHOLE, Reader
from leadline.errors import UsageError
from leadline.patterns.suites import SUITES

if TYPE_CHECKING:
    from leadline.measure.against import Libraries, Succession
    from leadline.measure.spec import Request
    from leadline.record.run import Run
    from leadline.store import Stored


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline run`."""
    what = parser.add_argument_group("what to measure")
    what.add_argument(
        "--suite",
        default="quick",
        metavar="|".join(SUITES),
        help="set of patterns; all is p2p, collectives and onesided (default: quick)",
    )
    what.add_argument(
        "--patterns", metavar="P,...",
        help="patterns in place of the suite's, with options: allreduce:max, unexpected:16, "
        "ibcast:overlapped:work=20us (`leadline patterns` lists all)",
    )  # fmt: skip
    what.add_argument(
        "--backends",
        metavar="B,...",
        help="backends by name, or by the path of an mpicc or of the prefix with bin/mpicc "
        "(default: all usable ones but pvm, smpi, tcp, trace and null; with --variant: none)",
    )
    what.add_argument(
        "--variant", action="append", default=[], metavar="NAME=BACKEND,SETTING,...",
        help="backend with settings, under a name of its own (repeatable): env:KEY=VALUE, "
        "arg:WORD for its launcher, map:hops|load|internode|hop-bytes|FILE for ranks on a grid, "
        "machine:NAME|FILE and library:NAME for smpi",
    )  # fmt: skip
    what.add_argument(
        "--machine", metavar="NAME|FILE",
        help="machine that backend smpi simulates, as for simulate, e.g. cray-t3e-900",
    )  # fmt: skip
    what.add_argument(
        "--library",
        metavar="NAME",
        help="library whose costs messages have there (default: the machine's first)",
    )
    what.add_argument(
        "--mpicc",
        action="append",
        default=[],
        metavar="PATH",
        help="one more MPI, by the path of its compiler wrapper (repeatable)",
    )
    what.add_argument("--ranks", default="2", metavar="N,...", help="numbers of ranks (default: 2)")
    what.add_argument(
        "--root",
        default="0",
        metavar="N",
        help="root rank of bcast, gather, scatter, reduce, gatherv and scatterv unless it "
        "rotates (default: 0)",
    )
    what.add_argument(
        "--sizes",
        metavar="S,...",
        help="message sizes, e.g. 0,8,64KiB,1MB: 64k is 64 KiB, 1MB is 10^6 B (default: 12 from "
        "0 to 2,000,000 B)",
    )
    how = parser.add_argument_group("how to measure")
    how.add_argument(
        "--buffers", default="echo", metavar="echo|separate|cold",
        help="which memory messages use; separate compares with OSU's and IMB's figures "
        "(default: echo)",
    )  # fmt: skip
    how.add_argument(
        "--cadence",
        metavar="streaming|isolated",
        help="how operations follow each other (default: as the pattern sets it)",
    )
    how.add_argument(
        "--per-operation",
        action="store_true",
        help="one repetition a batch, so that `show --tails` has quantiles of single operations",
    )
    how.add_argument(
        "--all-ranks",
        action="store_true",
        help="keep the batches of all ranks, also of more than 16 (default: above 16 the "
        "slowest rank's)",
    )
    how.add_argument(
        "--budget",
        metavar="TIME",
        help="time that the campaign may take: 60s, 5min, 1h (default: the suite's)",
    )
    how.add_argument(
        "--precision", default="2%", metavar="SHARE",
        help="stop when the half width of every interval is below this (default: 2%%)",
    )  # fmt: skip
    how.add_argument(
        "--blocks",
        metavar="N",
        help="exact number of blocks, however long they take; --budget then only sets how often "
        "a block visits its cells",
    )
    how.add_argument(
        "--bind",
        default="auto",
        metavar="auto|none|C,...",
        help="core list that the ranks of each host take in turn, e.g. 0,1,8; auto: all allowed "
        "cores; none: unbound (default: auto)",
    )
    how.add_argument(
        "--hosts",
        metavar="H,...",
        help="hosts to spread ranks over, consecutive ranks together, e.g. node[01-03],login; at "
        "most 4,096 (default: this host)",
    )
    how.add_argument(
        "--agent", metavar="PROGRAM",
        help="program that starts processes on hosts, called PROGRAM HOST COMMAND (default: ssh; "
        "on emulated hosts their own)",
    )  # fmt: skip
    how.add_argument(
        "--launcher", metavar="own|srun",
        help="launcher of the ranks: the library's own, or Slurm's (default: srun inside an "
        "allocation of Slurm)",
    )  # fmt: skip
    how.add_argument(
        "--link-bound", nargs="?", const="", metavar="RATE",
        help="with --hosts: watch the links, and give verdicts above the core count where a link "
        "is the limit; RATE is what each allows, e.g. 10Mbit, 2.5Gbit or 100Gbit/s (default: as "
        "interfaces report)",
    )  # fmt: skip
    how.add_argument(
        "--load",
        metavar="N|cores",
        help="number of spinning processes beside the ranks, over the first host's cores in "
        "turn, at most 64 on each; cores: one on each",
    )
    how.add_argument(
        "--patience", default="20s", metavar="TIME",
        help="timeout after which a rank is reported as hung, longer for large messages "
        "(default: 20s)",
    )  # fmt: skip
    how.add_argument(
        "--seed",
        default="0",
        metavar="N",
        help="seed of the random order (default: 0)",
    )
    where = parser.add_argument_group("where the run goes")
    where.add_argument(
        "-o",
        "--out",
        metavar="DIR",
        help="directory for the run, new or empty (default: leadline-DATE-TIME)",
    )
    where.add_argument(
        "--resume",
        metavar="DIR",
        help="go on with an interrupted run, by the options that it was started with",
    )
    where.add_argument(
        "--against", metavar="RUN",
        help="measure what RUN did, by its libraries as they were and as they are now, in one "
        "run, and compare",
    )  # fmt: skip
    where.add_argument(
        "-n",
        "--dry-run",
        action="store_true",
        help="print the plan, start nothing but compilers",
    )
    where.add_argument(
        "--strict",
        action="store_true",
        help=f"exit status {NOT_WHOLE} where a cell has no time, as none of its batches counts",
    )
    add_quiet(where)


def execute(arguments: argparse.Namespace) -> int:
    """Runs the campaign that `arguments` ask for; returns the exit status."""
    if arguments.resume:
        return resume_campaign(arguments)
    from leadline.cli.outcome import COMPLETE, conclude, print_plan
    from leadline.cli.parsing.options import request_of
    from leadline.cli.simulated_machines import on_machine, simulated_machines
    from leadline.measure.conduct import conduct
    from leadline.measure.preparation import prepare
    from leadline.store import check_unused

    request, successions = request_of(arguments), None
    if arguments.against:
        request, successions = request_against_run(arguments, request)
    request = on_machine(request, arguments.machine, arguments.library)
    directory = Path(arguments.out or time.strftime("leadline-%Y%m%d-%H%M%S"))
    check_unused(directory)
    with simulated_machines(request) as machines:
        prepared = prepare(request, machines=machines, compiling=compiling_for(arguments.quiet))
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


def _given(arguments: argparse.Namespace) -> list[str]:
    """The options that differ from their defaults, by their names in `arguments`."""
    usual = vars(parser_for("run").parse_args(["run"]))
    return [name for name, value in vars(arguments).items() if value != usual.get(name)]


# -- going on --------------------------------------------------------------------------------------


def resume_campaign(arguments: argparse.Namespace) -> int:
    """Goes on with the interrupted campaign in `arguments.resume`."""
    from leadline.cli.outcome import conclude, status_of
    from leadline.cli.parsing.options import request_of
    from leadline.measure.conduct import resume
    from leadline.measure.preparation import restore
    from leadline.store import stored

    beside = ("resume", "quiet", "verbose", "strict")
    for name in _given(arguments):
        if name not in beside:
            raise UsageError(
                "--resume goes on with the options that the run was started with; leave "
                f"--{name.replace('_', '-')} out"
            )
    found = stored(arguments.resume)
    run = found.run
    if run.complete:
        say(f"{run.path}: {_completed(found)}")
        return status_of(run)
    usual = vars(arguments)
    interrupted = restore(
        run, lambda words: request_of(argparse.Namespace(**(usual | dict(words))))
    )
    done, left = interrupted.whole_blocks, interrupted.blocks_left
    quiet = bool(arguments.quiet)
    if not quiet:
        say(f"{run.path}: {done} blocks are complete, {left} to go")
    observer = observer_for(interrupted.prepared.plan.estimate_s, arguments)
    run = resume(interrupted, observer)
    return conclude(run, quiet, known=True, strict=arguments.strict)


def _completed(found: Stored) -> str:
    """The message about a complete run, whose tables are written where they are missing."""
    from leadline.measure.conduct import Tables, finish_tables

    match finish_tables(found):
        case Tables.WRITTEN:
            return "complete; its tables were missing or couldn't be used; they are written again"
        case Tables.LEFT:
            return (
                "already complete; its tables are missing or damaged, and its journal has lost "
                "lines, so they aren't written again; what is left of it can be read"
            )
        case Tables.WHOLE:
            return "already complete; nothing to do"


# -- against what a run measured -------------------------------------------------------------------

OWN = (
    *("against", "backends", "mpicc", "budget", "blocks", "precision", "seed", "out", "dry_run"),
    *("quiet", "verbose", "strict"),
)
"""Options that can be given beside --against; everything else is as RUN has it."""
OVERRIDDEN = {
    "budget": ("budget_s", "budget_kept"),
    "blocks": ("blocks",),
    "precision": ("precision",),
    "seed": ("seed",),
}
"""The parts of the specification that they replace."""


def request_against_run(
    arguments: argparse.Namespace, asked: Request
) -> tuple[Request, tuple[Succession, ...]]:
    """What is to be measured, and which variants succeed which; `asked` is in the arguments.

    UsageError where the old version isn't here any more, nothing is new, or an option is given
    that RUN decides.
    """
    from leadline.measure.against import request_against, request_of_run, successions

    given = _given(arguments)
    refused = sorted({*given} - {*OWN})
    if refused:
        raise UsageError(
            f"--against measures what {arguments.against} did; leave "
            f"--{refused[0].replace('_', '-')} out, or measure both versions by --backends"
        )
    run = Reader().run(arguments.against)
    begun = request_of_run(run)
    parts = [part for name in given if name in OVERRIDDEN for part in OVERRIDDEN[name]]
    changed = {part: getattr(asked, part) for part in parts}
    wrappers, libraries = _libraries(run, begun, asked)
    request = replace(begun, wrappers=wrappers, **changed)
    found = successions(run, request, libraries)
    return request_against(request, found), found


def _libraries(run: Run, begun: Request, request: Request) -> tuple[tuple[str, ...], Libraries]:
    """The compiler wrappers that have to be known, and this machine's libraries with them.

    Wrappers named on the command line come first, and so keep the names that they have without
    `run`.
    """
    from leadline.backends.discovery import find_backends, of_wrappers, select
    from leadline.measure.against import Libraries, compilers_of_run

    named = (*request.wrappers, *(name for name in request.backends if "/" in name))
    is_there = os.path.isfile  # Path.is_file raises on EACCES
    old = list(filter(is_there, compilers_of_run(run) or begun.wrappers))
    backends = find_backends((*named, *old))
    recorded = {}
    for path in old:
        with contextlib.suppress(UsageError):  # a wrapper that can't be used any more
            recorded[path] = of_wrappers(backends, [path])[0]
    return (*named, *recorded), Libraries(
        backends,
        successors=select(backends, request.backends),
        stand_ins=of_wrappers(backends, request.wrappers),
        recorded=recorded,
    )


def conclude_against(run: Run, found: Sequence[Succession]) -> int:
    """Prints how each library compares with its predecessor; the status of `leadline compare`."""
    from leadline.compare.analysis import THRESHOLD, Analysis
    from leadline.compare.pairs import REGRESSION, compare_within
    from leadline.report.formats.plain_text import print_document
    from leadline.report.text.comparison import Compared, comparison_document

    analysis, statuses = Analysis(run), []
    for succession in found:
        result = compare_within(analysis, succession.before.name, [succession.after.name])
        print_document(comparison_document(Compared((run,), result, THRESHOLD)))
        statuses.append(result.exit_status)
    return REGRESSION if REGRESSION in statuses else max(statuses)
