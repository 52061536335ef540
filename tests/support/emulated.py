"""Hosts on this one: network, name, IPC and mount namespaces joined by a bridge."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

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

    def shape(self, rate: str) -> None:
        """Limits what each host sends to `rate`, as tc has it.

        The queue holds all that is under way: a link that drops packets stands idle until TCP
        sends them again.
        """
        words = f"qdisc replace dev eth0 root tbf rate {rate} burst 16kb limit 16mb"
        for host in range(len(self.pids)):
            subprocess.run(self.enter(host, "tc", *words.split()), check=True)


@contextlib.contextmanager
def emulated_hosts(folder: Path, number: int = 2) -> Iterator[EmulatedHosts]:
    """Makes the hosts h1, h2 ..., 10.77.0.1, 10.77.0.2 ..., which know each other's names.

    The devices are called eth0 because UCX takes only names that it finds in /sys, which is the
    real host's.
    """
    names = [f"h{n + 1}" for n in range(number)]
    known = folder / "hosts"
    lines = ["127.0.0.1 localhost", *(f"{_address(n)} {name}" for n, name in enumerate(names))]
    known.write_text("\n".join(lines) + "\n")
    agent = folder / "agent"
    agent.write_text(AGENT.replace("FOLDER", str(folder)))
    agent.chmod(0o755)
    with contextlib.ExitStack() as stack:
        bridge, *pids = (stack.enter_context(_namespaces(n, known)) for n in ("bridge", *names))
        for name, pid in zip(names, pids, strict=True):
            (folder / f"{name}.pid").write_text(f"{pid}\n")
        hosts = EmulatedHosts(tuple(pids), agent)
        _join(hosts, bridge)
        yield hosts


def _address(host: int) -> str:
    return f"10.77.0.{host + 1}"


@contextlib.contextmanager
def _namespaces(name: str, names: Path) -> Iterator[int]:
    """The process that keeps a host alive."""
    script = 'hostname "$1" && mount --bind "$2" /etc/hosts && echo ready && exec sleep 600'
    unshare = ["unshare", *NAMESPACES, "--propagation", "private"]
    command = [*unshare, "sh", "-c", script, "sh", name, str(names)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as keeper:
        try:
            assert keeper.stdout
            assert keeper.stdout.readline() == b"ready\n"
            yield keeper.pid
        finally:
            keeper.kill()


def _join(hosts: EmulatedHosts, bridge: int) -> None:
    inside = ("nsenter", "-t", str(bridge), "--net", "ip")
    _all(inside, "link add bridge type bridge", "link set bridge up")
    for number, pid in enumerate(hosts.pids):
        _all(
            inside,
            f"link add port{number} type veth peer name eth0 netns {pid}",
            f"link set port{number} master bridge",
            f"link set port{number} up",
        )
        _all(
            hosts.enter(number, "ip"),
            f"addr add {_address(number)}/24 dev eth0",
            "link set eth0 up",
            "link set lo up",
        )
    for number in range(len(hosts.pids)):
        _wait_until_up(hosts.enter(number, "ip", "-br", "link", "show", "eth0"))


def _all(ip: Sequence[str], *commands: str) -> None:
    for words in commands:
        subprocess.run([*ip, *words.split()], check=True)


def _wait_until_up(show: tuple[str, ...]) -> None:
    """UCX overlooks a device that the kernel hasn't yet found to be running."""
    for _ in range(500):
        if b" UP " in subprocess.run(show, capture_output=True, check=True).stdout:
            return
        time.sleep(0.01)
    raise TimeoutError("the emulated link doesn't come up")
