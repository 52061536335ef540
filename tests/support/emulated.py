"""Emulated hosts for tests: of their own name, gone afterwards; and what tests need root for."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import socket
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import ascii_lowercase

import pytest
from harness.patience import PATIENCE_S

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import parse_link

FAST = "10Gbit"
"""More than any test sends."""
_numbers = itertools.count()

needs_root = pytest.mark.skipif(
    os.geteuid() != 0,
    reason="left out: emulated hosts, other namespaces and users, which only root makes; sudo make "
    "test, or a container with --cap-add=SYS_ADMIN,NET_ADMIN, has them",
)
"""For tests, and modules, that bring hosts up, enter namespaces or become somebody else."""


@contextlib.contextmanager
def emulated_hosts(
    count: int = 2, link: str = FAST, clock_offsets_s: Mapping[int, int] | None = None
) -> Iterator[Cluster]:
    """Hosts joined by `link`, called by a prefix that no other process has.

    Clocks of some are ahead by whole seconds, by the host's number from 1.
    """
    mine = own_prefix()
    ahead = {f"{mine}{number}": offset for number, offset in (clock_offsets_s or {}).items()}
    with hosts_up(count, parse_link(link), mine, ahead) as hosts:
        yield hosts


def own_prefix() -> str:
    """For hosts of this process, another one at each call: "ta", "tb" ... after its number."""
    letters = "".join(ascii_lowercase[int(digit)] for digit in f"{os.getpid()}{next(_numbers)}")
    return f"t{letters}"


def inside(cluster: Cluster, host: int, *command: str) -> tuple[str, ...]:
    """`command` as it is run on host number `host`, from 0."""
    return (*cluster.entrance(cluster.hosts[host].name), *command)


def host_words(cluster: Cluster, first: int = 1, last: int | None = None) -> str:
    """The hosts from number `first`, from 1, to `last` as --hosts takes them."""
    return f"{cluster.prefix}[{first}-{last or len(cluster.hosts)}]"


def speaking(cluster: Cluster, host: int, *command: str) -> str:
    """What `command` says on host number `host`, from 0; it must end well."""
    done = subprocess.run(
        inside(cluster, host, *command), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# -- what goes over a link -------------------------------------------------------------------------

PORT = 4000
"""Ends a hang: a datagram takes a millisecond."""
_CLONE_NEWNET = 0x40000000


@contextlib.contextmanager
def datagrams(cluster: Cluster, host: int) -> Iterator[socket.socket]:
    """A socket of host number `host`, from 0, that hears what comes to PORT there.

    It stays where it was made, and ends with no process of the host.
    """
    with Path("/proc/thread-self/ns/net").open() as own, _network_of(cluster, host).open() as its:
        _enter(its.fileno())
        try:
            made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        finally:
            _enter(own.fileno())
    with made:
        made.settimeout(PATIENCE_S)
        made.bind(("", PORT))
        yield made


def _network_of(cluster: Cluster, host: int) -> Path:
    return Path(f"/proc/{cluster.hosts[host].pid}/ns/net")


def _enter(namespace: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(namespace, _CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def sent_packets(cluster: Cluster, host: int) -> int:
    """How many host number `host`, from 0, has handed to the link, which has taken them."""
    for line in Path(f"/proc/{cluster.hosts[host].pid}/net/dev").read_text().splitlines():
        device, _, counts = line.partition(":")
        if device.strip() == "eth0":
            return int(counts.split()[9])
    raise LookupError("eth0")
