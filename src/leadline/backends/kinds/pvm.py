"""PVM 3, which is found in a way of its own (discovery.pvm)."""

from __future__ import annotations

from leadline.backends.kinds.kind import Daemon, Kind
from leadline.backends.launchers.pvm import Pvm, route_of

PVM = Kind(
    name="pvm",
    title="PVM",
    sources=("pvm", "queue"),
    link_flags=("-lgpvm3", "-lpvm3"),
    launcher=Pvm,
    startup_s=0.05,
    bytes_per_s=1e8,
    only_by_name=True,
    daemon=Daemon(addresses="pvmd.*", halt="echo halt | PVM_TMP={folder} pvm"),
    debian=("pvm", "pvm-dev"),
    route=route_of,
)
