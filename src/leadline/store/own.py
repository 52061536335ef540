"""Which names in a run's directory are the run's own."""

from __future__ import annotations

from pathlib import Path

from leadline.store.directory import JOURNAL, MANIFEST, PARQUET, SLICES
from leadline.store.plans import PLAN

OWN = {JOURNAL, MANIFEST, PARQUET, SLICES, PLAN}


def is_own(path: Path) -> bool:
    """Whether `path` is, or would be, a file of the run that lies in its directory."""
    if path.name not in OWN:
        return False
    return any((path.parent / name).is_file() for name in (JOURNAL, MANIFEST))
