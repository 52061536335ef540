"""The wire between emulated hosts: their devices, made by ip and tc, and what shapes it.

Either the switch in user space, or the kernel: a bridge, a pair of devices a host, token buckets.
Full duplex: a bucket for what a host sends, another for what is sent to it. Half duplex: all that
comes from any host goes through the one bucket of an ifb device before it is bridged.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
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


HEADER_BYTES = 14
"""Of a frame, which the kernel counts; it is told nothing of the rest of the framing."""
QUEUE_BYTES = 2**24
"""Holds all that is under way: a link that drops packets stands idle until TCP sends them again."""
LEAST_BURST_BYTES = 2**16 + 2**11
"""Holds what TCP hands down at once: else the kernel cuts it, which takes more time than it has."""
LEAST_BURST_S = 1e-3
"""What a bucket holds at least: a timer that is late by less costs no rate."""


def join_by_buckets(cluster: Cluster) -> None:
    """Gives each host its eth0, joined in the namespace of the wire and shaped; MachineError."""
    obeyed("ip", wire_of(cluster), cluster.folder / "wire.ip", _ports(cluster))
    obeyed("tc", wire_of(cluster), cluster.folder / "wire.tc", _buckets(cluster))
    if cluster.link.medium is Medium.SWITCHED:
        for host in cluster.hosts:
            bucket = [_bucket("eth0", cluster.link)]
            obeyed("tc", inside(host), cluster.folder / f"{host.name}.tc", bucket)


def impair_by_buckets(cluster: Cluster, host: EmulatedHost, share: float, cut: bool) -> None:
    """Lets `host` have a share of the rate, or nothing at all.

    On a shared medium it has a bucket of its own, before the one of all.
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

    The kernel tells the bridge later, by a work queue, that a device has come up: on a busy machine
    up to a second after `ip` has ended, and drops what is sent until then.
    """
    asked = ("ip", "-details", "link", "show", "dev", f"port{cluster.number(host)}")
    end = time.monotonic() + PATIENCE_S
    while "state forwarding" not in (seen := run((*wire_of(cluster), *asked), PATIENCE_S)).output:
        if seen.status != 0 or time.monotonic() > end:
            said = " ".join(seen.output.split())
            raise MachineError(
                f"the link of host {host.name!r} doesn't come up: {said}; see what holds it down "
                f"(leadline hosts exec {host.name} -- ip link show eth0), or make the hosts again"
            )
        time.sleep(INTERVAL_S)


def refuse_delay(link: EmulatedLink) -> None:
    """UsageError: the kernel's buckets delay nothing."""
    raise UsageError(
        f"the link {link.name!r} is shaped by the kernel, which delays no frames; bring the hosts "
        "up with a lower --link rate, which the switch in user space serves"
    )


def _ports(cluster: Cluster) -> Iterator[str]:
    """Commands of ip on the wire."""
    mtu = cluster.link.mtu
    yield "link add bridge type bridge forward_delay 0 stp_state 0 mcast_snooping 0"
    yield f"link set bridge mtu {mtu} up"
    for number, host in enumerate(cluster.hosts, 1):
        yield (
            f"link add port{number} mtu {mtu} type veth "
            f"peer name eth0 mtu {mtu} address {mac_of(number)} netns {host.pid}"
        )
        yield f"link set port{number} master bridge up"
    if cluster.link.medium is Medium.SHARED:
        yield "link add medium type ifb"
        yield f"link set medium mtu {mtu} up"


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


def _own_bucket(device: str, link: EmulatedLink, share: float) -> str:
    """The command of tc for a host with this `share` of the rate; of a shared medium, all of it."""
    if link.medium is Medium.SHARED and share == 1:
        return f"qdisc replace dev {device} root pfifo"
    return _bucket(device, link, share)


def _bucket(device: str, link: EmulatedLink, share: float = 1.0) -> str:
    """The command of tc that gives `device` this `share` of the link's rate.

    The kernel counts a frame's header and its packet, and TCP hands it many segments as one: so it
    is given the rate at which these take what full frames do.
    """
    counted = (link.mtu + HEADER_BYTES) / link.wire_bytes(link.mtu)
    rate = round(link.rate_bits_per_s * share * counted)
    burst = max(LEAST_BURST_BYTES, round(rate * LEAST_BURST_S / 8))
    return f"qdisc replace dev {device} root tbf rate {rate}bit burst {burst} limit {QUEUE_BYTES}"


def join(cluster: Cluster) -> None:
    """Gives each host its eth0, on the cluster's link; MachineError."""
    if cluster.link.shaper is Shaper.SWITCH:
        _join_by_switch(cluster)
    else:
        join_by_buckets(cluster)
    set_up_devices(cluster)
    if cluster.link.shaper is not Shaper.SWITCH:
        for host in cluster.hosts:
            await_forwarding(cluster, host)


def impair_link(cluster: Cluster, host: EmulatedHost, impairment: Impairment) -> None:
    """Makes the link of `host` as `impairment` says; UsageError where it can't be delayed."""
    share, delay_s, cut = impairment.rate_share, impairment.extra_delay_s, impairment.cut
    if cluster.link.shaper is Shaper.SWITCH:
        switch_of(cluster).impair(cluster.number(host), share, delay_s, cut)
        return
    if delay_s:
        refuse_delay(cluster.link)
    impair_by_buckets(cluster, host, share, cut)


def switch_of(cluster: Cluster) -> Switch:
    """The switch between the hosts of a cluster that has one."""
    return Switch(cluster.folder / "switch.socket")


def _join_by_switch(cluster: Cluster) -> None:
    """The switch makes its devices on the wire, from where each moves into its host."""
    control, mark = switch_of(cluster).control, marked(cluster.prefix)
    start_switch(cluster.link, len(cluster.hosts), control, mark, wire_of(cluster))
    moves = (
        f"link set t{number} netns {host.pid} name eth0"
        for number, host in enumerate(cluster.hosts, 1)
    )
    obeyed("ip", wire_of(cluster), cluster.folder / "wire.ip", moves)
