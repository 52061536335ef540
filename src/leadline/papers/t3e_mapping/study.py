"""The paper's findings, compared with neighbours on hosts whose links are the limit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from leadline.papers.estimates import estimate, ratio
from leadline.papers.findings import Claim, Conclusion, Evidence, Outcome, above, between
from leadline.papers.results import Results, UnmeasuredError
from leadline.papers.study import Scale, Study
from leadline.papers.t3e_mapping import KEY, SOURCE
from leadline.papers.t3e_mapping import printed as t3e_mapping
from leadline.papers.t3e_mapping.printed import (
    LEAST_GAIN,
    LEAST_LOSS,
    MACHINE,
    MOST_GAIN,
    MOST_PES,
    Exchange,
)
from leadline.papers.t3e_mapping.stages import (
    FULL_S,
    HALO,
    ON_HOSTS,
    OPEN,
    PAIR,
    PERIODIC,
    QUICK_S,
    TWO_STEPS,
    USUAL,
    Time,
    bound_by_links,
    in_order,
    library,
    placements,
    reordered,
    sizes,
    stages,
    uncongested,
)
from leadline.papers.t3e_mapping.tables import figures, tables
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class _Longer:
    """A claim: one time is longer than another, of the largest messages by the first library."""

    where: str
    text: str
    said: str
    """With a gap for the size and the library, then one for the ratio."""
    over: tuple[Time, str]
    under: tuple[Time, str]
    paper: float
    """The same ratio there."""
    laid: str = ""
    """The pattern whose hops explain it; "": none."""

    @property
    def claim(self) -> Claim:
        """With the test that it is put to."""
        return Claim(self.where, self.text, self.test)

    def test(self, results: Results) -> Conclusion:
        """The ratio here, where links were the limit of both, the paper's, and hops here."""
        variant, size = library(results), _largest(results)
        times = (
            bound_by_links(time(results, variant, pattern, size), pattern)
            for time, pattern in (self.over, self.under)
        )
        what = f"{size:,} B over {variant}"
        found = Evidence(self.said.format(what, "{}"), ratio(*times))
        paper = Evidence("in the paper {} times", Estimate(self.paper), published=True)
        return above(found, 1, paper, *_hops(results, self.laid))


def _hops(results: Results, pattern: str) -> tuple[Evidence, ...]:
    """How far messages of `pattern` travel in either order; none where it isn't laid."""
    return tuple(
        Evidence(
            f"its messages travel {one.before:.3g} hops on average without reordering and {{}} "
            "with it",
            Estimate(one.after),
            Unit.HOPS,
        )
        for one in placements(results)
        if one.pattern == pattern
    )


def _largest(results: Results) -> int:
    found = sizes(results)
    if not found:
        raise UnmeasuredError("nothing was measured")
    return found[-1]


# -- pairs -----------------------------------------------------------------------------------------


def _pairs_contend(results: Results) -> Conclusion:
    variant, size = library(results), _largest(results)
    together = bound_by_links(in_order(results, variant, PAIR, size), PAIR)
    alone = bound_by_links(uncongested(results, variant, size), f"{PAIR} alone")
    text = (
        f"an exchange of {size:,} B over {variant} takes {{}} times as long where all pairs "
        "exchange at once"
    )
    return above(Evidence(text, ratio(together, alone)), LEAST_LOSS)


def _pairs_recover(results: Results) -> Conclusion:
    """Mapped pairs may need no link: then cores are their limit, and the gain is more, not less."""
    variant, size = library(results), _largest(results)
    before = bound_by_links(in_order(results, variant, PAIR, size), PAIR)
    after = reordered(results, variant, PAIR, size)
    text = (
        f"pairs that exchange {size:,} B over {variant} take {{}} times as long without reordering"
    )
    found = above(Evidence(text, ratio(before, after)), 1)
    if after.crowded and found.answer is Outcome.FAILS:
        needs = "a core for each PE: mapped pairs need no link, and share cores"
        return replace(found, answer=Outcome.OPEN, needs=needs)
    return found


