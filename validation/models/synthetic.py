"""Closed forms fitted to campaigns whose truth is known, with this machine's noise.

Every form of `models_truth`, many campaigns each. Goals: the right form in 95 of 100, or a simpler
one whose curve lies no further from the truth than the campaign's own medians, so that nothing
held out tells the two apart; of those with the right form, 95 % intervals of coefficients cover 93
to 97 %, and breakpoints lie within one size step in 95 of 100; prediction intervals cover the
medians of a new campaign at sizes and numbers of ranks that were held out in 93 to 97 %.

Points of one campaign err together, so that the bounds of these shares rest on as many trials as
the scatter from campaign to campaign says.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from leadline.models.closed_form import fit
from leadline.models.model import Model, NotFitted
from leadline.models.prediction import Prediction, predict
from leadline.statistics.intervals import Floats
from validation.models.noise import Pool
from validation.models.truth import FORMS, Case, Truth, draw
from validation.rates import COVERED, Goal, Row
from validation.truth import line

CAMPAIGNS, PROCESSES = 200, 2
NEARLY_ALL: Goal = (0.95, 1.0)

Bools = npt.NDArray[np.bool_]

COUNTS: dict[str, Goal] = {
    "forms": NEARLY_ALL,
    "coefficients": COVERED,
    "breakpoints": NEARLY_ALL,
    "kinds": NEARLY_ALL,
    "sizes": COVERED,
    "ranks": COVERED,
    "both": COVERED,
}
"""How often is so: the form is right, or a simpler one that can't be told from it; where it is
right, intervals of coefficients hold the truth, breakpoints lie within one size step, and are named
as what they are; new medians at held-out sizes, numbers of ranks, and at both at once, lie in their
intervals."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the model of one campaign got right."""

    chosen: str
    """The form's name, or why there is none."""
    right: bool = False
    simpler: bool = False
    """A form with fewer numbers that is no further from the truth than the medians."""
    counted: Mapping[str, Bools] = field(default_factory=dict)
    """By what COUNTS has: which of several are so."""


def outcome(pool: Pool, number: int, seed: int) -> Outcome:
    """Of one campaign of the form with this number; the same for the same seed."""
    rng = np.random.default_rng([seed, number])
    form, design = FORMS[number]
    truth = draw(form, design, rng)
    case = Case(truth, design, pool[rng.integers(len(pool))])
    measured = case.campaign(rng)
    model = fit(measured)
    if isinstance(model, NotFitted):
        return Outcome(model.reason)
    right = model.form == form
    near = _near(model, case, np.median(measured.seconds, axis=2))
    simpler = model.form.size < form.size and near
    counted = {
        "forms": np.array([right or simpler]),
        "sizes": _covered(model, case, design.ranks, design.held_out_bytes, rng),
        "ranks": _covered(model, case, design.held_out_ranks, design.sizes_bytes, rng),
        "both": _covered(model, case, design.held_out_ranks, design.held_out_bytes, rng),
    }
    if right:
        counted |= {
            "coefficients": _coefficients(model, truth),
            "breakpoints": _breakpoints(model, truth),
            "kinds": _kinds(model, truth),
        }
    return Outcome(model.form.name, right, simpler, counted)


def _predicted(model: Model, ranks: Sequence[int], sizes_bytes: Sequence[int]) -> Prediction:
    return predict(model, np.array(ranks)[:, None], np.array(sizes_bytes, float)[None, :])


def _covered(
    model: Model,
    case: Case,
    ranks: Sequence[int],
    sizes_bytes: Sequence[int],
    rng: np.random.Generator,
) -> Bools:
    """Which medians of a new campaign lie within their interval."""
    found = _predicted(model, ranks, sizes_bytes)
    new = case.medians(ranks, sizes_bytes, rng)
    held: Bools = (found.low <= new) & (new <= found.high)
    return held.ravel()


def _near(model: Model, case: Case, medians: Floats) -> bool:
    """Whether the curve lies as near the truth as the medians that it was fitted to."""
    ranks, sizes = case.design.ranks, case.design.sizes_bytes
    known = case.truth.seconds(ranks, sizes)
    distances = [
        np.median(np.abs(np.log(some / known)))
        for some in (_predicted(model, ranks, sizes).seconds, medians)
    ]
    return bool(distances[0] <= distances[1])


def _coefficients(model: Model, truth: Truth) -> Bools:
    """Which intervals hold the truth."""
    return np.array([
        one.value.holds(float(truth.coefficients[family, number, place]))
        for family, (_, pieces) in enumerate(model.pieces)
        for number, piece in enumerate(pieces)
        for place, one in enumerate(piece.coefficients)
    ])  # fmt: skip


def _breakpoints(model: Model, truth: Truth) -> Bools:
    """Which lie between the two sizes of the true one, or between two next to these."""
    sizes = np.array(model.sizes_bytes)
    found = [one.bytes.value for one in model.breakpoints]
    steps = np.searchsorted(sizes, found) - np.searchsorted(sizes, truth.breaks)
    return np.asarray(np.abs(steps) <= 1)


def _kinds(model: Model, truth: Truth) -> Bools:
    named = zip(model.breakpoints, truth.kinds, strict=True)
    return np.array([one.kind is kind for one, kind in named], dtype=bool)


def share_of(what: str, counted: Sequence[Bools], goal: Goal) -> Row | None:
    """The share of all that is true; trials are as many as the scatter of campaigns says.

    None: nothing was counted. The variance of a ratio of sums: Cochran 1977, section 6.
    """
    some = [one for one in counted if one.size]
    if not some:
        return None
    true, of = (np.array([getattr(one, how)() for one in some]) for how in ("sum", "__len__"))
    share = true.sum() / of.sum()
    variance = np.sum((true - share * of) ** 2) / of.sum() ** 2
    alone = share * (1 - share)
    trials = of.sum() if variance <= alone / of.sum() else max(1, round(alone / variance))
    return Row(what, float(share), goal, int(trials))


def rows_of(outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """All shares of `outcomes`, each called as in COUNTS."""
    for count, goal in COUNTS.items():
        counted = [one.counted[count] for one in outcomes if count in one.counted]
        row = share_of(count, counted, goal)
        if row is not None:
            yield row


def outcomes(pool: Pool, campaigns: int) -> Iterator[tuple[str, list[Outcome]]]:
    """Of each form, so many campaigns."""
    with ProcessPoolExecutor(PROCESSES, initializer=os.nice, initargs=(10,)) as workers:
        for number, (form, design) in enumerate(FORMS):
            found = workers.map(partial(outcome, pool, number), range(campaigns), chunksize=5)
            yield f"{form.name}, {len(design.ranks)} p", list(found)


def measure(pool: Pool, campaigns: int = CAMPAIGNS) -> dict[str, object]:
    """Every share of each form and of all together, and which forms were chosen in its place.

    Reached: none of them misses its goal.
    """
    rows: list[dict[str, object]] = []
    every: list[Outcome] = []
    for what, found in outcomes(pool, campaigns):
        every += found
        others = Counter(one.chosen for one in found if not one.right)
        shares = {row.what: row for row in rows_of(found)}
        rows.append(
            {"form": what}
            | {count: row.share for count, row in shares.items()}
            | {"missed": [count for count, row in shares.items() if not row.reached]}
            | {"chosen instead": dict(others.most_common(3))}
        )
    together = list(rows_of(every))
    return {
        "rows": rows,
        "together": [line(row) for row in together],
        "reached": not any(row["missed"] for row in rows) and all(row.reached for row in together),
    }
