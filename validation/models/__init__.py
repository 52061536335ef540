"""Closed forms: whether they, their intervals and what they predict are right.

    make validate models                      all parts, with two campaigns an hour apart
    python -m validation.models PART ...      some of them
    python -m validation.models PART --run A --run B    with these run directories as campaigns,
                                              the first and the last, others between these

By construction the truth is known of `synthetic` (forms and coefficients), `names` (collectives
over links drawn at random), `ranks` and `algorithms` (collectives on simulated machines), which may
run beside other work. Real campaigns
need a quiet machine: `held_out` (sizes), `later` (another campaign) and `limits` (where libraries
change their protocol); so does `speed`. `extrap` has Extra-P model the sizes that `held_out` does,
the first time over the network. The noise of what is simulated is that of the first
campaign's blocks.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from bench.figures import rounded

from validation.models import (
    algorithms,
    extrap,
    held_out,
    later,
    limits,
    names,
    ranks,
    speed,
    synthetic,
)
from validation.models.noise import Pool, pool_of
from validation.models.runs import curves, kept_run

Figures = dict[str, object]


class Parts:
    """What there is to measure; `runs` are campaigns in place of those that are conducted."""

    def __init__(self, runs: Sequence[str] = ()) -> None:
        self._runs = runs

    @property
    def by_name(self) -> Mapping[str, Callable[[], Figures]]:
        """In the order in which they are measured."""
        return {
            "speed": lambda: speed.measure(self.pool),
            "held_out": lambda: held_out.measure(self.first),
            "extrap": lambda: extrap.measure(self.first),
            "ranks": lambda: ranks.measure(self.pool),
            "algorithms": lambda: algorithms.measure(self.pool),
            "names": names.measure,
            "synthetic": lambda: synthetic.measure(self.pool),
            "limits": limits.measure,
            "later": lambda: later.measure(self._runs if len(self._runs) > 1 else ()),
        }

    @cached_property
    def first(self) -> Path | str:
        """The campaign that models are fitted to."""
        return self._runs[0] if self._runs else kept_run("first")

    @cached_property
    def pool(self) -> Pool:
        """Its noise."""
        return pool_of(curves(self.first))


def measure(names: Sequence[str] = (), runs: Sequence[str] = ()) -> Figures:
    """The figures of the parts named, or all, by name."""
    parts = Parts(runs).by_name
    found: Figures = {}
    for name in names or parts:
        begin = time.monotonic()
        figures = parts[name]()
        found[name] = figures | {"seconds": round(time.monotonic() - begin, 1)}
        print(f"models {name}\n{_text(figures)}", flush=True)
    return found | {"reached": all(bool(one["reached"]) for one in _figures(found))}


def _figures(found: Figures) -> list[Figures]:
    return [one for one in found.values() if isinstance(one, dict)]


def _text(figures: Figures) -> str:
    """A line a figure, and a row."""
    lines: list[str] = []
    for key, value in figures.items():
        several = isinstance(value, list) and value and isinstance(value[0], dict | str)
        for one in value if isinstance(value, list) and several else [value]:
            lines.append(f"  {key}: {json.dumps(rounded(one), default=float)}")
    return "\n".join(lines)


def main() -> None:
    """Prints the figures, part by part as they come, and writes them."""
    names = list(Parts().by_name)
    parser = argparse.ArgumentParser(prog="python -m validation.models", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(names)}")
    parser.add_argument("--run", action="append", default=[], metavar="DIR", dest="runs")
    parser.add_argument("--out", default="bench/results/models.json")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(names)
    if unknown:
        parser.error(f"no part is called {unknown.pop()!r}; choose from {', '.join(names)}")
    figures = measure(arguments.parts, arguments.runs)
    out = Path(arguments.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(figures, indent=1, default=float) + "\n")
