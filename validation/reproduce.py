"""Every figure of the papers beside what the machine files that come along make of it.

Goals, by name: cells, drawings and closed forms together within two minutes; a figure that a file
is fitted to within 3 %, but for those of LOOSE; ten of the twelve cells of the T3E's table of hops
within 10 %, the other two shown with why they aren't; its halo in order, predicted, within 10 %,
and mapped shown; 64 pairs below half of what two have; one machine file for pairs, halos and rows;
in the tables of rows the order that shared rates can give, the rest with why they can't; closed
forms that have R_inf within 5 %; no figure that is off, and no sentence that doesn't hold, without
a reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from leadline.papers.cells import Label, ReproducedCell, figures_of
from leadline.papers.collectives.closed_forms import BARRIER
from leadline.papers.recipe import ReproducedForm, recipes_for
from leadline.papers.reproduction import WITHIN, ReproducedPaper, reproduction
from leadline.papers.t3e_mapping.placements import DIRECT
from leadline.papers.t3e_mapping.recipe import COPYING
from leadline.simulate.machine import MachineModel, ProfilePiece
from leadline.simulate.machine_files import machine_named, shipped_names

LIMIT_S, LIMIT_FITTED, LIMIT_FORMS = 120.0, 0.03, 0.05
LOOSE = ("cray-mpt.table2.j90.", "t3e-mpi.reduce.")
"""A line through four barriers; an algorithm chosen among those that there are."""
_PAPER = "t3e-mapping"
HALO, MAPPED_HALO = f"{_PAPER}.halo.8x4x4.without", f"{_PAPER}.halo.8x4x4.reordered"
PAIRS = f"{_PAPER}.pair.64.share"
HOPS, LEAST_HOPS = f"{_PAPER}.table1.", 10
SORTS = tuple(f"{HOPS}{grid}.reordered" for grid in ("3x3x3", "4x4x4"))
IN_ORDER = tuple(f"{_PAPER}.sentence.{name}" for name in ("sorted-rows", "two-steps-in-order"))
OUT_OF_ORDER = tuple(f"{_PAPER}.sentence.{name}" for name in ("cyclic-costs", "two-steps-sorted"))
"""What tables 2 and 3 say of order: what shared rates can give, and what they can't."""


def measure() -> dict[str, Any]:
    """Every cell, drawing and form, a summary a paper, and whether all goals are reached."""
    machines = {name: machine_named(name) for name in shipped_names()}
    begin = time.monotonic()
    recipes = recipes_for()
    papers = reproduction(recipes, list(machines.values()))
    cells_s = time.monotonic() - begin
    figures = figures_of(recipes, machines.__getitem__)
    took_s = time.monotonic() - begin
    cells = [cell for one in papers for cell in one.cells]
    forms = [form for one in papers for form in one.forms]
    goals = {
        "two minutes": took_s <= LIMIT_S,
        **goals_of(cells),
        **goals_of_forms(forms),
        **goals_of_machines(papers, machines),
    }
    return {
        "cells": [{**asdict(cell), "deviation": cell.deviation} for cell in cells],
        "figures": [{"id": one.id, "curves": len(one.figure.curves)} for one in figures],
        "forms": [_form(one) for one in forms],
        "papers": [asdict(one.summary) for one in papers],
        "cells_s": cells_s,
        "took_s": took_s,
        "goals": goals,
        "reached": all(goals.values()),
    }


def _form(found: ReproducedForm) -> dict[str, object]:
    return {
        "machine": found.machine,
        "operation": found.operation,
        "formula": found.formula,
        "coefficients": dict(found.coefficients),
        "rate_bytes_per_s": found.rate_bytes_per_s,
        "deviation": found.deviation,
    }


def goals_of(cells: Sequence[ReproducedCell]) -> dict[str, bool]:
    """Which of cells are reached."""
    named = {cell.id: cell for cell in cells}
    hops = sum(_near(cell, WITHIN) for cell in cells if cell.id.startswith(HOPS))
    return {
        "fitted": all(_near(cell, LIMIT_FITTED) for cell in cells if _tight(cell)),
        "halo": named[HALO].label is Label.PREDICTED and _near(named[HALO], WITHIN),
        "mapped halo is shown": _shown(named[MAPPED_HALO]),
        "hops": hops >= LEAST_HOPS,
        "sorts of 3x3x3 and 4x4x4 are shown": all(_shown(named[name]) for name in SORTS),
        "pairs": named[PAIRS].deviation == 0.0,
        "order of rows": all(named[name].holds for name in IN_ORDER),
        "rows out of order": all(_told(named[name]) for name in OUT_OF_ORDER),
        "every miss has a reason": all(_told(cell) for cell in cells),
    }


def goals_of_forms(forms: Iterable[ReproducedForm]) -> dict[str, bool]:
    """Whether those of all operations that move messages have their limit."""
    off = [one.deviation for one in forms if one.operation != BARRIER]
    near = [one is not None and abs(one) <= LIMIT_FORMS for one in off]
    return {"closed forms": bool(near) and all(near)}


def goals_of_machines(
    papers: Iterable[ReproducedPaper], machines: Mapping[str, MachineModel]
) -> dict[str, bool]:
    """Whether one file simulates the paper on mapping, whose two libraries cost the same."""
    (mapping,) = [one for one in papers if one.paper.key == _PAPER]
    own = [cost for name in mapping.machines for cost in _own_costs(machines[name])]
    return {"one set of constants": len(mapping.machines) == 1 and not own}


def _own_costs(machine: MachineModel) -> set[ProfilePiece]:
    """What messages cost over the library for pairs and halos, and no message over that for rows.

    From which size on a message costs so is what is set: the one copies where the other waits.
    """
    direct, copying = (
        {replace(piece, least_bytes=0) for of_mode in profile.pieces.values() for piece in of_mode}
        for profile in (machine.profiles[name] for _, name in (DIRECT, COPYING))
    )
    return direct - copying


def _tight(cell: ReproducedCell) -> bool:
    return cell.label is Label.FITTED and not cell.text and not cell.id.startswith(LOOSE)


def _near(cell: ReproducedCell, most: float) -> bool:
    return cell.deviation is not None and abs(cell.deviation) <= most


def _shown(cell: ReproducedCell) -> bool:
    """It has a deviation, and a reason."""
    return cell.deviation is not None and bool(cell.reason)


def _told(cell: ReproducedCell) -> bool:
    """What is missed, or isn't there, says why."""
    missed = cell.holds is False if cell.text else not _near(cell, WITHIN)
    return not missed or bool(cell.reason)
