"""Published figures beside ours: a cell a figure, curves for a drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from leadline.papers.catalogue import figure_of
from leadline.papers.layout import StudyCurve, StudyFigure, StudyPoint
from leadline.papers.recipe import (
    FigureRecipe,
    MachineSentenceRecipe,
    PaperRecipes,
    Relation,
    SentenceRecipe,
)
from leadline.papers.simulation import CellSpec, Machines, times_of
from leadline.statistics.estimate import Estimate

WHOLE = 100.0
"""Per cent."""


class Label(StrEnum):
    """Where our figure comes from."""

    FITTED = "fitted"
    """A machine's value was chosen to reach the published one, or is it."""
    PREDICTED = "predicted"
    """By a machine of whose values none was."""
    MEASURED = "measured here"
    """On this machine, besides what is simulated; where it couldn't be, there is the reason."""
    NOT_REPRODUCIBLE = "not reproducible"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducedCell:
    """One figure of a paper, or one sentence of it."""

    id: str
    paper: str
    """Its key."""
    published: float | None
    """In `unit`, as `ours`; None: not printed, or only drawn."""
    ours: float | None
    """None: not reproducible, or not measured."""
    unit: str
    relation: Relation = Relation.ABOUT
    gain: bool = False
    """Both are gains in per cent, compared as times: 0 % deviates from 2 % by 2 %."""
    label: Label
    reason: str = ""
    """Why there is none of ours, or why it deviates, as far as it is known."""
    text: str = ""
    """A sentence of the paper's, in our words; "": a figure."""
    holds: bool | None = None
    """Whether that sentence is true of ours; None: what was measured doesn't decide it."""
    bounds: tuple[float, float] | None = None
    """Between which ours has to be for it; infinite: there is none above."""
    library: str = ""
    """Library that was measured; "": it was simulated, or a sentence is about several."""
    interval: tuple[float, float] | None = None
    """95 % interval of what was measured; None: too few blocks for one."""

    @property
    def ratio(self) -> float | None:
        """Ours over the published one; None: one is missing."""
        if self.ours is None or self.published is None:
            return None
        if self.gain:
            return (WHOLE + self.ours) / (WHOLE + self.published)
        return self.ours / self.published

    def is_within(self, share: float) -> bool:
        """Whether ours deviates by `share` at most; a gain counts by itself, not as a time."""
        off = self.deviation
        if off and self.gain and self.ours is not None and self.published:
            off = self.ours / self.published - 1
        return off is not None and abs(off) <= share

    @property
    def deviation(self) -> float | None:
        """Ours over the published one, minus 1; 0 where a bound is kept; None: one is missing."""
        if self.ratio is None:
            return None
        off = self.ratio - 1
        match self.relation:
            case Relation.LEAST:
                return min(off, 0.0)
            case Relation.MOST:
                return max(off, 0.0)
        return off


def cells_of(
    papers: Sequence[PaperRecipes], machines: Machines, fitted: Collection[str]
) -> tuple[ReproducedCell, ...]:
    """Simulates what the papers ask for; cells as `cells_in` says, errors as `times_for` says."""
    return cells_in(papers, times_for(papers, machines), machines, fitted)


def times_for(papers: Sequence[PaperRecipes], machines: Machines) -> Mapping[CellSpec, float]:
    """The simulated time, s, of each cell that the papers ask for.

    Raises:
        UsageError, MachineError: As times_of says.
    """
    return times_of((spec for paper in papers for spec in paper.cells()), machines)


def cells_in(
    papers: Sequence[PaperRecipes],
    times: Mapping[CellSpec, float],
    machines: Machines,
    fitted: Collection[str],
) -> tuple[ReproducedCell, ...]:
    """Every result of the papers, in their order, then each one's sentences.

    Args:
        papers: Whose figures.
        times: What `times_for` says.
        machines: What simulated them.
        fitted: Ids of figures that a machine's values were chosen to reach.
    """
    return tuple(
        cell
        for paper in papers
        for cell in (
            *_figures(paper, times, machines, fitted),
            *(
                _sentence(sentence, paper, sentence.made(times, machines), fitted)
                for sentence in paper.sentences
            ),
        )
    )


