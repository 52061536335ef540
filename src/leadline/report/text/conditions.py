"""For which conditions models are: the state of the ranks' cores, and other runs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from leadline.models.model import Model
from leadline.report.text.phrases import share
from leadline.units import significant


def condition_notes(models: Sequence[Model], run: str) -> Iterator[str]:
    """What holds of all models alike, once for all; `run` is what they are of."""
    yield from _core_states(models, run)
    yield from _runs_apart(models)


def _runs_apart(models: Sequence[Model]) -> Iterator[str]:
    """How far runs lie apart, where it is the same of all that have intervals."""
    known = {one.scatter.runs_apart for one in models if one.scatter is not None}
    if len(known) != 1:
        return
    apart = known.pop()
    if apart is None:
        yield (
            "Intervals of predictions are of a campaign of the same hour: they don't hold how far "
            "runs of this machine lie apart, which `leadline fit` takes from three comparable runs "
            "beside the one that it fits, or from --between."
        )
        return
    source = f"as {apart.runs} runs here do" if apart.runs else "as stated"
    yield (
        "Intervals of predictions allow for runs of this machine lying apart by "
        f"{share(math.expm1(apart.deviation))} (standard deviation, {source})."
    )


def _core_states(models: Sequence[Model], run: str) -> Iterator[str]:
    """How long the cores took to hand over a cache line, and how to tell of others.

    Nothing where it isn't known, or not the same for all that were measured.
    """
    states = {one.handover_ns for one in models if one.handover_ns is not None}
    if len(states) == 1:
        yield (
            f"For cores that hand a cache line to and fro in {significant(states.pop())} ns; those "
            "that take twice or half as long, as virtual ones may another time, have other times: "
            f"`leadline compare {run} NEW_RUN` says whether those of a new run do."
        )
