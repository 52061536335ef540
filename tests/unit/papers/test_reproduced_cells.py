"""What every cell and every curve comes to: whatever changes one of them shows which."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from harness.reproduced import PAPERS_MADE, kept, redrawn

from leadline.papers.cells import ReproducedCell, ReproducedFigure


def told(cell: ReproducedCell) -> str:
    """To four digits."""
    ours = "-" if cell.ours is None else f"{cell.ours:.4g}"
    published = "-" if cell.published is None else f"{cell.published:.4g}"
    holds = "" if cell.holds is None else " holds" if cell.holds else " doesn't hold"
    return f"{cell.id}: {cell.relation} {published} {cell.unit}, {ours} {cell.label}{holds}"


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_every_cell_of_a_paper_is_what_it_was(
    module: str, golden: Callable[[str, str], None]
) -> None:
    golden(f"reproduced_{module}.cells", "".join(f"{told(one)}\n" for one in kept(module).values()))


def lines(figure: ReproducedFigure) -> Iterator[str]:
    """A line a curve: its first, its middle and its last point, as the figure's unit has them."""
    unit = figure.figure.unit
    for curve in figure.figure.curves:
        points = curve.points
        chosen = dict.fromkeys((points[0], points[len(points) // 2], points[-1]))
        words = (f"{one.at}: {one.estimate.value / unit.worth:.4g}" for one in chosen)
        yield f"{figure.id}, {curve.name}, {unit.symbol}: {', '.join(words)}\n"


def test_every_curve_is_what_it_was(golden: Callable[[str, str], None]) -> None:
    golden("reproduced.curves", "".join(line for one in redrawn() for line in lines(one)))
