"""The recipes of all papers, in the order of theirs."""

from __future__ import annotations

from leadline.reproduce import collectives, cray_mpt, ethernet_atm, t3e_mapping, t3e_mpi
from leadline.reproduce.recipe import PaperRecipes
from leadline.studies.published.catalogue import paper_of

RECIPES: tuple[PaperRecipes, ...] = (
    t3e_mpi.RECIPES,
    cray_mpt.RECIPES,
    collectives.RECIPES,
    ethernet_atm.RECIPES,
    t3e_mapping.RECIPES,
)


def recipes_for(*keys: str) -> tuple[PaperRecipes, ...]:
    """Of the papers with these keys, none: of all; UsageError, with the nearest, for no paper's."""
    asked = [paper_of(key) for key in keys]
    return tuple(one for one in RECIPES if one.paper in asked or not asked)
