"""`leadline run --against RUN`: what RUN measured, by its libraries then and now, in one run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from leadline.cli import parser_for
from leadline.cli.reading import Reader
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.measure.against import Succession
    from leadline.measure.order import Order
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
    from leadline.backends.discovery import find_backends, select
    from leadline.measure.against import order_against, order_of_run, successions

    given = _given(arguments)
    run = Reader().run(arguments.against)
    begun = order_of_run(run)
    parts = [part for name in given & {*OVERRIDDEN} for part in OVERRIDDEN[name]]
    changed = {part: getattr(asked, part) for part in parts}
    order = replace(begun, wrappers=(*begun.wrappers, *asked.wrappers), **changed)
    backends = find_backends(order.wrappers)
    found = successions(run, order, backends, select(backends, asked.backends))
    return order_against(order, found), found


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
