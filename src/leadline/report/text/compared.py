"""What was computed from one run or two, for the report on their comparison."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.compare.pairs import ComparisonResult
from leadline.record.caveats import Caveat
from leadline.record.run import Run
from leadline.report.text.notes import of_several


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything that was computed from one run or two, for the report."""

    runs: tuple[Run, ...]
    """One: its variants were compared; two: the second with the first."""
    result: ComparisonResult
    threshold: float

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the runs', then those of comparing them; which run's, if not every one's."""
        warnings = of_several([(run, run.warnings) for run in self.runs])
        return tuple(dict.fromkeys([*warnings, *self.result.caveats]))
