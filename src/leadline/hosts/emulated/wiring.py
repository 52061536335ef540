"""Links that the kernel shapes: a bridge, a pair of devices a host, token buckets.

Full duplex: a bucket for what a host sends, another for what is sent to it. Half duplex: all that
comes from any host goes through the one bucket of an ifb device before it is bridged.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from leadline.errors import MachineError
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.hosts.emulated.link import (
    AAL5_BYTES,
    ETHERNET_LEAST_BYTES,
    ETHERNET_OVERHEAD_BYTES,
    EmulatedLink,
    Framing,
    Medium,
)
from leadline.processes import run

PATIENCE_S = 20.0
INTERVAL_S = 0.005
HEADER_BYTES = 14
"""Of a frame, which the kernel counts; the rest of the framing it is told."""
QUEUE_BYTES = 2**24
"""Holds all that is under way: a link that drops packets stands idle until TCP sends them again."""
BURST_FRAMES = 1
LEAST_BURST_BYTES = 2048
LEAST_BURST_S = 100e-6
"""What a bucket holds at least: a timer that is late by less costs no rate."""


def join(cluster: Cluster) -> None:
    """Gives each host its eth0, joined and shaped in the namespace of the wire; MachineError."""
    link, folder = cluster.link, cluster.folder
    wire = ("nsenter", "-t", str(cluster.wire_pid), "--net")
    _batch("ip", wire, folder / "wire.ip", _ports(cluster))
    _batch("tc", wire, folder / "wire.tc", _buckets(cluster))
    for host in cluster.hosts:
        inside = ("nsenter", "-t", str(host.pid), "--net")
        _batch("ip", inside, folder / f"{host.name}.ip", _device(cluster, host))
        if link.medium is Medium.SWITCHED:
            _batch("tc", inside, folder / f"{host.name}.tc", [_bucket("eth0", link)])
    for host in cluster.hosts:
        _await_running(host)


def _ports(cluster: Cluster) -> Iterator[str]:
    """Commands of ip on the wire."""
    link = cluster.link
    yield "link add bridge type bridge forward_delay 0 stp_state 0 mcast_snooping 0"
    yield f"link set bridge mtu {link.mtu} up"
    for number, host in enumerate(cluster.hosts, 1):
        mac, mtu = _mac(number), link.mtu
        yield (
            f"link add port{number} mtu {mtu} type veth "
            f"peer name eth0 mtu {mtu} address {mac} netns {host.pid}"
        )
        yield f"link set port{number} master bridge up"
    if link.medium is Medium.SHARED:
        yield "link add medium type ifb"
        yield f"link set medium mtu {link.mtu} up"


def _buckets(cluster: Cluster) -> Iterator[str]:
    """Commands of tc on the wire."""
    ports = [f"port{number}" for number in range(1, len(cluster.hosts) + 1)]
    if cluster.link.medium is Medium.SWITCHED:
        for port in ports:
            yield _bucket(port, cluster.link)
        return
    yield _bucket("medium", cluster.link)
    for port in ports:
        yield f"qdisc add dev {port} ingress"
        yield (
            f"filter add dev {port} parent ffff: protocol all u32 match u32 0 0 "
            "action mirred egress redirect dev medium"
        )


def _device(cluster: Cluster, host: EmulatedHost) -> Iterator[str]:
    """Commands of ip in a host: neighbours are known, and no segments are joined to one packet."""
    yield f"addr add {host.address}/24 dev eth0"
    yield "link set eth0 gso_max_segs 1 up"
    for number, other in enumerate(cluster.hosts, 1):
        if other != host:
            yield f"neigh replace {other.address} lladdr {_mac(number)} dev eth0 nud permanent"


def _bucket(device: str, link: EmulatedLink, share: float = 1.0) -> str:
    """The command of tc that gives `device` this `share` of the link's rate."""
    rate = round(link.rate_bits_per_s * share)
    frame = link.wire_bytes(link.mtu) * BURST_FRAMES
    burst = max(frame, LEAST_BURST_BYTES, round(rate * LEAST_BURST_S / 8))
    return (
        f"qdisc replace dev {device} root tbf rate {rate}bit burst {burst} limit {QUEUE_BYTES} "
        f"{_overhead(link)}"
    )


def _overhead(link: EmulatedLink) -> str:
    if link.framing is Framing.ATM:
        return f"overhead {AAL5_BYTES - HEADER_BYTES} linklayer atm"
    beside = ETHERNET_OVERHEAD_BYTES - HEADER_BYTES
    return f"mpu {ETHERNET_LEAST_BYTES} overhead {beside} linklayer ethernet"


def _mac(number: int) -> str:
    """Of host number 1, 2 ...: locally administered."""
    return f"02:4c:65:61:64:{number:02x}"


def _batch(program: str, inside: Sequence[str], file: Path, commands: Iterable[str]) -> None:
    file.write_text("".join(f"{command}\n" for command in commands))
    ending = run((*inside, program, "-batch", str(file)), PATIENCE_S)
    if ending.status != 0:
        raise MachineError(
            f"the kernel refuses the link: {' '.join(ending.output.split())} ({program} -batch); "
            "it needs veth, bridge, tbf, and for a shared medium ifb, ingress, u32 and mirred: "
            "modprobe them, or take a machine that has them"
        )


def _await_running(host: EmulatedHost) -> None:
    """UCX overlooks a device that the kernel hasn't yet found to be running."""
    state = Path(f"/proc/{host.pid}/root/sys/class/net/eth0/operstate")
    end = time.monotonic() + PATIENCE_S
    while state.read_text() != "up\n":
        if time.monotonic() > end:
            raise MachineError(f"the link of host {host.name!r} doesn't come up")
        time.sleep(INTERVAL_S)
