"""`leadline run --against RUN`: what RUN measured, by its libraries then and now, in one run."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from leadline.cli import parser_for
from leadline.cli.reading import Reader
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.backends.backend import Backend
    from leadline.measure.against import Libraries, Succession
    from leadline.measure.spec import Order
    from leadline.record.run import Run

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
"""Parts of the order that they replace."""


def order_against_run(
    arguments: argparse.Namespace, asked: Order
) -> tuple[Order, tuple[Succession, ...]]:
    """What is to be measured, and which variants succeed which; `asked` is in the arguments.

    UsageError where the old version isn't here any more, nothing is new, or an option is given
    that RUN decides.
    """
    from leadline.measure.against import order_against, order_of_run, successions

    given = _given(arguments)
    run = Reader().run(arguments.against)
    begun = order_of_run(run)
    parts = [part for name in given & {*OVERRIDDEN} for part in OVERRIDDEN[name]]
    changed = {part: getattr(asked, part) for part in parts}
    wrappers, libraries = _libraries(run, begun, asked)
    order = replace(begun, wrappers=wrappers, **changed)
    found = successions(run, order, libraries)
    return order_against(order, found), found


def _libraries(run: Run, begun: Order, asked: Order) -> tuple[tuple[str, ...], Libraries]:
    """The compiler wrappers that have to be known, and what this machine has with them.

    Those that are named come first, and so are called what they are called without `run`.
    """
    from leadline.backends.discovery import find_backends, of_wrappers, select
    from leadline.measure.against import Libraries, compilers_of_run

    named = (*asked.wrappers, *(name for name in asked.backends if "/" in name))
    is_there = os.path.isfile  # Path.is_file raises on EACCES
    old = list(filter(is_there, compilers_of_run(run) or begun.wrappers))
    backends = find_backends((*named, *old))
    recorded = {path: backend for path in old if (backend := _working(backends, path))}
    return (*named, *recorded), Libraries(
        backends,
        successors=select(backends, asked.backends),
        stand_ins=of_wrappers(backends, asked.wrappers),
        recorded=recorded,
    )


def _working(backends: Sequence[Backend], path: str) -> Backend | None:
    """What is behind the compiler wrapper at `path`; None where that can't be used any more."""
    from leadline.backends.discovery import of_wrappers

    try:
        return of_wrappers(backends, [path])[0]
    except UsageError:
        return None


def _given(arguments: argparse.Namespace) -> set[str]:
    """The options on the command line."""
    usual = vars(parser_for("run").parse_args(["run"]))
    given = {name for name, value in vars(arguments).items() if value != usual.get(name)}
    refused = sorted(given - {*OWN})
    if refused:
        option = refused[0].replace("_", "-")
        raise UsageError(
            f"--against measures what {arguments.against} did; leave --{option} out, or measure "
            "both versions by --backends"
        )
    return given


def conclude_against(run: Run, found: Sequence[Succession]) -> int:
    """Prints how each library compares with what it was; the exit status of `leadline compare`."""
    from leadline.compare.analysis import THRESHOLD, Analysis
    from leadline.compare.pairs import REGRESSION, compare_within
    from leadline.report.formats.terminal import print_document
    from leadline.report.text.compared import Compared
    from leadline.report.text.comparison import comparison_document

    analysis, statuses = Analysis(run), []
    for one in found:
        result = compare_within(analysis, one.before.name, [one.after.name])
        print_document(comparison_document(Compared((run,), result, THRESHOLD)))
        statuses.append(result.exit_status)
    return REGRESSION if REGRESSION in statuses else max(statuses)
