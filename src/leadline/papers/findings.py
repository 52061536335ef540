"""Whether a paper's findings hold on this machine: the answers and the evidence for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from leadline.papers.estimates import Quantity, estimate, ratio
from leadline.papers.results import Results, UnmeasuredError
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate
from leadline.statistics.permutation import fewest_blocks


class Outcome(StrEnum):
    """Whether a finding holds on this machine."""

    HOLDS = "holds"
    FAILS = "doesn't hold"
    OPEN = "can't be told"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence with a gap, "{}", and the estimate that belongs there."""

    text: str
    estimate: Estimate
    """In the SI unit of `unit`."""
    unit: Unit = Unit.FACTOR
    """What it is printed in."""
    published: bool = False
    """It is the paper's, of what the first evidence is of this machine."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """An answer and why."""

    answer: Outcome
    evidence: tuple[Evidence, ...] = ()
    needs: str | None = None
    """Where it is open: what an answer would take."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One of a paper's findings, in our words, and the test that decides it."""

    where: str
    """In the paper: a section or a table."""
    text: str
    test: Callable[[Results], Conclusion]


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim and the conclusion from this machine's measurements."""

    where: str
    claim: str
    conclusion: Conclusion


FEWEST_BLOCKS = fewest_blocks(1)
"""Number of blocks that an interval takes."""
MORE_BLOCKS = (
    "more blocks: the bound lies within the interval; give leadline study a larger --budget"
)
SOME_BLOCKS = "an interval: six blocks at least; give leadline study a larger --budget"
QUIETER = (
    "an interval: six blocks at least; as many were measured, and ranks waited for cores in some, "
    "which don't count: measure when nothing else runs"
)


def answered(claims: Sequence[Claim], results: Results) -> tuple[Finding, ...]:
    """Tests the claims, in order; one that lacks a measurement is open, and says what it needs."""
    findings = []
    for claim in claims:
        try:
            conclusion = claim.test(results)
        except UnmeasuredError as lack:
            conclusion = Conclusion(Outcome.OPEN, needs=str(lack))
        else:
            if conclusion.needs == SOME_BLOCKS and results.disturbed_below(FEWEST_BLOCKS):
                conclusion = replace(conclusion, needs=QUIETER)
        findings.append(Finding(claim.where, claim.text, conclusion))
    return tuple(findings)


def above(evidence: Evidence, bound: float, *further: Evidence) -> Conclusion:
    """Holds where the whole interval lies above `bound`, fails where it lies below."""
    return between(evidence, bound, None, *further)


def between(
    evidence: Evidence, least: float | None, most: float | None, *further: Evidence
) -> Conclusion:
    """Holds where the whole interval lies between the bounds, fails where it lies outside.

    A bound of None is none; `further` evidence is shown and decides nothing. What has no value,
    since no block has all that it is made of, isn't shown.
    """
    shown = tuple(piece for piece in (evidence, *further) if piece.estimate.known is not None)
    if evidence.estimate.bounds is None:
        return Conclusion(Outcome.OPEN, shown, SOME_BLOCKS)
    low, high = evidence.estimate.bounds
    if (least is not None and high < least) or (most is not None and low > most):
        return Conclusion(Outcome.FAILS, shown)
    if (least is None or low > least) and (most is None or high < most):
        return Conclusion(Outcome.HOLDS, shown)
    return Conclusion(Outcome.OPEN, shown, MORE_BLOCKS)


def unless(conclusion: Conclusion, lacks: Sequence[str]) -> Conclusion:
    """`conclusion`, which holds of all only where nothing `lacks`; it fails of all if of one."""
    if conclusion.answer is Outcome.HOLDS and lacks:
        return Conclusion(Outcome.OPEN, conclusion.evidence, lacks[0])
    return conclusion


# -- tests as rows ---------------------------------------------------------------------------------

QuantityIn = Callable[[Results], Quantity]
"""A quantity that results have; it raises UnmeasuredError where they lack it."""


@dataclass(frozen=True, slots=True)
class RatioTest:
    """A claim's test: how many times one quantity is another, which lies between two bounds."""

    text: str
    """A sentence with a gap, "{}", for how many times."""
    over: QuantityIn
    under: QuantityIn | float
    """Measured on this machine; or the paper's value, in SI units."""
    least: float | None = None
    most: float | None = None
    unit: Unit = Unit.FACTOR
    """What the ratio is printed in."""
    shown: tuple[str, Unit] | None = None
    """A sentence with a gap for what is compared, and its unit; None: it isn't shown."""
    further: tuple[Evidence | Callable[[Results], Evidence], ...] = ()
    """Shown behind, and decides nothing; of results it is where they are measured."""

    def __call__(self, results: Results) -> Conclusion:
        """Holds where the whole interval lies between the bounds."""
        over = self.over(results)
        if callable(self.under):
            factor = ratio(over, self.under(results))
        else:
            factor = estimate(over).scaled(1 / self.under)
        shown = [Evidence(self.shown[0], estimate(over), self.shown[1])] if self.shown else []
        further = (piece(results) if callable(piece) else piece for piece in self.further)
        evidence = Evidence(self.text, factor, self.unit)
        return between(evidence, self.least, self.most, *shown, *further)
