"""Runs that were measured as models say, and what is reported of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from harness.blocks import cell, configuration, run_of_blocks
from tests.support.mixed import Word, with_words

from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.baselines import contrasts_of
from leadline.models.fitted import Overview
from leadline.models.model import Model, NotFitted
from leadline.models.prediction import predict
from leadline.models.sampling import fitted_curves, fitted_sweeps
from leadline.record.run import Cadence, Cell, Run
from leadline.report.page.reported import Reported

BLOCKS = 8
THRESHOLD = 0.02


def run_of_models(models: Sequence[Model], noise: float = 0.01) -> Run:
    """What was measured has blocks whose medians differ from its model by `noise`."""
    measured = [model for model in models if model.blocks]
    cells = list(dict.fromkeys(one for model in models for one in cells_of(model)))
    places = list(dict.fromkeys((model.variant, p) for model in measured for p in model.ranks))
    seconds = np.full((len(places), len(cells), BLOCKS), np.nan)
    rng = np.random.default_rng(5)
    for model in measured:
        rows = [cells.index(one) for one in cells_of(model)]
        for ranks in model.ranks:
            times = predict(model, ranks, model.sizes_bytes).seconds
            spread = np.exp(noise * rng.normal(size=(len(times), BLOCKS)))
            seconds[places.index((model.variant, ranks)), rows] = times[:, None] * spread
    configurations = [configuration(variant, ranks=ranks) for variant, ranks in places]
    run = run_of_blocks(seconds, configurations, cells)
    return with_words(run, *(word_of(model) for model in models if not model.blocks))


def word_of(model: Model) -> Word:
    """What a model of stated values was fitted to."""

    def seconds(one: Cell) -> float:
        return float(predict(model, model.ranks[0], one.size_bytes).seconds)

    return Word(model.variant, model.origin, seconds)


def cells_of(model: Model) -> list[Cell]:
    """What it was fitted to."""
    cadence = Cadence(model.cadence)
    return [replace(cell(size, model.pattern), cadence=cadence) for size in model.sizes_bytes]


def reported(models: Sequence[Model | NotFitted], left_out: int = 0) -> Reported:
    """A run that was measured as `models` say, and these as what was fitted to it."""
    analysis = Analysis(run_of_models([one for one in models if isinstance(one, Model)]))
    forms = Overview(tuple(models), left_out)
    measured = replace(computed(analysis, THRESHOLD), forms=forms)
    return Reported(
        (measured,),
        contrasts_of([analysis], None, THRESHOLD),
        (analysis.distributions,),
        (fitted_curves(forms.found),),
        (fitted_sweeps(forms.found),),
        THRESHOLD,
    )
