"""A STAP pipeline: filter, corner turn, search, gather (native/kernels/applications/stap)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leadline.errors import UsageError
from leadline.simulate.programs.calls import CallRows, CallStep
from leadline.simulate.programs.collective import Collective, divided
from leadline.simulate.programs.collectives import CALLED, called_steps
from leadline.simulate.programs.repetition import Repetition
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

SAMPLE_BYTES = 16
DETECTION_BYTES = 32
"""As long is the count of detections before them."""


@dataclass(frozen=True, slots=True)
class Cube:
    """What an antenna took in."""

    channels: int
    pulses: int
    """As many Doppler bins."""
    gates: int
    segments: int
    """Of gates, each of which has weights of its own."""

    @property
    def filter_flop(self) -> int:
        """Of all Fourier transforms."""
        passes = self.pulses.bit_length() - 1
        return 5 * passes * self.pulses * self.channels * self.gates

    @property
    def search_flop(self) -> int:
        """Of weights, beams and detection."""
        depth = self.gates // self.segments
        weights = 8 * self.channels**2 * (depth + self.channels)
        samples = self.pulses * self.gates * self.channels
        return self.pulses * self.segments * weights + samples * (8 * self.channels + 3 + 8)


CUBES = {
    "small": Cube(8, 32, 256, 4),
    "medium": Cube(16, 128, 512, 8),
    "large": Cube(32, 128, 2048, 16),
}
"""By the word of the option."""


@dataclass(frozen=True, slots=True)
class CubeShares:
    """What ranks own of a cube; all arrays have shape (ranks,)."""

    cube: Cube
    ranks: int
    gates: Int64
    """Before the corner turn, of all pulses."""
    bins: Int64
    """After it, of all gates."""

    @property
    def even(self) -> bool:
        """Whether all pairs of ranks exchange as much."""
        return self.cube.pulses % self.ranks == 0 and self.cube.gates % self.ranks == 0


def process(of: Repetition) -> Iterator[CallStep]:
    """One cube: each rank filters its gates, all exchange them for bins, and search these."""
    shares = _shares(of, CUBES[_size(of)])
    cube = shares.cube
    filtered = shares.gates * cube.pulses * cube.channels
    searched = shares.bins * cube.gates * cube.channels
    yield _worked(of, cube.filter_flop // cube.gates * shares.gates, filtered)
    yield from _turn(of, shares)
    yield _worked(of, cube.search_flop // cube.pulses * shares.bins, searched)
    yield from _gather(of, shares)


def _worked(of: Repetition, flop: Int64, samples: Int64) -> CallStep:
    """On so many samples, each read and written, or read twice."""
    ranks = np.arange(of.ranks)
    return CallStep((CallRows(CallKind.WORK, ranks, -1, 2 * SAMPLE_BYTES * samples, flop),))


def _turn(of: Repetition, shares: CubeShares) -> Iterator[CallStep]:
    """A block of each rank to each: its gates of the other's bins."""
    called = CALLED["total_exchange" if shares.even else "total_exchangev"]
    row_bytes = SAMPLE_BYTES * shares.cube.channels
    told = Collective(of.ranks, 0, shares.bins * row_bytes, called.tag, lengths=shares.gates)
    yield from called_steps(called, of.algorithms, told)


def _gather(of: Repetition, shares: CubeShares) -> Iterator[CallStep]:
    """What was found: a count, and room for a detection a bin."""
    called = CALLED["gatherv"]
    told = Collective(of.ranks, 0, DETECTION_BYTES * (1 + shares.bins), called.tag)
    yield from called_steps(called, of.algorithms, told)


def _size(of: Repetition) -> str:
    return of.options.get("cube", next(iter(CUBES)))


def _shares(of: Repetition, cube: Cube) -> CubeShares:
    """UsageError: there are more ranks than bins."""
    if of.ranks > cube.pulses:
        raise UsageError(
            f"pattern {of.pattern}:{_size(of)} takes at most {cube.pulses} ranks, which "
            f"have a Doppler bin each, seen {of.ranks}; give {cube.pulses} or fewer"
        )
    return CubeShares(cube, of.ranks, divided(cube.gates, of.ranks), divided(cube.pulses, of.ranks))
