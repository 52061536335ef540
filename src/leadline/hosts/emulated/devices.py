"""Devices of emulated hosts, as the programs ip and tc make them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from leadline.errors import MachineError
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.processes import run

PATIENCE_S = 20.0
INTERVAL_S = 0.005


def wire_of(cluster: Cluster) -> tuple[str, ...]:
    """The words that run what follows them in the network between the hosts."""
    return ("nsenter", "-t", str(cluster.wire_pid), "--net")


def inside(host: EmulatedHost) -> tuple[str, ...]:
    """The words that run what follows them in the host's network."""
    return ("nsenter", "-t", str(host.pid), "--net")


def mac_of(number: int) -> str:
    """Of host number 1, 2 ...: locally administered."""
    return f"02:4c:65:61:64:{number:02x}"


def obeyed(program: str, entrance: Sequence[str], file: Path, commands: Iterable[str]) -> None:
    """Has `program` (ip or tc) read `commands` from `file`, inside of `entrance`; MachineError."""
    file.write_text("".join(f"{command}\n" for command in commands))
    ending = run((*entrance, program, "-batch", str(file)), PATIENCE_S)
    if ending.status != 0:
        raise MachineError(
            f"the kernel refuses the link: {' '.join(ending.output.split())} ({program} -batch); "
            "it needs veth, bridge, tbf, and for a shared medium ifb, ingress, u32 and mirred: "
            "modprobe them, or take a machine that has them"
        )


def set_up_devices(cluster: Cluster) -> None:
    """Gives each host's eth0, which is there, its address, and waits until it runs."""
    for host in cluster.hosts:
        commands = _device(cluster, host)
        obeyed("ip", inside(host), cluster.folder / f"{host.name}.ip", commands)
    for host in cluster.hosts:
        await_running(host)


def _device(cluster: Cluster, host: EmulatedHost) -> Iterator[str]:
    """Neighbours are known, lest they be asked for on the wire."""
    yield f"addr add {host.address}/24 dev eth0"
    yield "link set eth0 up"
    for number, other in enumerate(cluster.hosts, 1):
        if other != host:
            yield f"neigh replace {other.address} lladdr {mac_of(number)} dev eth0 nud permanent"


def await_running(host: EmulatedHost) -> None:
    """UCX overlooks a device that the kernel hasn't yet found to be running."""
    state = Path(f"/proc/{host.pid}/root/sys/class/net/eth0/operstate")
    end = time.monotonic() + PATIENCE_S
    while state.read_text() not in ("up\n", "unknown\n"):
        if time.monotonic() > end:
            raise MachineError(f"the link of host {host.name!r} doesn't come up")
        time.sleep(INTERVAL_S)
