"""`leadline run --resume`: goes on with an interrupted run, by the options that it has stored."""

from __future__ import annotations

import argparse

from leadline.cli import parser_for
from leadline.cli.options import order_of
from leadline.cli.outcome import conclude, status_of
from leadline.cli.quiet import observer_for
from leadline.cli.saying import say
from leadline.errors import UsageError
from leadline.measure.conduct import Tables, finish_tables, resume
from leadline.measure.preparation import restore
from leadline.store import Stored, stored


def resume_campaign(arguments: argparse.Namespace) -> int:
    """Goes on with the interrupted campaign in `arguments.resume`."""
    _refuse_other_options(arguments)
    found = stored(arguments.resume)
    run = found.run
    if run.complete:
        say(f"{run.path}: {_completed(found)}")
        return status_of(run)
    usual = vars(arguments)
    interrupted = restore(run, lambda words: order_of(argparse.Namespace(**(usual | dict(words)))))
    done, left = interrupted.whole_blocks, interrupted.blocks_left
    quiet = bool(arguments.quiet)
    if not quiet:
        say(f"{run.path}: {done} blocks are complete, {left} to go")
    observer = observer_for(interrupted.prepared.plan.estimate_s, arguments)
    run = resume(interrupted, observer)
    return conclude(run, quiet, known=True, strict=arguments.strict)


def _completed(found: Stored) -> str:
    """What is said of a complete run, whose tables are written where there are none to use."""
    match finish_tables(found):
        case Tables.WRITTEN:
            return "complete; its tables were missing or couldn't be used; they are written anew"
        case Tables.LEFT:
            return (
                "already complete; its tables are missing or damaged, and its journal has lost "
                "lines, so they aren't written anew; what is left of it can be read"
            )
        case Tables.WHOLE:
            return "already complete; nothing to do"


def _refuse_other_options(arguments: argparse.Namespace) -> None:
    usual = vars(parser_for("run").parse_args(["run"]))
    beside = ("resume", "quiet", "verbose", "strict")
    changed = [k for k, v in vars(arguments).items() if k not in beside and v != usual.get(k)]
    if changed:
        option = changed[0].replace("_", "-")
        raise UsageError(
            f"--resume goes on with the options that the run was started with; leave --{option} out"
        )
