"""Raw TCP: what a library over sockets could reach at best."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind

TCP = Kind(
    name="tcp",
    title="raw TCP",
    sources=("tcp", "matching"),
    startup_s=0.05,
    raw=True,
    only_by_name=True,
    transport="tcp loopback",
)
