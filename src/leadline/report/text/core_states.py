"""For which state of the ranks' cores models are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.models.model import Model
from leadline.units import significant


def core_state_notes(models: Sequence[Model], run: str) -> Iterator[str]:
    """How long the cores took to hand over a cache line, and how to tell of others; once for all.

    Nothing where it isn't known, or not the same for all that were measured.
    """
    states = {one.handover_ns for one in models if one.handover_ns is not None}
    if len(states) == 1:
        yield (
            f"For cores that hand a cache line to and fro in {significant(states.pop())} ns; those "
            "that take twice or half as long, as virtual ones may another time, have other times: "
            f"`leadline compare {run} NEW_RUN` says whether those of a new run do."
        )
