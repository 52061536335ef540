"""What a page is made of."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.compare.baselines import BaselineContrast, Contrasts
from leadline.compare.distributions import Distribution
from leadline.record.caveats import Caveat
from leadline.record.curve import CurveKey
from leadline.record.run import Run
from leadline.report.series import series_name
from leadline.report.text.measured import Measured


@dataclass(frozen=True, slots=True)
class Reported:
    """Everything that was computed from one run or several."""

    measured: tuple[Measured, ...]
    """One for each run."""
    contrasts: Contrasts
    distributions: tuple[tuple[Distribution, ...], ...]
    """For each run those of its cells."""
    threshold: float

    @property
    def runs(self) -> tuple[Run, ...]:
        """In the order given."""
        return tuple(one.run for one in self.measured)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the runs', then those of comparing them."""
        across = [held.result.caveats for held in self.contrasts.by_baseline if not held.paired]
        found = [one.caveats for one in self.measured] + across + [self.contrasts.caveats]
        return tuple(dict.fromkeys(caveat for caveats in found for caveat in caveats))

    @property
    def keys(self) -> tuple[CurveKey, ...]:
        """What tells the curves apart, each once."""
        return tuple(dict.fromkeys(row.curve for one in self.measured for row in one.rows))

    def name(self, variant: str, run: int) -> str:
        """What a variant of a run is called in charts."""
        return series_name(self.runs, variant, run)

    def held_name(self, name: str, held: BaselineContrast) -> str:
        """Likewise of a name in a comparison."""
        return self.name(name, held.run) if held.paired else name
