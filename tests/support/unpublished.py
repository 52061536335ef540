"""A program: what is made again of papers, as JSON, in a process that may not know their results.

`python -m tests.support.unpublished hidden FOLDER ...`: of the papers in these folders of
leadline.papers. No result has a value from the moment on at which papers are first read, but those
whose ids stand on stdin, of machine files, a line each, and no table is read again: nothing that is
computed at import, kept in a constant or made by a function can know another. `told`: all have
theirs.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Collection
from typing import Any

SETTING = "config"
"""The quantity of what says how results came about, which has to be known."""
FORMS_PAPER = "collectives"
TABLES = (".csv", ".html", ".md")
"""How names end of files that have figures in them."""
Made = dict[str, Any]


def hide(told: Collection[str]) -> None:
    """Takes the value, and the words beside it, of every result that isn't `told`."""
    assert "leadline.papers.catalogue" not in sys.modules
    from leadline.papers.catalogue import all_papers
    from leadline.papers.published import Contradiction, PublishedFigure

    begin, contradict = PublishedFigure.__init__, Contradiction.__init__

    def without_value(self: PublishedFigure, **text: Any) -> None:
        if text["value"] is not None and text["quantity"] != SETTING and text["id"] not in told:
            text |= {"value": math.nan, "condition": ""}
        begin(self, **text)

    def without_words(self: Contradiction, figures: tuple[str, ...], *_: str, **__: str) -> None:
        contradict(self, figures, "", "", "")

    PublishedFigure.__init__ = without_value  # type: ignore[method-assign]
    Contradiction.__init__ = without_words  # type: ignore[method-assign]
    assert all(paper.figures for paper in all_papers())  # read, and kept


def read_no_tables() -> None:
    """Ends the process where it opens a file that may have figures in it."""

    def opened(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and str(arguments[0]).endswith(TABLES):
            raise AssertionError(f"{arguments[0]} is read")

    sys.addaudithook(opened)


def everything_of(modules: Collection[str]) -> Made:
    """Cells, curves and closed forms of these papers, each number to its last bit."""
    from harness.reproduced import made, recipes_of, shipped

    from leadline.papers.cells import figures_of

    recipes = [recipes_of(module) for module in modules]
    printed = {one.id for paper in recipes for one in paper.sentences if one.within}
    cells = {
        name: [_bits(one.ours), one.label, None if name in printed else one.holds]
        for paper in recipes
        for name, one in made(paper).items()
    }
    curves = {
        f"{drawn.id}: {curve.name}": [[one.at, _bits(one.estimate.value)] for one in curve.points]
        for drawn in figures_of(recipes, shipped)
        for curve in drawn.figure.curves
        if not curve.published
    }
    return {**cells, **curves, **(_forms() if FORMS_PAPER in modules else {})}


def _forms() -> Made:
    from harness.reproduced import shipped

    from leadline.papers.collectives.closed_forms import ASKED, forms_in
    from leadline.papers.simulation import times_of

    return {
        f"{one.machine}, {one.operation}": [
            *(_bits(value) for _, value in one.coefficients),
            _bits(one.rate_bytes_per_s),
            _bits(one.slope_bytes_per_s),
        ]
        for one in forms_in(times_of(ASKED, shipped))
    }


def _bits(value: float | None) -> str | None:
    return None if value is None else float(value).hex()


def main(mode: str, modules: Collection[str]) -> None:
    if mode == "hidden":
        hide(sys.stdin.read().split())
        read_no_tables()
    json.dump(everything_of(modules), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