def _figures(
    paper: PaperRecipes,
    times: Mapping[CellSpec, float],
    machines: Machines,
    fitted: Collection[str],
) -> Iterator[ReproducedCell]:
    """A cell for each figure that is a result: ours by its recipe, or why there is none."""
    recipes = {recipe.figure: recipe for recipe in paper.recipes}
    settings = {setting.id for setting in paper.settings()}
    for figure in paper.paper.figures:
        if figure.id in recipes:
            recipe = recipes[figure.id]
            yield ReproducedCell(
                id=figure.id,
                paper=paper.paper.key,
                published=figure.value,
                ours=figure.printed(recipe.made(times, machines)),
                unit=figure.unit,
                relation=recipe.relation,
                gain=recipe.gain,
                label=Label.FITTED if figure.id in fitted else Label.PREDICTED,
                reason=recipe.reason,
            )
        elif figure.id not in settings:
            yield ReproducedCell(
                id=figure.id,
                paper=paper.paper.key,
                published=figure.value,
                ours=None,
                unit=figure.unit,
                label=Label.NOT_REPRODUCIBLE,
                reason=paper.lacking[figure.id],
            )


def _sentence(
    sentence: SentenceRecipe | MachineSentenceRecipe,
    paper: PaperRecipes,
    ours: float,
    fitted: Collection[str],
) -> ReproducedCell:
    """Fitted where all that it is about is, but for settings; predicted where that is nothing.

    Ours and its bounds are ratios, or in the unit of the figures that are its bounds.
    """
    unit, bounds = "x", (sentence.least, sentence.most)
    if sentence.within is not None:
        by_id = {figure.id: figure for figure in paper.paper.figures}
        least, most = (by_id[name] for name in sentence.within)
        assert least.value is not None and most.value is not None  # a bound is a number
        unit, ours, bounds = least.unit, least.printed(ours), (least.value, most.value)
    values = {figure.id: figure.si for figure in paper.paper.figures if figure.value is not None}
    others = {setting.id for setting in paper.settings()}.difference(fitted)
    about, over = set(sentence.figures()) - others, sentence.over
    return ReproducedCell(
        id=sentence.id,
        paper=paper.paper.key,
        published=values[over[0]] / values[over[1]] if over else None,
        ours=ours,
        unit=unit,
        label=Label.FITTED if about and all(i in fitted for i in about) else Label.PREDICTED,
        reason=sentence.reason,
        text=sentence.text,
        holds=bounds[0] <= ours <= bounds[1],
        bounds=bounds,
    )


# -- drawings --------------------------------------------------------------------------------------


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
    recipes = [(paper.paper.key, recipe) for paper in papers for recipe in paper.drawings(machines)]
    times = times_of((spec for _, recipe in recipes for spec in recipe.cells()), machines)
    return tuple(
        ReproducedFigure(
            id=recipe.id,
            paper=paper,
            where=recipe.where,
            figure=StudyFigure(
                name=recipe.id.replace(".", "-"),
                title=recipe.title,
                quantity=recipe.quantity,
                unit=recipe.unit,
                curves=tuple(_curves(recipe, times)),
                logarithmic=recipe.logarithmic,
                against_pes=recipe.against_pes,
            ),
            note=recipe.note,
        )
        for paper, recipe in recipes
    )


def _curves(recipe: FigureRecipe, times: Mapping[CellSpec, float]) -> Iterator[StudyCurve]:
    """Our curves that have points, then the paper's."""
    for curve in recipe.curves:
        if curve.points:
            ours = (
                StudyPoint(point.at, Estimate(point.ours([times[spec] for spec in point.cells])))
                for point in curve.points
            )
            yield StudyCurve(curve.name, curve.library, curve.network, tuple(ours))
    for curve in recipe.curves:
        if curve.printed:
            theirs = (StudyPoint(at, Estimate(figure_of(name).si)) for at, name in curve.printed)
            name = f"{curve.name} (the paper)"
            yield StudyCurve(name, curve.library, curve.network, tuple(theirs), published=True)
