"""Sizes held out of real campaigns: ping-pong and five collectives, four libraries, 2 ranks.

Every other size is held out, and a model fitted to the others; then the others are, but the ends.
Goals: its median error at most 5 %, the 90th percentile at most 15 %, and neither surely above that
of straight lines between the sizes that were kept, times over sizes: the ratio of either, curves
being drawn anew, isn't above 1 in 95 of 100. Beside it lines of logarithms, and how often a median
that was held out lies within its interval: of the campaign that the model was fitted to, whose
blocks it shares, so that there is no goal for it (`models_later` has one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from leadline.models.closed_form import fit
from leadline.models.model import NotFitted
from leadline.models.observations import Observations
from leadline.models.prediction import predict
from leadline.statistics.intervals import Floats
from validation.models.runs import SIZES, curves, kept_run

MEDIAN_LIMIT, P90_LIMIT = 0.05, 0.15
DRAWS = 500


@dataclass(frozen=True, slots=True)
class HeldOutSizes:
    """Relative errors of one curve at the sizes that were held out."""

    label: str
    form: str
    model: Floats
    lines: Floats
    """Of straight lines between times."""
    log_lines: Floats
    """Of straight lines between logarithms of times over those of sizes."""
    covered: float
    """Share of medians within their interval."""

    @property
    def figures(self) -> dict[str, object]:
        """A row of the table."""
        found: dict[str, object] = {"curve": self.label, "form": self.form}
        for name in ("model", "lines", "log_lines"):
            errors = getattr(self, name)
            found |= {name: [float(np.median(errors)), float(np.percentile(errors, 90))]}
        return found | {"covered": self.covered, "reached": reaches(self.model)}


def reaches(errors: Floats) -> bool:
    """Whether median and 90th percentile keep their limits."""
    return bool(np.median(errors) <= MEDIAN_LIMIT and np.percentile(errors, 90) <= P90_LIMIT)


def at_sizes(observations: Observations, places: Sequence[int]) -> Observations:
    """Those at some of the sizes alone."""
    sizes = tuple(observations.sizes_bytes[i] for i in places)
    return replace(observations, sizes_bytes=sizes, seconds=observations.seconds[:, list(places)])


def held_out(observations: Observations, first: int = 0) -> HeldOutSizes:
    """Of one number of ranks: every second size is kept, from the `first` on, and both ends."""
    known = [i for i, size in enumerate(observations.sizes_bytes) if size <= SIZES[-1]]
    kept = sorted({known[0], *known[first::2], known[-1]})
    left = [i for i in known if i not in kept]
    here, there = (at_sizes(observations, places) for places in (kept, left))
    model = fit(here)
    if isinstance(model, NotFitted):
        raise RuntimeError(f"{here.label} {here.pattern}: {model.reason}")
    times, medians = (np.nanmedian(one.seconds[0], axis=1) for one in (here, there))
    found = predict(model, model.ranks[0], np.array(there.sizes_bytes, float))
    sizes = [np.array(one.sizes_bytes, float) for one in (here, there)]
    logs = [np.log(np.maximum(some, 0.5)) for some in sizes]  # zero bytes have none
    lines = np.interp(sizes[1], sizes[0], times)
    log_lines = np.exp(np.interp(logs[1], logs[0], np.log(times)))
    errors = [np.abs(guess / medians - 1) for guess in (found.seconds, lines, log_lines)]
    covered = float(np.mean((found.low <= medians) & (medians <= found.high)))
    name = f"{here.label} {here.pattern}"
    return HeldOutSizes(name, model.form.name, errors[0], errors[1], errors[2], covered)


def over_lines(found: Sequence[HeldOutSizes], percentile: float) -> tuple[float, float]:
    """The model's percentile of errors over that of lines, and its lower bound, one-sided 95 %."""
    both = [(one.model, one.lines) for one in found]

    def ratio(rows: Sequence[int]) -> float:
        pooled = (np.concatenate(side) for side in zip(*(both[row] for row in rows), strict=True))
        model, lines = (float(np.percentile(errors, percentile)) for errors in pooled)
        return model / lines

    rng = np.random.default_rng(0)
    drawn = rng.integers(len(both), size=(DRAWS, len(both))).tolist()
    return ratio(range(len(both))), float(np.quantile([ratio(rows) for rows in drawn], 0.05))


def measure(run: Path | str | None = None) -> dict[str, object]:
    """A row for each curve of the campaign in `run`; None: one that is kept or conducted."""
    every = curves(run or kept_run("first"))
    found = [held_out(one, first) for one in every for first in (0, 1)]
    pooled = {
        name: np.concatenate([getattr(one, name) for one in found])
        for name in ("model", "lines", "log_lines")
    }
    quantiles = {
        name: [float(np.median(errors)), float(np.percentile(errors, 90))]
        for name, errors in pooled.items()
    }
    ratios = [over_lines(found, quantile) for quantile in (50, 90)]
    no_worse = all(low <= 1 for _, low in ratios)
    return {
        "rows": [one.figures for one in found],
        "median and 90th percentile": quantiles,
        "limits": [MEDIAN_LIMIT, P90_LIMIT],
        "curves that reach them": f"{sum(reaches(one.model) for one in found)} of {len(found)}",
        "covered": float(np.mean([one.covered for one in found])),
        "over lines, and what it surely is": ratios,
        "no worse than lines": no_worse,
        "reached": reaches(pooled["model"]) and no_worse,
    }
