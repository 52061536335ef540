"""A STAP pipeline: filter, corner turn, search, gather (native/kernels/applications/stap)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leadline.errors import UsageError
from leadline.patterns.programs.calls import CallRows, CallStep, Repetition
from leadline.patterns.programs.collective import Collective, divided
from leadline.patterns.programs.collectives import CALLED, called_steps
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

SAMPLE_BYTES = 16
DETECTION_BYTES = 32
"""Size of a detection, and of the count of detections before them."""


@dataclass(frozen=True, slots=True)
class Cube:
    """What an antenna took in."""

    channels: int
    pulses: int
    """Also the number of Doppler bins."""
    gates: int
    segments: int
    """Segments of gates, each of which has weights of its own."""

    @property
    def filter_flop(self) -> int:
        """Floating-point operations of all Fourier transforms."""
        passes = self.pulses.bit_length() - 1
        return 5 * passes * self.pulses * self.channels * self.gates

    @property
    def search_flop(self) -> int:
        """Floating-point operations of weights, beams and detection."""
        depth = self.gates // self.segments
        weights = 8 * self.channels**2 * (depth + self.channels)
        samples = self.pulses * self.gates * self.channels
        return self.pulses * self.segments * weights + samples * (8 * self.channels + 3 + 8)


CUBES = {
    "small": Cube(8, 32, 256, 4),
    "medium": Cube(16, 128, 512, 8),
    "large": Cube(32, 128, 2048, 16),
}
"""Cubes by value of the option."""


def process(repetition: Repetition) -> Iterator[CallStep]:
    """One cube: each rank filters its gates, all exchange them for bins, and search these.

    UsageError: there are more ranks than bins.
    """
    ranks, size = repetition.ranks, repetition.options.get("cube", next(iter(CUBES)))
    cube = CUBES[size]
    if ranks > cube.pulses:
        raise UsageError(
            f"pattern {repetition.pattern}:{size} takes at most {cube.pulses} ranks, which "
            f"have a Doppler bin each, seen {ranks}; give {cube.pulses} or fewer"
        )
    gates, bins = divided(cube.gates, ranks), divided(cube.pulses, ranks)  # shape (ranks,)
    filtered, searched = gates * cube.pulses * cube.channels, bins * cube.gates * cube.channels
    yield _worked(cube.filter_flop // cube.gates * gates, filtered)

    # the corner turn: a block of each rank to each, its gates of the other's bins
    even = cube.pulses % ranks == 0 and cube.gates % ranks == 0
    turn = CALLED["alltoall" if even else "alltoallv"]
    row_bytes = SAMPLE_BYTES * cube.channels
    op = Collective(ranks, 0, bins * row_bytes, turn.tag, lengths=gates)
    yield from called_steps(turn, repetition.algorithms, op)
    yield _worked(cube.search_flop // cube.pulses * bins, searched)

    # what was detected: a count, and room for a detection a bin
    gather = CALLED["gatherv"]
    op = Collective(ranks, 0, DETECTION_BYTES * (1 + bins), gather.tag)
    yield from called_steps(gather, repetition.algorithms, op)


def _worked(flop: Int64, samples: Int64) -> CallStep:
    """Work of each rank on its samples, each read and written, or read twice."""
    ranks = np.arange(len(flop))
    return CallStep((CallRows(CallKind.WORK, ranks, -1, 2 * SAMPLE_BYTES * samples, flop),))
