"""Candidate against baseline in one cell or over a whole curve, and cells that agree together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from leadline.compare.circumstances import Circumstances
from leadline.compare.verdict import Judgement, Verdict, Why
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate

OF_NO_CELL = Circumstances(), Circumstances()
"""Of a whole curve: nothing is known."""


@dataclass(frozen=True, slots=True)
class Comparison(OnCurve):
    """One cell, or a whole curve, of one candidate against its baseline."""

    curve: CurveKey
    size_bytes: int | None
    """None: the whole curve, each size counting the same."""
    baseline: str
    candidate: str
    effect: Estimate
    """The candidate's time over the baseline's; nan: one of them wasn't measured."""
    judgement: Judgement
    """Of the candidate."""
    counted: bool
    """As in Pairing, of a whole curve that some cell does; what doesn't count is undecided."""
    circumstances: tuple[Circumstances, Circumstances] = OF_NO_CELL
    """The baseline's and the candidate's in the cell."""
    origins: tuple[Origin, Origin] = (Origin.MEASURED, Origin.MEASURED)
    """The baseline's and the candidate's."""

    @property
    def verdict(self) -> Verdict:
        """Of the candidate."""
        return self.judgement.verdict

    @property
    def why(self) -> Why | None:
        """What keeps it undecided; None: it is decided."""
        return self.judgement.why

    @property
    def blocks_needed(self) -> int | None:
        """As in Judgement."""
        return self.judgement.blocks_needed

    @property
    def in_order(self) -> tuple[str, str] | None:
        """The faster one and the slower one; None: neither is shown to be."""
        if self.verdict is Verdict.FASTER:
            return self.candidate, self.baseline
        return (self.baseline, self.candidate) if self.verdict is Verdict.SLOWER else None

    @property
    def baseline_origin(self) -> Origin:
        """Where the baseline's values come from."""
        return self.origins[0]

    @property
    def candidate_origin(self) -> Origin:
        """Where the candidate's values come from."""
        return self.origins[1]

    @property
    def in_simulation(self) -> bool:
        """Both sides are simulated: the ratio is exact, and nothing of it was measured."""
        return set(self.origins) == {Origin.SIMULATED}

    @property
    def ratio(self) -> float | None:
        """The candidate's time over the baseline's; None: one of them wasn't measured."""
        return self.effect.known

    @property
    def low(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.effect.low

    @property
    def high(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.effect.high

    @property
    def blocks(self) -> int:
        """How many hold both; of two runs, the smaller number of the two.

        With a side that wasn't measured those of the other; 0: it isn't taken at its word.
        """
        return self.effect.n


@dataclass(frozen=True, slots=True)
class Range:
    """Neighbouring sizes at which the same two have the same judgement; or one whole curve."""

    cells: tuple[Comparison, ...]
    """By size, at least one."""

    @property
    def baseline(self) -> str:
        """Of all cells."""
        return self.cells[0].baseline

    @property
    def candidate(self) -> str:
        """Of all cells."""
        return self.cells[0].candidate

    @property
    def first_bytes(self) -> int | None:
        """None: the whole curve."""
        return self.cells[0].size_bytes

    @property
    def last_bytes(self) -> int | None:
        """None: the whole curve."""
        return self.cells[-1].size_bytes

    @property
    def judgement(self) -> Judgement:
        """That all cells share; undecided ones, for the same reason."""
        return self.cells[0].judgement

    @property
    def lowest(self) -> Estimate:
        """The least of the cells' ratios."""
        return min((cell.effect for cell in self.cells), key=lambda effect: effect.value)

    @property
    def highest(self) -> Estimate:
        """The largest of the cells' ratios."""
        return max((cell.effect for cell in self.cells), key=lambda effect: effect.value)


def ranges_of(cells: Iterable[Comparison | None]) -> tuple[Range, ...]:
    """Neighbours among `cells`, which are by size, as ranges; None ends one."""

    def kind(cell: Comparison | None) -> tuple[str, str, Judgement] | None:
        return None if cell is None else (cell.baseline, cell.candidate, cell.judgement)

    groups = (tuple(filter(None, group)) for _, group in groupby(cells, kind))
    return tuple(Range(group) for group in groups if group)
