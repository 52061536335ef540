"""The models that reports on a run show without being asked for any."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.compare.analysis import Analysis
from leadline.models.fitted import LINK, fitted_to
from leadline.models.model import Model, NotFitted
from leadline.models.observations import observations_of

MOST_FITTED = 32
"""Variants times patterns, of some 10 ms each: of a run with more a report would come late."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Models of a run."""

    models: tuple[Model | NotFitted, ...]
    left_out: int
    """Variants times patterns for which nothing was tried."""

    @property
    def found(self) -> tuple[Model, ...]:
        """Without what was refused."""
        return tuple(one for one in self.models if isinstance(one, Model))


def overview(analysis: Analysis) -> Overview:
    """All models of a run, or of one with many curves those of its ping-pongs."""
    every = observations_of(analysis)
    if len(every) <= MOST_FITTED:
        return Overview(fitted_to(analysis, every), 0)
    left_out = sum(one.pattern != LINK for one in every)
    return Overview(fitted_to(analysis, every, [LINK]), left_out)
