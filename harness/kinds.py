"""The two kinds of tests, told by their folder."""

from __future__ import annotations

from pathlib import Path

from harness.places import ROOT

UNIT, LIVE = "unit", "live"
KINDS = {
    UNIT: "starts no process and waits for no clock; tests of many run beside each other",
    LIVE: "starts processes: libraries, daemons, namespaces, a browser, C programs, leadline",
}
"""What each marker means."""
FOLDERS = {
    "tests/unit": UNIT, "tests/live": LIVE, "bench/tests": UNIT, "validation/tests": UNIT,
    "fuzz": LIVE,
}  # fmt: skip
"""Those of `bench` and `validation` test how these count and judge."""


def kind_of(path: Path, root: Path = ROOT) -> str | None:
    """The kind of the tests in the file `path`; None outside of FOLDERS."""
    kinds = (kind for folder, kind in FOLDERS.items() if path.is_relative_to(root / folder))
    return next(kinds, None)
