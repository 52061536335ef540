"""The container's definition file, by section."""

from __future__ import annotations

import re
from collections.abc import Mapping

from harness.places import ROOT

PACKAGING = ROOT / "packaging"


def definition() -> Mapping[str, str]:
    """The sections of the container's definition, and as "" what stands before them."""
    text = (PACKAGING / "leadline.def").read_text()
    head, *parts = re.split(r"^%(\w+)\n", text, flags=re.MULTILINE)
    return {"": head} | dict(zip(parts[::2], parts[1::2], strict=True))
