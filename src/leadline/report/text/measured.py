"""What was computed from a run, for all of its reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.compare.overlap import HiddenShare
from leadline.compare.ranking import Standings
from leadline.compare.summaries import Rates, Summary, gathered
from leadline.compare.warnings import unfinished
from leadline.models.fitted import Overview
from leadline.models.pingpong import PingPong
from leadline.record.caveats import Caveat
from leadline.record.run import Run


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that was computed from a run, for its report."""

    run: Run
    untimed: Sequence[Caveat]
    """Of cells that have no row."""
    rows: Sequence[Summary]
    standings: Standings
    pingpongs: Sequence[PingPong]
    threshold: float
    """Of the standings' verdicts."""
    overlaps: Sequence[HiddenShare]
    rates: Sequence[Rates]
    forms: Overview

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the run's, those of its cells that it doesn't say already, those of pairs."""
        said = {one.code for one in self.run.warnings}
        of_rows = [one for one in gathered(self.rows) if one.code not in said]
        of_pairs = [caveat for one in self.standings.curves for caveat in one.caveats]
        every = [*self.run.warnings, *unfinished(self.run), *self.untimed, *of_rows, *of_pairs]
        return tuple(dict.fromkeys(every))
