"""Nothing that is computed knows a published value, and nothing fitted is called predicted."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from harness.places import SIMULATING
from harness.reproduced import FITTED, MACHINES, PAPERS_MADE, kept, recipes_of, shipped
from tests.support.unpublished import SETTING

import leadline
from leadline.papers.catalogue import all_papers, figure_of
from leadline.papers.cells import Label, cells_of
from leadline.papers.published import PublishedFigure
from leadline.papers.recipe import PaperRecipes
from leadline.papers.reproduction import fitted_ids
from leadline.papers.t3e_mpi import recipe as t3e_mpi
from leadline.simulate.machine import MachineModel

PACKAGE = Path(leadline.__file__).parent


# -- numbers written down --------------------------------------------------------------------------


def results(paper: str | None = None) -> set[float]:
    """Those that no file names, as printed and in SI units; of two digits, for 2 is in any code."""
    return {
        value
        for one in all_papers()
        for figure in one.figures
        if one.key == paper or paper is None
        if figure.value is not None and figure.quantity != SETTING and figure.id not in FITTED
        for value in (figure.value, figure.si)
        if digits(value) >= 2
    }


def digits(value: float) -> int:
    return len(Decimal(repr(float(value))).normalize().as_tuple().digits)


def numbers_in(source: str) -> Iterator[float]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield float(node.value)


def test_no_result_is_written_into_a_recipe() -> None:
    paths = [path for path in (PACKAGE / "papers").rglob("*.py") if path.stem in SIMULATING]
    assert len(paths) > len(PAPERS_MADE)
    for path in paths:
        assert not results() & set(numbers_in(path.read_text())), path


@pytest.mark.parametrize("planted", ["43 + 0.5 * 87.71", "0.9 * 154e6", "times(0.000027)"])
def test_planted_result_in_a_recipe_is_found(planted: str) -> None:
    assert results() & set(numbers_in(planted))


def numbers_of(text: str) -> Iterator[float]:
    """In a machine file, wherever they stand."""

    def leaves(value: object) -> Iterator[float]:
        if isinstance(value, dict | list):
            for one in value.values() if isinstance(value, dict) else value:
                yield from leaves(one)
        elif type(value) in (int, float):
            yield float(str(value))

    return leaves(tomllib.loads(text))


def machines_of_papers() -> Iterator[tuple[str, MachineModel]]:
    """Every machine file with a paper that it simulates."""
    for module in PAPERS_MADE:
        recipes = recipes_of(module)
        for name in sorted({one.machine for one in recipes.cells()}):
            yield recipes.paper.key, shipped(name)


def test_no_machine_file_has_a_result_of_its_papers() -> None:
    """A file may have one that it names: that is fitted, and labelled so."""
    for paper, machine in machines_of_papers():
        assert not results(paper) & set(numbers_of(machine.text)), machine.name


def test_planted_result_in_a_machine_file_is_found() -> None:
    text = shipped("cray-t3d").text.replace("[links]", "[links]\nplanted_s = 0.08771", 1)
    assert results("cray-mpt") & set(numbers_of(text))


# -- labels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_no_fitted_figure_is_called_predicted(module: str) -> None:
    for name, one in kept(module).items():
        if not one.text and one.label in (Label.FITTED, Label.PREDICTED):
            assert (one.label is Label.FITTED) is (name in FITTED), name


def test_sentence_about_fitted_figures_alone_is_fitted() -> None:
    """Those about single messages are, but for where their bandwidths have their maximum."""
    messages = {name: one for name, one in kept("t3e_mpi").items() if one.text}
    predicted = {
        name.split(".")[2] for name, one in messages.items() if one.label is Label.PREDICTED
    }
    assert predicted == {
        "flat-at-a-megabyte", "bcast", "bcast-scales", "reduce", "reduce-powers-of-two",
    }  # fmt: skip
    assert {one.label for one in messages.values()} == {Label.PREDICTED, Label.FITTED}


def test_label_follows_the_machine_files() -> None:
    """A figure that a file takes for itself tomorrow is no prediction any more."""
    time = "t3e-mpi.bcast.mpich.128.time"
    more = [replace(one, fitted={**one.fitted, "links": (time,)}) for one in MACHINES]
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
