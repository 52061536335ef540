"""Runs measurements by name, prints their figures and writes them as JSON.

A measurement is a module or package with a function `measure`, whose figures are a dictionary;
"reached" among them says whether its goals were.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from leadline.hosts.this_host import describe_machine

Figures = dict[str, object]


def together(*parts: Figures) -> Figures:
    """The figures of several parts as one's; reached where all are."""
    figures = {key: value for part in parts for key, value in part.items()}
    return figures | {"reached": all(part["reached"] for part in parts)}


def run(package: str, names: Sequence[str], about: str | None) -> int:
    """Measures what the command line names (default: all `names`) of `package`.

    The figures are in bench/results/PACKAGE.json after each of them. Returns the exit status: 0 if
    every goal that was measured was reached, else 1.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {package}", description=about)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--out", default=f"bench/results/{package}.json")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(names)
    if unknown:
        parser.error(f"nothing is called {unknown.pop()!r}; choose from {', '.join(names)}")
    results: Figures = {"machine": describe_machine().as_json()}
    reached = True
    for name in arguments.names or names:
        begin = time.monotonic()
        figures = importlib.import_module(f"{package}.{name.replace('-', '.')}").measure()
        figures["seconds"] = round(time.monotonic() - begin, 1)
        results[name] = figures
        reached = reached and bool(figures.get("reached", True))
        _print(name, figures)
        out = Path(arguments.out)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(results, indent=2, default=float) + "\n")
    return 0 if reached else 1


def _print(name: str, figures: Figures) -> None:
    print(f"\n{name}")
    for key, value in figures.items():
        rows = value if isinstance(value, list) and value and isinstance(value[0], dict) else None
        if rows is None:
            print(f"  {key:24} {json.dumps(rounded(value))}")
            continue
        for row in rows:
            print("    " + "  ".join(f"{k} {json.dumps(rounded(v))}" for k, v in row.items()))
    sys.stdout.flush()


def rounded(value: object) -> object:
    """`value` with four significant digits in each number that isn't whole."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, list | tuple) else value
