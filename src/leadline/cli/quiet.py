"""What --quiet leaves out, plan, progress and hints, and --verbose adds.

Failures and errors are said all the same.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.measure.observer import Observer
    from leadline.measure.preparation import Compiling


def add_quiet(parser: argparse._ActionsContainer) -> None:
    """The options -q and -v of a command that measures."""
    loudness = parser.add_mutually_exclusive_group()
    loudness.add_argument(
        "-q", "--quiet", action="store_true", help="say no plan, no progress and no hints"
    )
    loudness.add_argument(
        "-v", "--verbose", action="store_true", help="say by which command ranks are started"
    )


def compiling_for(quiet: bool) -> Compiling:
    """Says what is compiled, unless it is to be quiet."""
    from leadline.report.text.preparing import say_compiling

    return (lambda names, done: None) if quiet else say_compiling


def observer_for(total_s: float, arguments: argparse.Namespace) -> Observer:
    """Shows how a campaign of `total_s` seconds gets on, as the options in `arguments` have it.

    Where it is to be quiet what failed.
    """
    from leadline.report.text.progress import FailuresOnly, progress_for

    if arguments.quiet:
        return FailuresOnly()
    return progress_for(total_s, arguments.verbose)
