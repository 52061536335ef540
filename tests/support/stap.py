"""The STAP pipeline in NumPy: what every program that runs it must find.

python tests/support/stap.py [small|medium|large ...]

An independent second writing of src/leadline/native/kernels/applications/stap, by numpy's FFT and
LAPACK's QR. It prints, for each size, the input's checksum, what was detected with its statistics,
and the largest statistic where no target is, as a line of JSON.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Unsigned = npt.NDArray[np.uint64]
Complex = npt.NDArray[np.complexfloating[Any, Any]]
Floats = npt.NDArray[np.float64]

NOISE, CLUTTER, JAMMERS = 1, 2, 3
"""Streams of random numbers."""
CYCLES = 4096
"""Length of the integer phasors; also what noise is multiplied by, so that all have one scale."""
LOUDER = 32
"""Amplitude of clutter and jammers over that of noise."""
SCALE = 2.0**-27
GUARD, WINDOW, THRESHOLD = 2, 16, 40.0


@dataclass(frozen=True)
class Target:
    """One point at a beam, a Doppler bin and a gate."""

    beam: int
    bin: int
    gate: int
    amplitude: int


@dataclass(frozen=True)
class Cube:
    """A data cube's extents; as many Doppler bins as pulses, as many beams as channels."""

    channels: int
    pulses: int
    gates: int
    segments: int
    target_count: int

    @property
    def training(self) -> int:
        """Gates of a segment, which are the rows that its neighbour's weights are trained on."""
        return self.gates // self.segments

    @cached_property
    def jammers(self) -> tuple[int, int]:
        """Their angles in half beams."""
        return 2 * (self.channels // 4) + 1, 2 * (5 * self.channels // 8) + 1

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Each in a Doppler bin of its own, away from clutter and jammers."""
        return tuple(self._target(t) for t in range(self.target_count))

    def _target(self, t: int) -> Target:
        spacing = self.gates // self.target_count
        gate = t * spacing + 29 * t % spacing
        gate = 1 if t == 0 else self.gates - 2 if t == self.target_count - 1 else gate
        doppler = t * (self.pulses // self.target_count) + 1 + t % 3
        clear = [b for b in range(self.channels) if self._is_clear(b, doppler)]
        integrated = self.channels * self.pulses
        plain = math.sqrt(400 * 2 * 65536**2 / 3 / integrated)
        amplitude = round(plain * 10 ** (3 * (t % 4) / 20))
        return Target(clear[7 * t % len(clear)], doppler, gate, amplitude)

    def _is_clear(self, beam: int, doppler: int) -> bool:
        def away(angle: float) -> float:
            apart = (beam - angle) % self.channels
            return min(apart, self.channels - apart)

        ridge = doppler * self.channels / self.pulses
        return away(ridge) >= 2 and all(away(j / 2) >= 1.5 for j in self.jammers)


CUBES = {
    "small": Cube(8, 32, 256, 4, 6),
    "medium": Cube(16, 128, 512, 8, 16),
    "large": Cube(32, 128, 2048, 16, 32),
}


def hashed(stream: int, index: Unsigned) -> Unsigned:
    """SplitMix64's output function at position `index` of `stream` (Steele, Lea, Flood 2014)."""
    z = np.uint64(stream) + (index + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def gaussian(stream: int, index: Unsigned) -> Integers:
    """A sum of four numbers of 16 bits, less its mean: nearly normal, standard deviation 37837."""
    h = hashed(stream, index)
    fields = sum(((h >> np.uint64(16 * i)) & np.uint64(0xFFFF)).astype(np.int64) for i in range(4))
    return np.asarray(fields, dtype=np.int64) - 131070


def complex_gaussian(stream: int, index: Unsigned) -> tuple[Integers, Integers]:
    """Real and imaginary part `index`."""
    twice = np.uint64(2) * index
    return gaussian(stream, twice), gaussian(stream, twice + np.uint64(1))


def phasor(steps: Integers, turn: int) -> tuple[Integers, Integers]:
    """The integers next to 4096 exp(2 pi i steps / turn)."""
    angle = 2 * math.pi * (steps % turn) / turn
    parts = np.rint(CYCLES * np.cos(angle)), np.rint(CYCLES * np.sin(angle))
    return parts[0].astype(np.int64), parts[1].astype(np.int64)


def received(cube: Cube) -> tuple[Integers, Integers]:
    """Real and imaginary part [gate][pulse][channel] of what the antenna gets, as integers."""
    shape = (cube.gates, cube.pulses, cube.channels)
    r, n, c = (axis.astype(np.uint64) for axis in np.indices(shape, sparse=True))
    pulses = np.uint64(cube.pulses)
    re, im = complex_gaussian(NOISE, (r * pulses + n) * np.uint64(cube.channels) + c)
    ridge = complex_gaussian(CLUTTER, r * pulses + (n + c) % pulses)
    re, im = CYCLES * (re + LOUDER * ridge[0]), CYCLES * (im + LOUDER * ridge[1])
    channels = np.arange(cube.channels)
    for q, angle in enumerate(cube.jammers):
        g = complex_gaussian(JAMMERS, (np.uint64(q * cube.gates) + r) * pulses + n)
        tc, ts = phasor(angle * channels, 2 * cube.channels)
        re += LOUDER * (g[0] * tc - g[1] * ts)
        im += LOUDER * (g[0] * ts + g[1] * tc)
    for target in cube.targets:
        steps = target.beam * channels * cube.pulses
        steps = steps + target.bin * np.arange(cube.pulses)[:, None] * cube.channels
        tc, ts = phasor(steps, cube.channels * cube.pulses)
        re[target.gate] += target.amplitude * tc
        im[target.gate] += target.amplitude * ts
    return re, im


def checksum(re: Integers, im: Integers) -> int:
    """Of all samples in any order, modulo 2^64."""
    mixed = (re.view(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)) ^ (
        im.view(np.uint64) * np.uint64(0x94D049BB133111EB)
    )
    return int(mixed.sum(dtype=np.uint64))


def weights(cube: Cube, training: Complex, steering: Complex) -> Complex:
    """[channel][beam], adapted to the rows of `training`, which are gates."""
    load = math.sqrt(cube.training * cube.pulses * 8 / 3)
    loaded = np.vstack([training.conj(), load * np.eye(cube.channels)])
    triangle: Complex = np.linalg.qr(loaded).R
    t: Complex = np.linalg.solve(triangle.conj().T, steering)
    solved: Complex = np.linalg.solve(triangle, t)
    return np.asarray(solved * math.sqrt(cube.training) / np.linalg.norm(t, axis=0))


def beam_powers(cube: Cube, turned: Complex, adapted: bool) -> Floats:
    """[beam][gate] of one Doppler bin, [gate][channel]."""
    c = np.arange(cube.channels)
    steering = np.exp(2j * math.pi * (np.outer(c, c) % cube.channels) / cube.channels)
    pieces = np.split(turned, cube.segments)
    powers = []
    for s, piece in enumerate(pieces):
        training = pieces[(s + 1) % cube.segments]
        w = weights(cube, training, steering) if adapted else steering
        powers.append(np.abs(w.conj().T @ piece.T) ** 2)
    return np.hstack(powers)


def statistics(power: Floats) -> Floats:
    """[beam][gate]: the power over its surroundings' mean."""
    gates = power.shape[1]
    sums, counts = np.zeros_like(power), np.zeros(gates)
    for away in range(GUARD + 1, GUARD + WINDOW + 1):
        sums[:, away:] += power[:, :-away]
        sums[:, :-away] += power[:, away:]
        counts[away:] += 1
        counts[: gates - away] += 1
    return np.asarray(power * counts / sums)


@dataclass(frozen=True)
class Findings:
    """What the pipeline finds in a cube."""

    checksum: str
    """Of the input, hexadecimal."""
    detections: list[tuple[int, int, int, float]]
    """(beam, bin, gate, statistic) in the order of bins and gates."""
    largest_other: float
    total: float
    """Of the statistics of all bins and gates."""
    """The largest statistic where no target is."""


def found(size: str, adapted: bool = True) -> Findings:
    """What is found in a cube of this `size`, with weights adapted or plain steering vectors."""
    cube = CUBES[size]
    re, im = received(cube)
    turned = np.fft.fft((re + 1j * im) * SCALE, axis=1).transpose(1, 0, 2)
    best = np.empty((cube.pulses, cube.gates))
    beam = np.empty((cube.pulses, cube.gates), dtype=np.int64)
    for d, one in enumerate(turned):
        all_beams = statistics(beam_powers(cube, one, adapted))
        best[d], beam[d] = all_beams.max(axis=0), all_beams.argmax(axis=0)
    places = [(int(d), int(r)) for d, r in np.argwhere(best > THRESHOLD)]
    others = best.copy()
    for target in cube.targets:
        others[target.bin, target.gate] = 0
    return Findings(
        checksum=f"{checksum(re, im):016x}",
        detections=[(int(beam[place]), *place, float(best[place])) for place in places],
        largest_other=float(others.max()),
        total=float(best.sum()),
    )


def main(names: list[str]) -> None:
    """Prints a line for each size named."""
    for name in names or CUBES:
        print(json.dumps({"size": name} | asdict(found(name))))


if __name__ == "__main__":
    main(sys.argv[1:])
