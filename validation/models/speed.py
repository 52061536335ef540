"""How long fitting and predicting take.

Goals: a run of 10^5 samples, from its batches to its models, 2 s; 10^6 predictions 0.1 s. The run
is made up: four libraries, six patterns, 42 sizes, 12 blocks, with this machine's noise. The
surface, of 10 numbers of ranks, is fitted and predicted with beside it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.models.closed_form import fit, fit_each
from leadline.models.model import Model, NotFitted
from leadline.models.observations import observations_of
from leadline.models.prediction import predict
from leadline.record.batches import batches_of
from leadline.record.run import Buffers, Cadence, Cell, Configuration, Run, WhoseTime
from leadline.record.slices import Slice
from validation.models.noise import Pool
from validation.models.runs import PATTERNS, SIZES
from validation.models.truth import FORMS, MANY, PAIR, Case, draw

LIBRARIES, BLOCKS, BATCHES = ("first", "second", "third", "fourth"), 12, 9
FIT_LIMIT_S, PREDICT_LIMIT_S = 2.0, 0.1
POINTS, PIECES, REPETITIONS = 1_000_000, 3, 1000


def made_up(pool: Pool, rng: np.random.Generator) -> Run:
    """Some 10^5 samples of curves in three pieces."""
    cells = tuple(
        Cell(pattern, size, Buffers.ECHO, Cadence.STREAMING, 1, WhoseTime.ROOT)
        for pattern in PATTERNS
        for size in SIZES
    )
    form, _ = next(one for one in FORMS if one[0].pieces == PIECES)
    slices = []
    for number in range(len(LIBRARIES)):
        for p in range(len(PATTERNS)):
            truth, noise = draw(form, PAIR, rng), pool[rng.integers(len(pool))]
            times = truth.seconds((2,), SIZES)[0, :, None]
            blocks = times * np.exp(noise.campaign((1, BLOCKS), SIZES, rng)[0])
            slices += [
                _slice(number, p * len(SIZES) + m, b, 1e9 * blocks[m, b])
                for m, b in np.ndindex(blocks.shape)
            ]
    known = tuple(Configuration(name, name, "1", 2, (0, 1)) for name in LIBRARIES)
    return Run("made up", True, {}, known, cells, batches_of(slices), (), ())


def _slice(configuration: int, cell: int, block: int, ns: float) -> Slice:
    start = np.arange(BATCHES, dtype=np.int64)[None, :] * 10**9
    elapsed = np.full_like(start, max(1, round(ns * REPETITIONS)))
    return Slice(
        configuration, cell, block, 0, REPETITIONS, np.zeros(1, np.int32), start, start + elapsed,
        np.zeros((1, BATCHES), np.int32),
    )  # fmt: skip


def seconds(action: Callable[[], object], trials: int = 5) -> float:
    """The median time of `trials`."""
    times = []
    for _ in range(trials):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def measure(pool: Pool) -> dict[str, object]:
    """Seconds of each, medians of several times."""
    rng = np.random.default_rng(0)
    run = made_up(pool, rng)

    def fitted() -> list[Model | NotFitted]:
        curves = observations_of(Analysis(run))
        return [model for one in curves for model in fit_each(one)]

    fit_s = seconds(fitted)
    surfaces = Case(draw(FORMS[-1][0], MANY, rng), MANY, pool[0]).campaign(rng)
    models = {"curve": fitted()[0], "surface": fit(surfaces)}
    predict_s = {what: seconds(_million(model, rng)) for what, model in models.items()}
    return {
        "samples": run.batches.rank.size,
        "models": len(fitted()),
        "fit_s": fit_s,
        "fit_surface_s": seconds(lambda: fit(surfaces)),
        "predict_s": predict_s,
        "limits_s": [FIT_LIMIT_S, PREDICT_LIMIT_S],
        "reached": fit_s <= FIT_LIMIT_S and max(predict_s.values()) <= PREDICT_LIMIT_S,
    }


def _million(model: Model | NotFitted, rng: np.random.Generator) -> Callable[[], object]:
    """So many predictions, within what was fitted."""
    if isinstance(model, NotFitted):
        raise RuntimeError(f"nothing fitted: {model.reason}")
    ranks = rng.integers(model.ranks[0], model.ranks[-1] + 1, POINTS)
    sizes = np.exp2(rng.uniform(0, np.log2(model.sizes_bytes[-1]), POINTS)).astype(np.int64)
    return lambda: predict(model, ranks, sizes)