# -- halo ------------------------------------------------------------------------------------------


def _halo_gains(results: Results) -> Conclusion:
    variant, size = library(results), _largest(results)
    before, after = (
        bound_by_links(time(results, variant, HALO, size), HALO) for time in (in_order, reordered)
    )
    there = t3e_mapping.HALO
    assert there.reordered_bytes_per_s is not None
    paper = Estimate(there.reordered_bytes_per_s / there.without_bytes_per_s)
    text = f"a halo of {size:,} B over {variant} takes {{}} times as long without reordering"
    return between(
        Evidence(text, ratio(before, after)),
        LEAST_GAIN,
        MOST_GAIN,
        Evidence(
            f"in the paper {{}} times, of {there.what.removeprefix('halo of ')}",
            paper,
            published=True,
        ),
        Evidence("without reordering it takes {} here", estimate(before), Unit.SECONDS),
        *_hops(results, HALO),
    )


# -- both neighbours -------------------------------------------------------------------------------

_ENDS = "an exchange of {} takes {} times as long where the ends are neighbours too"
_STEPS = "an exchange of {} takes {} times as long in two steps"
_AT_ONCE = "an exchange of {} takes {} times as long at once as in two steps"


def _sorting(what: str, pattern: str, there: Exchange) -> _Longer:
    return _Longer(
        "table 2",
        f"Reordering makes {what} of neighbours faster",
        f"{what} of {{}} takes {{}} times as long without reordering",
        (in_order, pattern),
        (reordered, pattern),
        there.without_s / there.reordered_s,
        pattern,
    )


_ROWS = (
    _sorting("an open exchange", OPEN, t3e_mapping.OPEN),
    _sorting("a cyclic exchange", PERIODIC, t3e_mapping.PERIODIC),
    _Longer(
        "table 2",
        "Without reordering a cyclic exchange takes longer than an open one",
        _ENDS,
        (in_order, PERIODIC),
        (in_order, OPEN),
        t3e_mapping.PERIODIC.without_s / t3e_mapping.OPEN.without_s,
    ),
    _Longer(
        "table 2",
        "With reordering, too, it takes longer",
        _ENDS,
        (reordered, PERIODIC),
        (reordered, OPEN),
        t3e_mapping.PERIODIC.reordered_s / t3e_mapping.OPEN.reordered_s,
    ),
    _Longer(
        "table 3",
        "Without reordering two steps are slower than all at once",
        _STEPS,
        (in_order, TWO_STEPS),
        (in_order, PERIODIC),
        t3e_mapping.TWO_STEPS.without_s / t3e_mapping.PERIODIC.without_s,
    ),
    _Longer(
        "table 3",
        "With reordering two steps are faster",
        _AT_ONCE,
        (reordered, PERIODIC),
        (reordered, TWO_STEPS),
        t3e_mapping.PERIODIC.reordered_s / t3e_mapping.TWO_STEPS.reordered_s,
    ),
)
"""What tables 2 and 3 say."""

CLAIMS = (
    Claim(
        "3.1.2",
        "Of many pairs at once each has less than half of what a pair has alone",
        _pairs_contend,
    ),
    Claim("3.1.2", "Mapped, pairs get better results", _pairs_recover),
    *(one.claim for one in _ROWS),
    Claim("3.2.2", "Reordering makes a halo 2 to 40 % faster", _halo_gains),
)
"""The paper's findings: of pairs, of neighbours along an axis, of a halo."""


# -- the study -------------------------------------------------------------------------------------


STUDY = Study(
    name="mapping",
    title="where neighbours are, and how they contend",
    question="Do neighbours contend, and does mapping them help, as a paper found on the T3E?",
    source=SOURCE,
    paper=KEY,
    scale=Scale({MACHINE: MOST_PES}, (2, 8, 16, 27, 32, 64, 128)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=USUAL,
    figures=figures,
    hosts=ON_HOSTS,
)
