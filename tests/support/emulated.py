"""Two hosts on this one: network, name, IPC and mount namespaces joined by a pair of devices."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NAMES = ("h1", "h2")
NAMESPACES = ("--net", "--uts", "--ipc", "--mount")
AGENT = """#!/bin/sh
# Stands in for ssh: enters the host named after the options.
while case "${1-}" in -[lpoi]) shift 2 ;; -*) shift ;; *) false ;; esac do :; done
host=$1
shift
exec nsenter -t "$(cat FOLDER/"$host".pid)" --net --uts --ipc --mount sh -c "$*"
"""


@dataclass(frozen=True)
class EmulatedHosts:
    """The hosts while they are up."""

    pids: tuple[int, ...]
    """Of the process that keeps each host's namespaces alive."""
    agent: Path
    """A program called like ssh."""

    def enter(self, host: int, *command: str) -> tuple[str, ...]:
        """`command` as it is run on host number `host`."""
        return ("nsenter", "-t", str(self.pids[host]), *NAMESPACES, *command)


@contextlib.contextmanager
def emulated_hosts(folder: Path) -> Iterator[EmulatedHosts]:
    """Makes the hosts h1 and h2, 10.77.0.1 and 10.77.0.2, which know each other's names.

    The devices are called eth0 because UCX takes only names that it finds in /sys, which is the
    real host's.
    """
    names = folder / "hosts"
    names.write_text("127.0.0.1 localhost\n10.77.0.1 h1\n10.77.0.2 h2\n")
    agent = folder / "agent"
    agent.write_text(AGENT.replace("FOLDER", str(folder)))
    agent.chmod(0o755)
    keepers = [_keeper(name, names) for name in NAMES]
    try:
        for name, keeper in zip(NAMES, keepers, strict=True):
            (folder / f"{name}.pid").write_text(f"{keeper.pid}\n")
        hosts = EmulatedHosts(tuple(keeper.pid for keeper in keepers), agent)
        _join(hosts)
        yield hosts
    finally:
        for keeper in keepers:
            keeper.kill()
            keeper.communicate()


def _keeper(name: str, names: Path) -> subprocess.Popen[bytes]:
    script = 'hostname "$1" && mount --bind "$2" /etc/hosts && echo ready && exec sleep 600'
    unshare = ["unshare", *NAMESPACES, "--propagation", "private"]
    keeper = subprocess.Popen(
        [*unshare, "sh", "-c", script, "sh", name, str(names)], stdout=subprocess.PIPE
    )
    assert keeper.stdout
    assert keeper.stdout.readline() == b"ready\n"
    return keeper


def _join(hosts: EmulatedHosts) -> None:
    first, second = map(str, hosts.pids)
    device = ["eth0", "netns", first, "type", "veth", "peer", "name", "eth0", "netns", second]
    subprocess.run(["ip", "link", "add", *device], check=True)
    for number in range(len(NAMES)):
        for words in (
            f"addr add 10.77.0.{number + 1}/24 dev eth0",
            "link set eth0 up",
            "link set lo up",
        ):
            subprocess.run(hosts.enter(number, "ip", *words.split()), check=True)
    for number in range(len(NAMES)):
        _wait_until_up(hosts.enter(number, "ip", "-br", "link", "show", "eth0"))


def _wait_until_up(show: tuple[str, ...]) -> None:
    """UCX overlooks a device that the kernel hasn't yet found to be running."""
    for _ in range(500):
        if b" UP " in subprocess.run(show, capture_output=True, check=True).stdout:
            return
        time.sleep(0.01)
    raise TimeoutError("the emulated link doesn't come up")
