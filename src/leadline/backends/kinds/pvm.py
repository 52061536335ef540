"""PVM 3."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind

PVM = Kind(
    name="pvm",
    title="PVM",
    sources=("pvm",),
    link_flags=("-lgpvm3", "-lpvm3"),
    startup_s=0.05,
    one_host=True,
    debian=("pvm", "pvm-dev"),
)
