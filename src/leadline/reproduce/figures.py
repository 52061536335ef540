"""The papers' figures made again: curves of ours, and the points that can be read of theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.reproduce.asked import Asked, Machines, times_of
from leadline.reproduce.curves import DrawnCurve, FigureRecipe
from leadline.reproduce.drawn import DRAWN
from leadline.reproduce.recipe import PaperRecipes
from leadline.statistics.estimate import Estimate
from leadline.studies.figures import StudyCurve, StudyFigure, StudyPoint
from leadline.studies.published.catalogue import figure_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducedFigure:
    """One figure of a paper, or what draws a table or a sentence of it."""

    id: str
    paper: str
    """Its key."""
    where: str
    """As "Figure 3"."""
    figure: StudyFigure
    """Ours are stated values, without intervals."""
    note: str = ""
    """What has to be known before comparing; "": nothing."""


def figures_of(papers: Sequence[PaperRecipes], machines: Machines) -> tuple[ReproducedFigure, ...]:
    """Every figure of the papers, in their order.

    Args:
        papers: Whose figures.
        machines: What simulates them.

    Raises:
        UsageError, MachineError: As times_of says.
    """
    recipes = [(one.paper.key, recipe) for one in papers for recipe in _recipes(one, machines)]
    times = times_of((asked for _, recipe in recipes for asked in recipe.asked()), machines)
    return tuple(_figure(paper, recipe, times) for paper, recipe in recipes)


def _recipes(paper: PaperRecipes, machines: Machines) -> Iterator[FigureRecipe]:
    return DRAWN[paper.paper.key](machines)


def _figure(paper: str, recipe: FigureRecipe, times: Mapping[Asked, float]) -> ReproducedFigure:
    ours = [_ours(curve, times) for curve in recipe.curves if curve.points]
    printed = [_printed(curve) for curve in recipe.curves if curve.printed]
    return ReproducedFigure(
        id=recipe.id,
        paper=paper,
        where=recipe.where,
        figure=StudyFigure(
            name=recipe.id.replace(".", "-"),
            title=recipe.title,
            quantity=recipe.quantity,
            unit=recipe.unit,
            curves=(*ours, *printed),
            logarithmic=recipe.logarithmic,
            against_pes=recipe.against_pes,
        ),
        note=recipe.note,
    )


def _ours(curve: DrawnCurve, times: Mapping[Asked, float]) -> StudyCurve:
    points = tuple(
        StudyPoint(point.at, Estimate(point.ours([times[one] for one in point.asked])))
        for point in curve.points
    )
    return StudyCurve(curve.name, curve.library, curve.network, points)


def _printed(curve: DrawnCurve) -> StudyCurve:
    points = tuple(StudyPoint(at, Estimate(figure_of(name).si)) for at, name in curve.printed)
    name = f"{curve.name} (the paper)"
    return StudyCurve(name, curve.library, curve.network, points, published=True)
