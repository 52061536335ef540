"""Noise for simulated campaigns: how far recorded blocks lie from their cell's median.

A simulated campaign takes whole blocks of one recorded curve, all sizes together, so that what a
block's times share, and how their tails look, is this machine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.models.observations import Observations
from leadline.statistics.intervals import Floats

FEWEST_BLOCKS = 6
"""Of a curve that is drawn from."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Of one recorded curve."""

    sizes_bytes: tuple[int, ...]
    logs: Floats
    """Natural logarithms of block medians over their cell's median, shape (sizes, blocks)."""

    def campaign(
        self, shape: tuple[int, int], sizes: Sequence[int], rng: np.random.Generator
    ) -> Floats:
        """That of a new campaign of `shape` = (ranks, blocks); shape (ranks, sizes, blocks).

        Blocks are drawn anew for each number of ranks; a size has the noise of the nearest one.
        """
        drawn = rng.integers(self.logs.shape[1], size=shape)
        return self.logs[_nearest(self.sizes_bytes, sizes)][:, drawn].transpose(1, 0, 2)


Pool = tuple[Noise, ...]
"""Of several curves."""


def pool_of(curves: Sequence[Observations]) -> Pool:
    """That of those of `curves` that have enough blocks; each is of one number of ranks.

    ValueError: none has as many blocks as an interval needs.
    """
    found = (Noise(one.sizes_bytes, _residuals(one)) for one in curves)
    enough = tuple(one for one in found if one.logs.shape[1] >= FEWEST_BLOCKS)
    if not enough:
        raise ValueError(f"no curve has {FEWEST_BLOCKS} blocks in all of its sizes")
    return enough


def _residuals(curve: Observations) -> Floats:
    """By the blocks that have all sizes."""
    logs: Floats = np.log(curve.seconds[0])
    whole = logs[:, ~np.isnan(logs).any(axis=0)]
    return whole - np.median(whole, axis=1, keepdims=True) if whole.size else whole


def _nearest(known: Sequence[int], wanted: Sequence[int]) -> npt.NDArray[np.intp]:
    """The place of the nearest known size, by ratio."""
    logs, here = (np.log2(np.maximum(np.array(some, float), 0.5)) for some in (known, wanted))
    return np.asarray(np.abs(logs[None, :] - here[:, None]).argmin(axis=1))
