"""Campaigns whose truth is known: what is planted in a script, and what else goes on there.

Each seed draws its own machine and noise; none of it is chosen by what verdicts come to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from leadline.measure.spec import Request
from leadline.scripted.campaigns import ONE_HOST
from leadline.scripted.script import Cores, LoadPeriod, NoiseModel, Script, ScriptedLibrary

SIZES = (8, 64, 512, 1024, 4096, 16_384, 65_536, 262_144)
BASELINE, CANDIDATE = "alpha", "beta"
BLOCK_S = 0.6
"""Budget of each block: two or three visits with two launches of each library."""
BLOCKS = (10, 10)
LOADED_S = 60.0
"""Time during which loads come and go: no campaign here takes as long."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The candidate's median time over the baseline's."""

    ratios: dict[int, float] = field(default_factory=dict)
    """The ratio by size, where it isn't 1."""

    def at(self, size_bytes: int | None) -> float:
        """The ratio at a size; None: over the whole curve, each size counting the same."""
        if size_bytes is not None:
            return self.ratios.get(size_bytes, 1.0)
        return math.exp(sum(map(math.log, self.ratios.values())) / len(SIZES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A kind of campaign, of which each seed is another one."""

    name: str
    planted: float = 1.0
    """The candidate's time over the baseline's where something is planted."""
    at_one_size: bool = False
    """Planted there alone, each size in its turn; else over the whole curve."""
    blocks: tuple[int, int] = BLOCKS
    """The fewest and the most."""
    two_states: bool = False
    """Whether cores change between two states."""
    disturbed: bool = False
    """Whether another program takes cores from the candidate's ranks alone."""

    def request(self, seed: int) -> Request:
        """What the campaign measures."""
        fewest, most = self.blocks
        blocks = int(self._random(seed, "order").integers(fewest, most + 1))
        return Request(
            patterns=("pingpong",),
            sizes=SIZES,
            blocks=blocks,
            budget_s=BLOCK_S * blocks,
            seed=seed,
        )

    def truth(self, seed: int) -> Truth:
        """What is planted."""
        if self.planted == 1.0:
            return Truth()
        sizes = (SIZES[seed % len(SIZES)],) if self.at_one_size else SIZES
        return Truth(dict.fromkeys(sizes, self.planted))

    def script(self, seed: int) -> Script:
        """The machine that the campaign runs on."""
        random = self._random(seed, "script")
        first_slice = random.uniform(1.0, 1.1)  # alike: else it would be a difference
        noises = [_noise(random, first_slice) for _ in range(2)]
        libraries = {
            BASELINE: ScriptedLibrary(noise=noises[0]),
            CANDIDATE: ScriptedLibrary(noise=noises[1], slower=self.truth(seed).ratios),
        }
        mood, mood_s, cores = random.uniform(0.01, 0.05), _between(random, 0.1, 3.0), None
        if self.two_states:  # which last from less than a block to half a campaign
            cores = Cores(
                factor=random.uniform(1.5, 2.0),
                stays_s=_between(random, 0.3, 3.0),
                far_share=random.uniform(0.3, 0.7),
            )
        return Script(
            libraries,
            ONE_HOST,
            seed=seed,
            mood=mood,
            mood_s=mood_s,
            cores=cores,
            loads=_loads(random, CANDIDATE) if self.disturbed else (),
        )

    def _random(self, seed: int, what: str) -> np.random.Generator:
        return np.random.default_rng([seed, *self.name.encode(), *what.encode()])


def _between(random: np.random.Generator, low: float, high: float) -> float:
    """A number between `low` and `high`, uniform in its logarithm."""
    return math.exp(random.uniform(math.log(low), math.log(high)))


def _noise(random: np.random.Generator, first_slice: float) -> NoiseModel:
    """Noise of a library, within what recorded campaigns show of those on a shared machine."""
    return NoiseModel(
        batches=_between(random, 0.005, 0.03),
        slices=_between(random, 0.004, 0.02),
        skew=random.uniform(0.0, 0.01),
        launches=_between(random, 0.005, 0.03),
        spikes=random.uniform(0.0, 0.05),
        first_slice=first_slice,
    )


def _loads(random: np.random.Generator, library: str) -> tuple[LoadPeriod, ...]:
    """Periods of a few slices to a few visits, in 10 to 40 % of all time."""
    share, lasts_s = random.uniform(0.1, 0.4), _between(random, 0.03, 0.5)
    found, now_s = [], 0.0
    while now_s < LOADED_S:
        now_s += random.exponential(lasts_s * (1 - share) / share)
        end_s = now_s + random.exponential(lasts_s)
        found.append(LoadPeriod(now_s, end_s, random.uniform(0.5, 0.9), library))
        now_s = end_s
    return tuple(found)


SCENARIOS = (
    Scenario(name="nothing planted"),
    Scenario(name="5 % at one size", planted=1.05, at_one_size=True),
    Scenario(name="3 % over the curve", planted=1.03),
    Scenario(name="two states of the cores", two_states=True),
    Scenario(name="3 to 5 blocks, 10 % planted", planted=1.10, blocks=(3, 5)),
    Scenario(name="one library disturbed", disturbed=True),
)
