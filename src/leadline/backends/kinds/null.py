"""Null: operations that return at once, so that what is left is the tool's own cost."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind
from leadline.backends.launchers.direct import Alone

NULL = Kind(
    name="null",
    title="no transport at all",
    sources=("null",),
    launcher=Alone,
    startup_s=0.05,
    raw=True,
    only_by_name=True,
    one_host=True,
    transport="none",
)
