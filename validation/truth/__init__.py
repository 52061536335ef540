"""How often intervals and verdicts are right, on simulated data whose truth is known: one table.

Campaigns of two libraries (`campaigns`), one of them disturbed (`disturbed`), pairs in lopsided
noise and among many (`pairs`), two runs and histories of runs (`runs`), whole campaigns from plan
to sentence (`whole_campaigns`), and what planted faults show (`planted`). Each row has its share,
its goal and its number of trials; it counts as reached where its goal can't be ruled out by as
many.

    python -m validation.truth            some 20 minutes on two cores
    python -m validation.truth --short    a hundredth of the trials; only shows that it works
"""

from __future__ import annotations

from collections.abc import Iterator

from validation.rates import ANY, Row, Simulation
from validation.truth import campaigns, disturbed, pairs, planted, runs, whole_campaigns

PARTS = (campaigns, disturbed, pairs, runs, planted, whole_campaigns)


def simulations() -> Iterator[Simulation]:
    """All that is known to be true."""
    for part in PARTS:
        yield from part.simulations()


def measure() -> dict[str, object]:
    """All shares beside their goals."""
    found = [one.row() for one in simulations()]
    return {
        "rows": [figures_of(row) for row in found],
        "reached": all(row.reached for row in found),
    }


def figures_of(row: Row) -> dict[str, object]:
    """Of a row, as JSON takes them."""
    return {
        "what": row.what,
        "share": row.share,
        "goal": row.goal,
        "trials": row.trials,
        "bounds": row.bounds,
        "within": row.within,
        "reached": row.reached,
    }


def line(row: Row) -> str:
    """E.g. "two runs, ...  5.1% (4.2% to 6.0%) of 1,000; goal 3% to 7%"."""
    (low, high), (least, most) = row.bounds, row.goal
    outside = "" if row.within else ": outside, and not ruled out"
    missed = outside if row.reached else ": MISSED"
    goal = "no goal" if row.goal == ANY else f"goal {least:.0%} to {most:.0%}{missed}"
    return f"{row.what:66} {row.share:6.1%} ({low:.1%} to {high:.1%}) of {row.trials:,}; {goal}"
