"""Pages of the documentation, and the tables of the reference."""

from __future__ import annotations

import re

from harness.places import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = (ROOT / "docs" / "reference.md").read_text()


def keys_in_table(title: str) -> tuple[str, ...]:
    table = REFERENCE.split(f"| {title} |")[1].split("\n\n")[0]
    return tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
