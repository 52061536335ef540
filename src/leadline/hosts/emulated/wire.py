"""Wire between emulated hosts: their devices, made by ip and tc, and its traffic shaping.

It is shaped by the switch in user space, or by the kernel: a bridge, a pair of devices per host,
token buckets. Full duplex: one bucket for what a host sends, another for what is sent to it. Half
duplex: all that comes from any host goes through the one bucket of an ifb device, then the bridge.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from leadline.errors import MachineError, UsageError
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.hosts.emulated.impairment import Impairment
from leadline.hosts.emulated.link import EmulatedLink, Medium, Shaper
from leadline.hosts.emulated.namespaces import marked
from leadline.hosts.emulated.switch import Switch, start_switch
from leadline.processes import run

PATIENCE_S = 20.0
INTERVAL_S = 0.005


def wire_of(cluster: Cluster) -> tuple[str, ...]:
    """Command prefix that runs what follows it in the network between the hosts."""
    return ("nsenter", "-t", str(cluster.wire_pid), "--net")


def inside(host: EmulatedHost) -> tuple[str, ...]:
    """Command prefix that runs what follows it in the host's network."""
    return ("nsenter", "-t", str(host.pid), "--net")


def mac_of(number: int) -> str:
    """MAC address of host number 1, 2 ...: locally administered."""
    return f"02:4c:65:61:64:{number:02x}"


def obeyed(program: str, entrance: Sequence[str], file: Path, commands: Iterable[str]) -> None:
    """Has `program` (ip or tc) read `commands` from `file`, entered by `entrance`; MachineError."""
    file.write_text("".join(f"{command}\n" for command in commands))
    ending = run((*entrance, program, "-batch", str(file)), PATIENCE_S)
    if ending.status != 0:
        raise MachineError(
            f"the kernel refuses the link: {' '.join(ending.output.split())} ({program} -batch); "
            "it needs veth, bridge, tbf, and for a shared medium ifb, ingress, u32 and mirred: "
            "modprobe them, or take a machine that has them"
        )


def set_up_devices(cluster: Cluster) -> None:
    """Gives each host's eth0, which exists, its address, and waits until it runs."""
    for host in cluster.hosts:
        # neighbours are given, to keep requests for their addresses off the wire
        neighbours = [
            f"neigh replace {other.address} lladdr {mac_of(number)} dev eth0 nud permanent"
            for number, other in enumerate(cluster.hosts, 1)
            if other != host
        ]
        commands = [f"addr add {host.address}/24 dev eth0", "link set eth0 up", *neighbours]
        obeyed("ip", inside(host), cluster.folder / f"{host.name}.ip", commands)
    for host in cluster.hosts:
        await_running(host)


def await_running(host: EmulatedHost) -> None:
    """Returns when the kernel has found the device to be running: before, UCX overlooks it."""
    state = Path(f"/proc/{host.pid}/root/sys/class/net/eth0/operstate")
    end = time.monotonic() + PATIENCE_S
    while state.read_text() not in ("up\n", "unknown\n"):
        if time.monotonic() > end:
            raise MachineError(f"the link of host {host.name!r} doesn't come up")
        time.sleep(INTERVAL_S)


HEADER_BYTES = 14
"""Header of a frame, which the kernel counts; it doesn't know the rest of the framing."""
QUEUE_BYTES = 2**24
"""Queue for all packets under way: a link that drops any is idle until TCP sends them again."""
LEAST_BURST_BYTES = 2**16 + 2**11
"""Bucket for what TCP passes down at once: else the kernel splits it, which takes too long."""
LEAST_BURST_S = 1e-3
"""Least time that a bucket holds: a timer that is late by less costs no rate."""


def join_by_buckets(cluster: Cluster) -> None:
    """Gives each host its eth0, joined in the namespace of the wire and shaped; MachineError."""
    link, mtu = cluster.link, cluster.link.mtu
    ports = [f"port{number}" for number in range(1, len(cluster.hosts) + 1)]
    devices = [
        "link add bridge type bridge forward_delay 0 stp_state 0 mcast_snooping 0",
        f"link set bridge mtu {mtu} up",
    ]
    for number, (port, host) in enumerate(zip(ports, cluster.hosts, strict=True), 1):
        devices += [
            f"link add {port} mtu {mtu} type veth "
            f"peer name eth0 mtu {mtu} address {mac_of(number)} netns {host.pid}",
            f"link set {port} master bridge up",
        ]
    if link.medium is Medium.SHARED:
        devices += ["link add medium type ifb", f"link set medium mtu {mtu} up"]
        buckets = [_bucket("medium", link)]
        for port in ports:
            buckets += [
                f"qdisc add dev {port} ingress",
                f"filter add dev {port} parent ffff: protocol all u32 match u32 0 0 "
                "action mirred egress redirect dev medium",
            ]
    else:
        buckets = [_bucket(port, link) for port in ports]
    obeyed("ip", wire_of(cluster), cluster.folder / "wire.ip", devices)
    obeyed("tc", wire_of(cluster), cluster.folder / "wire.tc", buckets)
    if link.medium is Medium.SWITCHED:
        for host in cluster.hosts:
            bucket = [_bucket("eth0", link)]
            obeyed("tc", inside(host), cluster.folder / f"{host.name}.tc", bucket)


