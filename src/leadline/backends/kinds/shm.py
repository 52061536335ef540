"""Raw shared memory: what a library on one host could reach at best."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind, Trial
from leadline.backends.launchers.direct import Direct

SHM = Kind(
    name="shm",
    title="raw shared memory",
    sources=("shm", "matching", "persistent", "queue"),
    launcher=Direct,
    startup_s=0.05,
    segments=("leadline-",),
    raw=True,
    one_host=True,
    transport="shm",
    trial=Trial("LEADLINE_SINGLE_COPY", r"\(single copy: (.*)\)"),
)
