"""`leadline reproduce`: every figure of the papers beside what machine files make of it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from leadline.cli.forms import Report, add_forms, print_report
from leadline.cli.reading import Reader, add_strict
from leadline.cli.reproduce_here import add_here, measured_here
from leadline.cli.reproduced_files import add_files, check_files, write_files
from leadline.cli.saying import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leadline.record.caveats import Caveat
    from leadline.reproduce.recipe import PaperRecipes
    from leadline.reproduce.reproduction import ReproducedPaper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline reproduce`."""
    from leadline.studies.published.catalogue import PAPERS

    keys = ", ".join(one.key for one in PAPERS)
    told = f"one of {keys}; repeatable (default: all)"
    parser.add_argument("--paper", metavar="NAME", action="append", default=[], help=told)
    add_files(parser)
    add_here(parser)
    add_strict(parser)
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Simulates what the papers measured and prints it beside theirs; 0, whatever is off.

    1: something couldn't be measured that was to be. 4: --strict objects.
    """
    from leadline.cli.outcome import COMPLETE, INTERRUPTED, SOME_FAILED
    from leadline.reproduce.catalogue import recipes_for
    from leadline.reproduce.figures import figures_of
    from leadline.reproduce.measured import measured_figures
    from leadline.reproduce.reproduction import reproduction
    from leadline.simulate.shipped import machine_named, shipped_names

    recipes = recipes_for(*arguments.paper)
    check_files(arguments)
    reader = Reader(arguments.strict)
    here = measured_here(arguments, [one.paper.key for one in recipes], reader)
    if here.interrupted:
        return INTERRUPTED
    _tell(recipes)
    machines = {name: machine_named(name) for name in shipped_names()}
    papers = reproduction(recipes, list(machines.values()), here.studied)
    write_files(
        arguments,
        papers,
        lambda: (*figures_of(recipes, machines.__getitem__), *measured_figures(here.studied)),
    )
    print_report(_report(papers, reader.said), arguments.form)
    return reader.status(SOME_FAILED if here.failed else COMPLETE)


def _tell(recipes: Sequence[PaperRecipes]) -> None:
    """Who waits at a terminal hears what for."""
    if sys.stderr.isatty():
        keys = ", ".join(one.paper.key for one in recipes)
        say(f"simulating {keys}: some seconds")


def _report(papers: Sequence[ReproducedPaper], said: Sequence[Caveat]) -> Report:
    from leadline.report.programs.reproduced import reproduced_content, reproduced_records
    from leadline.report.text.reproduced import reproduced_document

    return Report(
        document=lambda: reproduced_document(papers),
        content=lambda: reproduced_content(papers, said),
        records=lambda: reproduced_records(papers),
    )
