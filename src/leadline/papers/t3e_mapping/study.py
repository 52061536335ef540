"""The paper's findings, compared with neighbours on hosts whose links are the limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from leadline.papers.estimates import Quantity, estimate, ratio
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

BoundTime = Callable[[Results, str, int], Quantity]
"""The time of a variant and a size, of which a link was shown to be the limit."""


def _bound(time: Time, pattern: str) -> BoundTime:
    return lambda results, variant, size: bound_by_links(
        time(results, variant, pattern, size), pattern
    )


def _alone(results: Results, variant: str, size_bytes: int) -> Quantity:
    return bound_by_links(uncongested(results, variant, size_bytes), f"{PAIR} alone")


def _largest(results: Results) -> int:
    measured = sizes(results)
    if not measured:
        raise UnmeasuredError("nothing was measured")
    return measured[-1]


@dataclass(frozen=True, slots=True)
class _Longer:
    """A claim's test: one time is longer than another, of the largest messages by a library."""

    text: str
    """With a gap for the size and the library, then one for the ratio."""
    over: BoundTime
    under: BoundTime
    paper: float | None = None
    """The same ratio there; None: it isn't printed."""
    paper_text: str = "in the paper {} times"
    least: float = 1.0
    most: float | None = None
    shown: str = ""
    """A sentence with a gap for the longer time; "": it isn't shown."""
    placed: str = ""
    """The pattern whose hops explain it; "": none."""

    def __call__(self, results: Results) -> Conclusion:
        """The ratio here, where links were the limit of both, the paper's, and hops here."""
        variant, size = library(results), _largest(results)
        over, under = (time(results, variant, size) for time in (self.over, self.under))
        what = f"{size:,} B over {variant}"
        further = []
        if self.paper is not None:
            further.append(Evidence(self.paper_text, Estimate(self.paper), published=True))
        if self.shown:
            further.append(Evidence(self.shown, estimate(over), Unit.SECONDS))
        further += (
            Evidence(
                f"its messages travel {placement.before:.3g} hops on average without reordering "
                "and {} with it",
                Estimate(placement.after),
                Unit.HOPS,
            )
            for placement in placements(results)
            if placement.pattern == self.placed
        )
        evidence = Evidence(self.text.format(what, "{}"), ratio(over, under))
        return between(evidence, self.least, self.most, *further)


def _pairs_recover(results: Results) -> Conclusion:
    """Mapped pairs may need no link: then cores are their limit, and the gain is more, not less."""
    variant, size = library(results), _largest(results)
    before = _bound(in_order, PAIR)(results, variant, size)
    after = reordered(results, variant, PAIR, size)
    text = (
        f"pairs that exchange {size:,} B over {variant} take {{}} times as long without reordering"
    )
    conclusion = above(Evidence(text, ratio(before, after)), 1)
    if after.crowded and conclusion.answer is Outcome.FAILS:
        needs = "a core for each PE: mapped pairs need no link, and share cores"
        return replace(conclusion, answer=Outcome.OPEN, needs=needs)
    return conclusion


# -- claims ----------------------------------------------------------------------------------------


_ENDS = "an exchange of {} takes {} times as long where the ends are neighbours too"
_HALO = t3e_mapping.HALO
assert _HALO.reordered_bytes_per_s is not None  # the text says it

CLAIMS = (
    Claim(
        "3.1.2",
        "Of many pairs at once each has less than half of what a pair has alone",
        _Longer(
            "an exchange of {} takes {} times as long where all pairs exchange at once",
            _bound(in_order, PAIR),
            _alone,
            least=LEAST_LOSS,
        ),
    ),
    Claim("3.1.2", "Mapped, pairs get better results", _pairs_recover),
    *(
        Claim(
            "table 2",
            f"Reordering makes {what} of neighbours faster",
            _Longer(
                f"{what} of {{}} takes {{}} times as long without reordering",
                _bound(in_order, pattern),
                _bound(reordered, pattern),
                exchange.without_s / exchange.reordered_s,
                placed=pattern,
            ),
        )
        for what, pattern, exchange in (
            ("an open exchange", OPEN, t3e_mapping.OPEN),
            ("a cyclic exchange", PERIODIC, t3e_mapping.PERIODIC),
        )
    ),
    Claim(
        "table 2",
        "Without reordering a cyclic exchange takes longer than an open one",
        _Longer(
            _ENDS,
            _bound(in_order, PERIODIC),
            _bound(in_order, OPEN),
            t3e_mapping.PERIODIC.without_s / t3e_mapping.OPEN.without_s,
        ),
    ),
    Claim(
        "table 2",
        "With reordering, too, it takes longer",
        _Longer(
            _ENDS,
            _bound(reordered, PERIODIC),
            _bound(reordered, OPEN),
            t3e_mapping.PERIODIC.reordered_s / t3e_mapping.OPEN.reordered_s,
        ),
    ),
    Claim(
        "table 3",
        "Without reordering two steps are slower than all at once",
        _Longer(
            "an exchange of {} takes {} times as long in two steps",
            _bound(in_order, TWO_STEPS),
            _bound(in_order, PERIODIC),
            t3e_mapping.TWO_STEPS.without_s / t3e_mapping.PERIODIC.without_s,
        ),
    ),
    Claim(
        "table 3",
        "With reordering two steps are faster",
        _Longer(
            "an exchange of {} takes {} times as long at once as in two steps",
            _bound(reordered, PERIODIC),
            _bound(reordered, TWO_STEPS),
            t3e_mapping.PERIODIC.reordered_s / t3e_mapping.TWO_STEPS.reordered_s,
        ),
    ),
    Claim(
        "3.2.2",
        "Reordering makes a halo 2 to 40 % faster",
        _Longer(
            "a halo of {} takes {} times as long without reordering",
            _bound(in_order, HALO),
            _bound(reordered, HALO),
            _HALO.reordered_bytes_per_s / _HALO.without_bytes_per_s,
            f"in the paper {{}} times, of {_HALO.what.removeprefix('halo of ')}",
            least=LEAST_GAIN,
            most=MOST_GAIN,
            shown="without reordering it takes {} here",
            placed=HALO,
        ),
    ),
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
