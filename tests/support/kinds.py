"""The two kinds of tests, told by their folder: tests/unit and tests/live."""

from __future__ import annotations

from pathlib import Path

from harness.places import ROOT

UNIT, LIVE = "unit", "live"
KINDS = {
    UNIT: "starts no process and waits for no clock; tests of many run beside each other",
    LIVE: "starts processes: libraries, daemons, namespaces, a browser, C programs, leadline",
}
"""What each marker means."""


def kind_of(path: Path, root: Path = ROOT) -> str | None:
    """The kind of the tests in the file `path`; None outside of both folders."""
    tests = root / "tests"
    parts = path.relative_to(tests).parts if path.is_relative_to(tests) else ()
    return parts[0] if parts and parts[0] in KINDS else None
