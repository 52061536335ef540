"""A new campaign an hour later: its medians lie within the intervals of the first one's models.

Goal: 93 to 97 % of them, as intervals of 95 % say. Points of one curve err together, so that the
bounds of the share rest on as many trials as the scatter from curve to curve says. A host may have
laid the cores anew in between: two libraries then differ by 1.2 to 3 times, `leadline compare` says
so, and intervals of one state aren't of the other; the campaign is taken again, a few times.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bench.models_runs import an_hour_after, curves, handover_ns, kept_run
from bench.models_synthetic import Bools, share_of
from bench.rates import COVERED
from leadline.compare.handovers import are_apart
from leadline.models.closed_form import fit
from leadline.models.model import NotFitted
from leadline.models.observations import Observations
from leadline.models.prediction import predict
from leadline.statistics.intervals import Floats

ATTEMPTS = 4


def within(model_of: Observations, later: Observations) -> tuple[Bools, Floats, Floats]:
    """Which of the later medians the intervals hold, their errors, the intervals' half widths.

    Errors and widths are logarithms.
    """
    model = fit(model_of)
    if isinstance(model, NotFitted):
        raise RuntimeError(f"{model_of.label} {model_of.pattern}: {model.reason}")
    medians = np.nanmedian(later.seconds[0], axis=1)
    found = predict(model, model.ranks[0], np.array(later.sizes_bytes, float))
    held = (found.low <= medians) & (medians <= found.high)
    return held, np.log(medians / found.seconds), np.log(found.high / found.low) / 2


def measure(runs: tuple[Path | str, Path | str] | None = None) -> dict[str, object]:
    """A row for each curve of two campaigns; None: they are kept or conducted, an hour apart."""
    pair = runs or _an_hour_apart()
    first, second = map(curves, pair)
    again = {(one.variant, one.pattern): one for one in second}
    rows: list[dict[str, object]] = []
    counted: list[Bools] = []
    for one in first:
        held, errors, widths = within(one, again[one.variant, one.pattern])
        counted.append(held)
        rows.append(
            {
                "curve": f"{one.label} {one.pattern}",
                "within": float(held.mean()),
                "median_shift": float(np.median(errors)),
                "median_half_width": float(np.median(widths)),
            }
        )
    share = share_of("medians of the later campaign", counted, COVERED)
    if share is None:
        raise RuntimeError("the campaigns have no curve in common")
    same = same_state(*pair)
    return {
        "rows": rows,
        "within": share.share,
        "bounds": share.bounds,
        "goal": share.goal,
        "handover_ns": [handover_ns(one) for one in pair],
        "same state of the cores": same,
        "reached": same and share.reached,
    }


def same_state(first: Path | str, second: Path | str) -> bool:
    """Whether the times of both are of one state of the cores; unknown ones are taken to be."""
    return not are_apart(handover_ns(first), handover_ns(second))


def _an_hour_apart() -> tuple[Path, Path]:
    """The second again while its cores are in another state; the last one where all are."""
    first = kept_run("first")
    an_hour_after(first)
    for number in range(ATTEMPTS):
        second = kept_run(f"second-{number}")
        if same_state(first, second):
            break
    return first, second
