"""Nothing that is computed knows a published value, and nothing fitted is called predicted."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace

import pytest
from tests.support.reproduced import (
    FITTED,
    MACHINES,
    PAPERS_MADE,
    kept,
    made,
    recipes_of,
    shipped,
    without_values,
)

from leadline.reproduce import t3e_mpi
from leadline.reproduce.cell import Label, ReproducedCell
from leadline.reproduce.fits import fitted_ids
from leadline.reproduce.recipe import PaperRecipes, Recipe, cells_of
from leadline.studies.published.catalogue import figure_of
from leadline.studies.published.figure import PublishedFigure


def changed(before: dict[str, ReproducedCell], after: dict[str, ReproducedCell]) -> set[str]:
    """Cells whose ours, label or answer differ, to the last bit; of bounds printed no answer."""
    assert before.keys() == after.keys()
    return {
        name
        for name, one in before.items()
        if (one.ours, one.label) != (after[name].ours, after[name].label)
        or (one.holds != after[name].holds and not math.isnan((after[name].bounds or (0.0,))[0]))
    }


def remade(module: str) -> PaperRecipes:
    """Read anew, so that what a module computes at its beginning is computed again."""
    importlib.reload(importlib.import_module(f"leadline.reproduce.{module}"))
    return recipes_of(module)


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_ours_are_the_same_without_published_values(module: str) -> None:
    before = kept(module)
    with without_values():
        assert math.isnan(figure_of("t3e-mpi.bcast.mpich.128.time").si)
        after = made(remade(module))
    importlib.reload(importlib.import_module(f"leadline.reproduce.{module}"))
    assert changed(before, after) == set()
    spoilt = {name for name, one in after.items() if one.published != before[name].published}
    assert spoilt or {one.id for one in recipes_of(module).paper.figures if one.value} <= {
        *FITTED, *(one.id for one in recipes_of(module).settings()),
    }  # fmt: skip


def test_planted_fudge_is_found() -> None:
    time = "t3e-mpi.bcast.mpich.128.time"
    fudged = Recipe(figure=time, asked=(), ours=lambda _: 0.99 * figure_of(time).si)
    planted = replace(only(t3e_mpi.RECIPES, time), recipes=(fudged,))
    before = made(planted)
    with without_values():
        assert changed(before, made(planted)) == {time}


# -- labels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_no_fitted_figure_is_called_predicted(module: str) -> None:
    for name, one in kept(module).items():
        if not one.text and one.label in (Label.FITTED, Label.PREDICTED):
            assert (one.label is Label.FITTED) is (name in FITTED), name


def test_sentence_about_fitted_figures_alone_is_fitted() -> None:
    found = kept("t3e_mpi")
    labels = {name.rpartition(".")[2]: one.label for name, one in found.items() if one.text}
    assert labels == {
        "twice-the-bandwidth": Label.FITTED,
        "flat-at-a-megabyte": Label.PREDICTED,
        "bcast": Label.PREDICTED,
        "reduce": Label.PREDICTED,
        "reduce-powers-of-two": Label.PREDICTED,
        "reduce-128": Label.FITTED,
    }


def test_label_follows_the_machine_files() -> None:
    """A figure that a file takes for itself tomorrow is no prediction any more."""
    time = "t3e-mpi.bcast.mpich.128.time"
    more = [replace(one, fitted_to={**one.fitted_to, "links": (time,)}) for one in MACHINES]
    (cell,) = cells_of([only(t3e_mpi.RECIPES, time)], shipped, fitted_ids(more))
    assert cell.label is Label.FITTED
    assert kept("t3e_mpi")[time].label is Label.PREDICTED


def only(recipes: PaperRecipes, figure: str) -> PaperRecipes:
    """One figure of them."""
    kept_figures: tuple[PublishedFigure, ...] = (figure_of(figure),)
    return replace(
        recipes,
        paper=replace(recipes.paper, figures=kept_figures),
        recipes=tuple(one for one in recipes.recipes if one.figure == figure),
        sentences=(),
    )
