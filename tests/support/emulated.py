"""Emulated hosts for tests: of their own name, gone afterwards; and what tests need root for."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
from collections.abc import Iterator, Mapping
from string import ascii_lowercase

import pytest

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.up import hosts_up

FAST = "10Gbit"
"""More than any test sends."""
_numbers = itertools.count()

needs_root = pytest.mark.skipif(
    os.geteuid() != 0,
    reason="left out: emulated hosts, which only root makes; sudo make test, or a container with "
    "--cap-add=SYS_ADMIN,NET_ADMIN, has them",
)
"""For tests, and modules, that bring hosts up."""


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
