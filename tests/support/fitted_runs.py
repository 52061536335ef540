"""Runs that were measured as models say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from tests.support.blocks import cell, configuration, run_of_blocks
from tests.support.mixed import Word, with_words

from leadline.models.model import Model
from leadline.models.prediction import predict
from leadline.record.run import Cadence, Cell, Run

BLOCKS = 8


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
