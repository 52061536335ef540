"""What operations take on a scripted machine: seeded draws, the same for the same questions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from leadline.record.quantities import UNKNOWN
from leadline.scripted.script import Cores, Script, ScriptedLibrary


class ScriptedTimes:
    """The times of one campaign on the machine of a script."""

    def __init__(self, script: Script) -> None:
        """Begins at second 0."""
        self._script = script
        self._random = np.random.default_rng(script.seed)
        self._moods: dict[int, float] = {}
        self._states = _changes(script.cores, np.random.default_rng((script.seed, 1)))
        self._until_s, self._is_far = 0.0, True

    def launch(self, library: ScriptedLibrary) -> float:
        """The factor by which all times of a new launch differ."""
        return math.exp(self._normal(library.noise.launches))

    def factor(self, name: str, now_s: float, is_first: bool) -> float:
        """The factor by which a slice of library `name` now takes longer than the median one."""
        noise = self._script.libraries[name].noise
        period = int(now_s / self._script.mood_s)
        if period not in self._moods:
            self._moods[period] = self._normal(self._script.mood)
        log = self._moods[period] + self._normal(noise.slices) + noise.drift_per_s * now_s
        if noise.skew:
            log += noise.skew * (float(self._random.standard_exponential()) - math.log(2))
        if is_first:
            log += math.log(noise.first_slice)
        if self._script.cores and self.is_far(now_s):
            log += math.log(self._script.cores.factor)
        for one in self._script.slowed:
            if one.library == name and one.begin_s <= now_s < one.end_s:
                log += math.log(one.factor)
        return math.exp(log)

    def batches(self, library: ScriptedLibrary, number: int) -> npt.NDArray[np.float64]:
        """The factors by which so many batches of a slice differ, shape (number,)."""
        noise = library.noise
        logs = noise.batches * self._random.standard_normal(number)
        if noise.spikes:
            struck = self._random.random(number) < noise.spikes
            logs[struck] += self._random.standard_exponential(int(struck.sum()))
        return np.exp(logs)

    def waits(self, now_s: float, library: str | None = None) -> float:
        """The share of time for which ranks wait for their cores; of `library`, or anybody's."""
        found = (
            load.waits
            for load in self._script.loads
            if load.begin_s <= now_s < load.end_s and load.library in (None, library)
        )
        return max(found, default=0.0)

    def is_far(self, now_s: float) -> bool:
        """Whether the cores are in the far state; time doesn't go back."""
        if self._script.cores and self._script.cores.far:
            return any(begin <= now_s < end for begin, end in self._script.cores.far)
        while self._script.cores and now_s >= self._until_s:
            self._is_far = not self._is_far
            self._until_s += next(self._states)
        return self._is_far

    def core_latency_ns(self, now_s: float) -> int:
        """The core-to-core round trip that ranks see."""
        cores = self._script.cores
        if cores is None:
            return UNKNOWN
        return cores.far_ns if self.is_far(now_s) else cores.near_ns

    def _normal(self, spread: float) -> float:
        return spread * float(self._random.standard_normal()) if spread else 0.0


def _changes(cores: Cores | None, random: np.random.Generator) -> Iterator[float]:
    """How long each state lasts, the near one first."""
    while cores is not None:
        far_s = 2 * cores.stays_s * cores.far_share
        for mean_s in (2 * cores.stays_s - far_s, far_s):
            yield float(random.exponential(mean_s))
