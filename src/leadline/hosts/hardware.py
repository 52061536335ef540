"""Sockets, memory nodes, hardware threads and network interfaces, as Linux shows them in /sys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SPEED_MBIT_S = 1
"""The least of an interface that says anything true of its speed."""


def sockets(root: Path) -> int | None:
    """How many processor packages there are; None: not known."""
    cores = root.glob("sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id")
    return len({text for core in cores if (text := _text(core)) is not None}) or None


def numa_nodes(root: Path) -> int | None:
    """How many parts of memory are nearer to some cores than to others; None: not known."""
    return len(list(root.glob("sys/devices/system/node/node[0-9]*"))) or None


def threads_per_core(cpu: Path) -> int | None:
    """How many hardware threads share the core of `cpu`, a folder of /sys; None: not known."""
    listed = _text(cpu / "topology/thread_siblings_list")
    if listed is None:
        return None
    ends = (part.split("-") for part in listed.split(","))
    return sum(int(end[-1]) - int(end[0]) + 1 for end in ends)


def network(root: Path) -> str | None:
    """The interfaces behind which there is a device, and the adapters of InfiniBand's kind."""
    return "; ".join([*_interfaces(root), *_adapters(root)]) or None


def _interfaces(root: Path) -> Iterator[str]:
    for one in sorted(root.glob("sys/class/net/*")):
        driver = one / "device/driver"
        if driver.exists():
            speed = _text(one / "speed") or ""
            known = speed.isdigit() and int(speed) >= SPEED_MBIT_S
            yield " ".join([one.name, driver.resolve().name, *[f"{speed} Mbit/s"] * known])


def _adapters(root: Path) -> Iterator[str]:
    for one in sorted(root.glob("sys/class/infiniband/*")):
        rates = {rate for port in sorted(one.glob("ports/*/rate")) if (rate := _text(port))}
        yield " ".join([one.name, *sorted(rates)])


def _text(path: Path) -> str | None:
    """None where it can't be read, as of an interface that is down."""
    try:
        return path.read_text(errors="replace").strip() or None
    except OSError:
        return None
