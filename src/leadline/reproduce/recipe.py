"""How a paper's figures are made: what each is simulated as, in units as printed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from leadline.reproduce.asked import Asked, Machines, times_of
from leadline.reproduce.cell import Label, Relation, ReproducedCell
from leadline.simulate.machine import MachineModel
from leadline.studies.published.catalogue import Paper
from leadline.studies.published.figure import PublishedFigure

SETTING = "config"
"""The quantity of what says how others were measured, and is no result."""
ONLY_DRAWN = "only drawn, no point of it can be read: ours is drawn in its place"
"""Why there is no number of ours of a drawing."""
Seconds = Sequence[float]
"""What was asked for took, in the order in which it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Of one figure."""

    figure: str
    """Its id."""
    asked: tuple[Asked, ...]
    ours: Callable[[Seconds], float]
    """In SI units; it knows no published value."""
    relation: Relation = Relation.ABOUT
    gain: bool = False
    """It is per cent more."""
    reason: str = ""
    """Why it is off, as far as it is known."""

    def made(self, times: Mapping[Asked, float], _: Machines) -> float:
        """In SI units."""
        return self.ours([times[one] for one in self.asked])


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineRecipe:
    """Of one figure that a machine's own values go into."""

    figure: str
    machine: str
    """The name of its file."""
    ours: Callable[[MachineModel, Seconds], float]
    asked: tuple[Asked, ...] = ()
    relation: Relation = Relation.ABOUT
    gain: bool = False
    reason: str = ""

    def made(self, times: Mapping[Asked, float], machines: Machines) -> float:
        """In SI units."""
        return self.ours(machines(self.machine), [times[one] for one in self.asked])


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRecipe:
    """Of a sentence: a ratio or time of ours, and the bounds within which it holds."""

    id: str
    text: str
    asked: tuple[Asked, ...]
    ours: Callable[[Seconds], float]
    least: float = 0.0
    most: float = float("inf")
    within: tuple[str, str] | None = None
    """Figures that are its bounds, in whose unit ours is then; instead of `least` and `most`."""
    over: tuple[str, str] | None = None
    """Figures whose ratio is the published one."""
    rests_on: tuple[str, ...] = ()
    """Further figures that it is about."""
    reason: str = ""

    def figures(self) -> tuple[str, ...]:
        """All that it is about."""
        return (*(self.within or ()), *(self.over or ()), *self.rests_on)

    def made(self, times: Mapping[Asked, float], _: Machines) -> float:
        """What of ours it is about."""
        return self.ours([times[one] for one in self.asked])


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineSentenceRecipe:
    """Of a sentence about where ranks and jobs lie on a machine."""

    id: str
    text: str
    machine: str
    """The name of its file."""
    ours: Callable[[MachineModel], float]
    least: float = 0.0
    most: float = float("inf")
    within: None = None
    over: None = None
    rests_on: tuple[str, ...] = ()
    """Figures that it is about."""
    reason: str = ""
    asked: tuple[Asked, ...] = ()

    def figures(self) -> tuple[str, ...]:
        """All that it is about."""
        return self.rests_on

    def made(self, _: Mapping[Asked, float], machines: Machines) -> float:
        """What of ours it is about."""
        return self.ours(machines(self.machine))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRecipes:
    """Of one paper."""

    paper: Paper
    recipes: tuple[Recipe | MachineRecipe, ...]
    sentences: tuple[SentenceRecipe | MachineSentenceRecipe, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    """Id -> why the figure can't be reproduced."""

    def asked(self) -> Iterator[Asked]:
        """All that has to be simulated."""
        for recipe in self.recipes:
            yield from recipe.asked
        for sentence in self.sentences:
            yield from sentence.asked

    def settings(self) -> tuple[PublishedFigure, ...]:
        """Figures that are no results, and that nothing is said of here."""
        return tuple(one for one in self.paper.figures if one.quantity == SETTING)


def cells_of(
    papers: Sequence[PaperRecipes], machines: Machines, fitted: Collection[str]
) -> tuple[ReproducedCell, ...]:
    """As `cells_in`, of times simulated for it; raises as `times_for` does."""
    return cells_in(papers, times_for(papers, machines), machines, fitted)


def times_for(papers: Sequence[PaperRecipes], machines: Machines) -> Mapping[Asked, float]:
    """What all that the papers ask for takes, s.

    Raises:
        UsageError, MachineError: As times_of says.
    """
    return times_of((one for paper in papers for one in paper.asked()), machines)


def cells_in(
    papers: Sequence[PaperRecipes],
    times: Mapping[Asked, float],
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
            *(_sentence(one, paper, one.made(times, machines), fitted) for one in paper.sentences),
        )
    )


def _figures(
    paper: PaperRecipes, times: Mapping[Asked, float], machines: Machines, fitted: Collection[str]
) -> Iterator[ReproducedCell]:
    recipes = {one.figure: one for one in paper.recipes}
    settings = {one.id for one in paper.settings()}
    for figure in paper.paper.figures:
        if figure.id in recipes:
            recipe = recipes[figure.id]
            yield _made(figure, paper, recipe, recipe.made(times, machines), fitted)
        elif figure.id not in settings:
            yield _lacking(figure, paper)


def _made(
    figure: PublishedFigure,
    paper: PaperRecipes,
    recipe: Recipe | MachineRecipe,
    ours: float,
    fitted: Collection[str],
) -> ReproducedCell:
    """`ours`: in SI units."""
    return ReproducedCell(
        id=figure.id,
        paper=paper.paper.key,
        published=figure.value,
        ours=figure.printed(ours),
        unit=figure.unit,
        relation=recipe.relation,
        gain=recipe.gain,
        label=Label.FITTED if figure.id in fitted else Label.PREDICTED,
        reason=recipe.reason,
    )


def _lacking(figure: PublishedFigure, paper: PaperRecipes) -> ReproducedCell:
    return ReproducedCell(
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
    """Fitted where all that it is about is, but for settings; predicted where that is nothing."""
    unit, ours, bounds = _measure(sentence, paper, ours)
    values = {one.id: one.si for one in paper.paper.figures if one.value is not None}
    others = {one.id for one in paper.settings()}.difference(fitted)
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


def _measure(
    sentence: SentenceRecipe | MachineSentenceRecipe, paper: PaperRecipes, ours: float
) -> tuple[str, float, tuple[float, float]]:
    """The unit, ours in it, and the bounds: times, or as the figures that are its bounds."""
    if sentence.within is None:
        return "x", ours, (sentence.least, sentence.most)
    named = {one.id: one for one in paper.paper.figures}
    least, most = (named[name] for name in sentence.within)
    assert least.value is not None and most.value is not None  # a bound is a number
    return least.unit, least.printed(ours), (least.value, most.value)
