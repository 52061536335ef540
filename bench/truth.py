"""How often intervals and verdicts are right, on simulated data whose truth is known: one table.

Campaigns of two libraries (`truth_of_campaigns`), one of them disturbed (`truth_of_disturbed`),
pairs in lopsided noise and among many (`truth_of_pairs`), two runs and histories of runs
(`truth_of_runs`), whole campaigns from plan to sentence (`truth_of_whole_campaigns`), and what
planted faults show (`truth_planted`). Each row has its share, its goal and its number of trials;
it counts as reached where its goal can't be ruled out by as many.

    python -m bench.truth            some 20 minutes on two cores
    python -m bench.truth --short    a hundredth of the trials; only shows that it works
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bench import (
    truth_of_campaigns,
    truth_of_disturbed,
    truth_of_pairs,
    truth_of_runs,
    truth_of_whole_campaigns,
    truth_planted,
)
from bench.rates import ANY, Row, Simulation

PARTS = (
    truth_of_campaigns,
    truth_of_disturbed,
    truth_of_pairs,
    truth_of_runs,
    truth_planted,
    truth_of_whole_campaigns,
)


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


def main() -> None:
    """Prints the table, row by row as it comes."""
    parser = argparse.ArgumentParser(prog="python -m bench.truth", description=__doc__)
    parser.add_argument("--short", action="store_true", help="only to see that it works")
    thoroughness = 0.01 if parser.parse_args().short else 1.0
    for one in simulations():
        print(line(one.row(thoroughness)), flush=True)


if __name__ == "__main__":
    main()