def impair_by_buckets(cluster: Cluster, host: EmulatedHost, share: float, cut: bool) -> None:
    """Gives `host` a share of the rate, or nothing if it is `cut`.

    On a shared medium it has a bucket of its own, before that of all hosts.
    """
    port = f"port{cluster.number(host)}"
    link, folder = cluster.link, cluster.folder
    obeyed("tc", inside(host), folder / f"{host.name}.tc", [_own_bucket("eth0", link, share)])
    obeyed("tc", wire_of(cluster), folder / "wire.tc", [_own_bucket(port, link, share)])
    state = "down" if cut else "up"
    obeyed("ip", wire_of(cluster), folder / "wire.ip", [f"link set {port} {state}"])
    if not cut:
        await_forwarding(cluster, host)


def await_forwarding(cluster: Cluster, host: EmulatedHost) -> None:
    """Returns when the bridge passes frames on to `host`; MachineError.

    The kernel notifies the bridge later, by a work queue, that a device has come up: on a busy
    machine up to a second after `ip` has ended, and drops what is sent until then.
    """
    asked = ("ip", "-details", "link", "show", "dev", f"port{cluster.number(host)}")
    end = time.monotonic() + PATIENCE_S
    while "state forwarding" not in (seen := run((*wire_of(cluster), *asked), PATIENCE_S)).output:
        if seen.status != 0 or time.monotonic() > end:
            answer = " ".join(seen.output.split())
            raise MachineError(
                f"the link of host {host.name!r} doesn't come up: {answer}; see what holds it down "
                f"(leadline hosts exec {host.name} -- ip link show eth0), or make the hosts again"
            )
        time.sleep(INTERVAL_S)


def refuse_delay(link: EmulatedLink) -> None:
    """Raises UsageError, as the kernel's buckets delay nothing."""
    raise UsageError(
        f"the link {link.name!r} is shaped by the kernel, which delays no frames; bring the hosts "
        "up with a lower --link rate, which the switch in user space serves"
    )


def _own_bucket(device: str, link: EmulatedLink, share: float) -> str:
    """Command of tc for a host's `share` of the rate; all of a shared medium needs no bucket."""
    if link.medium is Medium.SHARED and share == 1:
        return f"qdisc replace dev {device} root pfifo"
    return _bucket(device, link, share)


def _bucket(device: str, link: EmulatedLink, share: float = 1.0) -> str:
    """Command of tc that gives `device` this `share` of the link's rate.

    The kernel counts a frame's header and its packet, and gets many segments of TCP as one: so it
    is given the rate at which these take as long as full frames on the link.
    """
    counted = (link.mtu + HEADER_BYTES) / link.wire_bytes(link.mtu)
    rate = round(link.rate_bits_per_s * share * counted)
    burst = max(LEAST_BURST_BYTES, round(rate * LEAST_BURST_S / 8))
    return f"qdisc replace dev {device} root tbf rate {rate}bit burst {burst} limit {QUEUE_BYTES}"


def join(cluster: Cluster) -> None:
    """Gives each host its eth0, on the cluster's link; MachineError."""
    if cluster.link.shaper is Shaper.SWITCH:
        # the switch makes its devices on the wire, from where each moves into its host
        control, mark = switch_of(cluster).control, marked(cluster.prefix)
        start_switch(cluster.link, len(cluster.hosts), control, mark, wire_of(cluster))
        moves = (
            f"link set t{number} netns {host.pid} name eth0"
            for number, host in enumerate(cluster.hosts, 1)
        )
        obeyed("ip", wire_of(cluster), cluster.folder / "wire.ip", moves)
    else:
        join_by_buckets(cluster)
    set_up_devices(cluster)
    if cluster.link.shaper is not Shaper.SWITCH:
        for host in cluster.hosts:
            await_forwarding(cluster, host)


def impair_link(cluster: Cluster, host: EmulatedHost, impairment: Impairment) -> None:
    """Impairs the link of `host` by `impairment`; UsageError where it can't be delayed."""
    share, delay_s, cut = impairment.rate_share, impairment.extra_delay_s, impairment.cut
    if cluster.link.shaper is Shaper.SWITCH:
        switch_of(cluster).impair(cluster.number(host), share, delay_s, cut)
        return
    if delay_s:
        refuse_delay(cluster.link)
    impair_by_buckets(cluster, host, share, cut)


def switch_of(cluster: Cluster) -> Switch:
    """Switch between the hosts of a cluster that has one."""
    return Switch(cluster.folder / "switch.socket")
