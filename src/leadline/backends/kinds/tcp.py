"""Raw TCP: what a library over sockets could reach at best."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind
from leadline.backends.launchers.mesh import Mesh

TCP = Kind(
    name="tcp",
    title="raw TCP",
    sources=("tcp", "matching", "persistent", "queue"),
    launcher=Mesh,
    startup_s=0.05,
    bytes_per_s=5e8,
    raw=True,
    only_by_name=True,
    rendezvous=True,
    transport="tcp loopback",
)
