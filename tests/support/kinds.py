"""The two kinds of tests, told by their folder: tests/unit, and tests/live and fuzz."""

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
    """The kind of the tests in the file `path`; None outside of these folders."""
    folders = {UNIT: ("tests/unit",), LIVE: ("tests/live", "fuzz")}
    return next(
        (kind for kind in KINDS for one in folders[kind] if path.is_relative_to(root / one)), None
    )
