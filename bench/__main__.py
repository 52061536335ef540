"""Runs the benchmarks named (default: all) and prints their figures as JSON and as a table.

python -m bench [NAME ...] [--out FILE]
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path

from leadline.hosts.this_host import describe_machine

NAMES = (
    "cost",
    "frontend",
    "trace",
    "raw",
    "tcp",
    "pvm",
    "byhand",
    "onesided",
    "recorded",
    "planted",
    "truth",
    "portability",
    "disturbed",
    "repeat",
    "hosts",
    "mapping",
    "mapping-live",
    "simulate",
    "reproduce",
    "imports",
    "leftovers",
    "models",
    "applications",
    "study",
    "page",
    "scale",
)


def main() -> int:
    """0 if every goal that was measured was reached, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--out", default="bench/results/latest.json")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(NAMES)
    if unknown:
        parser.error(f"no benchmark is called {unknown.pop()!r}; choose from {', '.join(NAMES)}")
    results: dict[str, object] = {"machine": describe_machine().as_json()}
    reached = True
    for name in arguments.names or NAMES:
        begin = time.monotonic()
        figures = importlib.import_module(f"bench.{name.replace('-', '_')}").measure()
        figures["seconds"] = round(time.monotonic() - begin, 1)
        results[name] = figures
        reached = reached and bool(figures.get("reached", True))
        _print(name, figures)
        _write(Path(arguments.out), results)
    return 0 if reached else 1


def _write(path: Path, results: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=2, default=float) + "\n")


def _print(name: str, figures: dict[str, object]) -> None:
    print(f"\n{name}")
    for key, value in figures.items():
        rows = value if isinstance(value, list) and value and isinstance(value[0], dict) else None
        if rows is None:
            print(f"  {key:24} {json.dumps(_rounded(value))}")
            continue
        for row in rows:
            print("    " + "  ".join(f"{k} {json.dumps(_rounded(v))}" for k, v in row.items()))
    sys.stdout.flush()


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(inner) for inner in value]
    return value


sys.exit(main())
