"""Papers made again on the machines that come along, once for all tests of a process."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from contextlib import contextmanager

from leadline.papers.catalogue import all_papers
from leadline.papers.cells import ReproducedCell, ReproducedFigure, cells_of, figures_of
from leadline.papers.recipe import PaperRecipes, recipes_for
from leadline.papers.reproduction import fitted_ids
from leadline.simulate.machine import MachineModel
from leadline.simulate.machine_files import machine_named, shipped_names

PAPERS_MADE = ("t3e_mpi", "cray_mpt", "collectives", "ethernet_atm", "t3e_mapping")
"""The folders of leadline.papers that have recipes."""
MACHINES = tuple(map(machine_named, shipped_names()))
FITTED = fitted_ids(MACHINES)
_BY_NAME = {machine.name: machine for machine in MACHINES}


def shipped(name: str) -> MachineModel:
    return _BY_NAME[name]


def made(recipes: PaperRecipes) -> dict[str, ReproducedCell]:
    """Its cells by their ids."""
    return {one.id: one for one in cells_of([recipes], shipped, FITTED)}


@functools.cache
def kept(module: str) -> dict[str, ReproducedCell]:
    """Those of a paper, which nobody may change."""
    return made(recipes_of(module))


@functools.cache
def redrawn() -> tuple[ReproducedFigure, ...]:
    """The figures of all papers."""
    return figures_of(recipes_for(), shipped)


def recipes_of(module: str) -> PaperRecipes:
    (found,) = recipes_for(module.replace("_", "-"))
    return found


@contextmanager
def without_values() -> Iterator[None]:
    """Every published value that no machine file names is none, wherever the figure is kept."""
    spoilt = [
        figure
        for paper in all_papers()
        for figure in paper.figures
        if figure.value is not None and figure.id not in FITTED
    ]
    values = [figure.value for figure in spoilt]
    try:
        for figure in spoilt:
            object.__setattr__(figure, "value", math.nan)
        yield
    finally:
        for figure, value in zip(spoilt, values, strict=True):
            object.__setattr__(figure, "value", value)
