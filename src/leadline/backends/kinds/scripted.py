"""A library that answers from a script instead of moving messages (leadline.scripted)."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind
from leadline.backends.launchers.mesh import Mesh

SCRIPTED = Kind(
    name="scripted",
    title="a scripted library",
    sources=(),
    launcher=Mesh,
    startup_s=0.05,
    only_by_name=True,
)
"""Its ranks are no processes: a scripted machine plays what this launcher would start."""
