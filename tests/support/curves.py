"""Observations made up: of a known curve or surface, with noise as launches have it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from leadline.models.observations import Observations
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats

SIZES = (0, *(2**k for k in range(21)))


def observations(
    seconds: Floats,
    ranks: Sequence[int] = (2,),
    sizes: Sequence[int] = SIZES,
    origin: Origin = Origin.MEASURED,
) -> Observations:
    """Of times of shape (ranks, sizes, blocks), or (ranks, sizes) in one block."""
    return Observations(
        variant="mpich",
        pattern="pingpong",
        buffers="separate",
        cadence="streaming",
        threads=1,
        origin=origin,
        ranks=tuple(ranks),
        sizes_bytes=tuple(sizes),
        seconds=seconds.reshape(len(ranks), len(sizes), -1),
    )


def noisy(
    truth: Floats, blocks: int, seed: int, launch: float = 0.02, cell: float = 0.02
) -> Floats:
    """Block medians about `truth`, (ranks, sizes): launches share an effect, some cells a delay.

    The median of what is drawn is the truth.
    """
    generator = np.random.default_rng(seed)
    shape = (*truth.shape, blocks)
    shared = launch * generator.standard_normal((truth.shape[0], 1, blocks))
    own = cell * generator.standard_normal(shape)
    spikes = np.where(generator.random(shape) < 0.04, generator.exponential(0.3, shape), 0.0)
    middle = 0.05 * np.hypot(launch, cell)  # by which 4 % of delays move the median
    return np.asarray(truth[..., None] * np.exp(shared + own + spikes - middle))
