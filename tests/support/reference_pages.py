"""Pages of the documentation, and the tables of the reference."""

from __future__ import annotations

import re

from harness.places import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = (ROOT / "docs" / "reference.md").read_text()
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks(text: str, tag: str) -> list[str]:
    """The bodies of a page's blocks of code in one language."""
    return [body for found, body in FENCE.findall(text) if found == tag]


def keys_in_table(title: str) -> tuple[str, ...]:
    table = REFERENCE.split(f"| {title} |")[1].split("\n\n")[0]
    return tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


def tables_of_keys() -> list[tuple[str, ...]]:
    """The names in the first columns of all tables of the reference, in their order."""
    tables = re.findall(r"^\|[-| ]+\|\n((?:\|.*\n)+)", REFERENCE, re.MULTILINE)
    return [tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) for table in tables]
