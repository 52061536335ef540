"""A new campaign an hour later: its medians lie within the intervals of the first one's models.

Goal: 93 to 97 % of them or more, as intervals of 95 % say. All curves of a campaign move together
with the machine, so that one later campaign is little more than one trial: where all lie within,
it isn't missed. How far runs lie apart short campaigns in the hour between show, which lie beside
as a user's would; what share would lie within without them is told as well. A host may have laid
the cores anew in between: two libraries then differ by 1.2 to 3 times, `leadline compare` says so,
and intervals of one state aren't of the other; the campaign is taken again, a few times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart
from leadline.compare.core_latencies import are_apart
from leadline.models.fitted import apart_of, fitted
from leadline.models.model import Model
from leadline.models.observations import Observations
from leadline.models.prediction import predict
from leadline.statistics.intervals import Floats
from leadline.store import load
from validation.models.runs import APART_S, core_latency_ns, curves, kept_run, wait_after
from validation.models.synthetic import Bools, share_of
from validation.rates import COVERED, Goal

BESIDE, BESIDE_S = 3, 75.0
AT_LEAST: Goal = (COVERED[0], 1.0)
ATTEMPTS = 4


def within(model: Model, later: Observations) -> tuple[Bools, Floats, Floats]:
    """Which of the later medians the intervals hold, their errors, the intervals' half widths.

    Errors and widths are logarithms.
    """
    medians = np.nanmedian(later.seconds[0], axis=1)
    found = predict(model, model.ranks[0], np.array(later.sizes_bytes, float))
    held = (found.low <= medians) & (medians <= found.high)
    return held, np.log(medians / found.seconds), np.log(found.high / found.low) / 2


def measure(runs: Sequence[Path | str] = ()) -> dict[str, object]:
    """A row for each curve of a campaign and a later one, others lying in between.

    `runs` are these; without any they are kept or conducted, the last an hour after the first.
    """
    first, *beside, last = runs or _an_hour_apart()
    analysis = Analysis(load(first))
    apart = apart_of(analysis, RunsApart(beside=tuple(Analysis(load(one)) for one in beside)))
    again = {(one.variant, one.pattern): one for one in curves(last)}
    models = [one for one in fitted(analysis, apart=apart) if isinstance(one, Model)]
    pairs = [
        (model, again[model.variant, model.pattern])
        for model in models
        if (model.variant, model.pattern) in again
    ]
    found = [within(*pair) for pair in pairs]
    share = share_of("medians of the later campaign", [one[0] for one in found], AT_LEAST)
    if share is None:
        raise RuntimeError("the campaigns have no curve in common")
    same = same_state(first, last)
    return {
        "rows": [_row(model, *one) for (model, _), one in zip(pairs, found, strict=True)],
        "within": share.share,
        "bounds": share.bounds,
        "goal": share.goal,
        "within, runs taken to lie together": _alone(pairs),
        "runs lie apart by": None if apart is None else apart.deviation,
        "core_latency_ns": [core_latency_ns(one) for one in (first, last)],
        "same state of the cores": same,
        "reached": same and apart is not None and share.reached,
    }


def _row(model: Model, held: Bools, errors: Floats, widths: Floats) -> dict[str, object]:
    return {
        "curve": f"{model.label} {model.pattern}",
        "within": float(held.mean()),
        "median_shift": float(np.median(errors)),
        "median_half_width": float(np.median(widths)),
    }


def _alone(pairs: Sequence[tuple[Model, Observations]]) -> float:
    """The share within intervals of a campaign of the same hour."""
    held = []
    for model, later in pairs:
        scatter = model.scatter and replace(model.scatter, runs_apart=None)
        held.append(within(replace(model, scatter=scatter), later)[0])
    return float(np.concatenate(held).mean())


def same_state(first: Path | str, second: Path | str) -> bool:
    """Whether the times of both are of one state of the cores; unknown ones are taken to be."""
    return not are_apart(core_latency_ns(first), core_latency_ns(second))


def _an_hour_apart() -> tuple[Path, ...]:
    """The last again while its cores are in another state; the last one where all are."""
    first = kept_run("first")
    beside = []
    for number in range(BESIDE):
        wait_after(first, (number + 1) * APART_S / (BESIDE + 1))
        beside.append(kept_run(f"beside-{number}", BESIDE_S))
    wait_after(first, APART_S)
    for number in range(ATTEMPTS):
        last = kept_run(f"second-{number}")
        if same_state(first, last):
            break
    return (first, *beside, last)
