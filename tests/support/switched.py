"""A switch that runs, and hosts at its ports: network namespaces alone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.patience import PATIENCE_S

from leadline.hosts.emulated.link import EmulatedLink
from leadline.hosts.emulated.namespaces import has_ended
from leadline.hosts.emulated.switch import FrameTimes, Switch, start_switch

NEIGHBOURS = "02:4c:65:61:64:{:02x}"
PORT = 5555
"""Ends a hang: beside eight busy processes nothing here takes longer than some seconds."""
SEND = """
import socket, sys
sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for size in sys.argv[2:]:
    sending.sendto(bytes(int(size)), (sys.argv[1], 5555))
"""
LISTEN = """
import socket, sys
listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listening.bind(("", 5555))
print("ready", flush=True)
while True:
    octets, sender = listening.recvfrom(65536)
    if "back" in sys.argv:
        listening.sendto(octets, sender)
"""
ASK = """
import socket, sys
asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asking.settimeout(float(sys.argv[2]))
asking.connect((sys.argv[1], 5555))
for size in map(int, sys.argv[3:]):
    asking.send(bytes(size))
    assert len(asking.recv(65536)) == size
"""
UDP_HEADERS_BYTES = 28
"""IPv4 20, UDP 8."""


@dataclass(frozen=True)
class SwitchedHosts:
    """The switch, and what keeps the hosts' namespaces; number 0 is at port 1."""

    link: EmulatedLink
    switch: Switch
    pid: int
    hosts: tuple[subprocess.Popen[bytes], ...]

    def enter(self, host: int, *command: str) -> tuple[str, ...]:
        """`command` as it is run on host number `host`."""
        return ("nsenter", "-t", str(self.hosts[host].pid), "--net", *command)

    def send(self, sender: int, receiver: int, *sizes: int) -> None:
        """Sends UDP datagrams of so many bytes; nobody answers."""
        self.run(sender, SEND, address(receiver), *map(str, sizes))

    def ask(self, sender: int, receiver: int, *sizes: int, patience_s: float = PATIENCE_S) -> bool:
        """Whether datagrams of so many bytes come back, one after another."""
        with self.listening(receiver, "back"):
            done = self.run(sender, ASK, address(receiver), str(patience_s), *map(str, sizes))
        return done == 0

    @contextlib.contextmanager
    def listening(self, host: int, *words: str) -> Iterator[None]:
        """Receives what comes to this host meanwhile; "back" sends it back."""
        command = self.enter(host, sys.executable, "-c", LISTEN, *words)
        with subprocess.Popen(command, stdout=subprocess.PIPE) as listener:
            assert listener.stdout
            assert listener.stdout.readline() == b"ready\n"
            yield
            listener.kill()

    def run(self, host: int, code: str, *words: str) -> int:
        """The status of a Python program."""
        command = self.enter(host, sys.executable, "-c", code, *words)
        return subprocess.run(
            command, stderr=subprocess.DEVNULL, timeout=10 * PATIENCE_S, check=False
        ).returncode

    def frames(self, sender: int, receiver: int) -> list[FrameTimes]:
        """Those that host `sender` has sent to host `receiver`."""
        ports = (sender + 1, receiver + 1)
        return [f for f in self.switch.frames() if (f.sender, f.receiver) == ports]

    def await_received(self, host: int, number: int) -> None:
        """Returns when so many frames have been given to the host since the start."""
        await_that(lambda: self.switch.traffic()[host].received_frames >= number)

    def inside(self, host: int, *command: str) -> None:
        """Runs `command` on the host; it must end well."""
        subprocess.run(self.enter(host, *command), check=True)

    def wire_ns(self, payload_bytes: int) -> float:
        """What a UDP datagram of so many bytes occupies a line for."""
        wire_bytes = self.link.wire_bytes(payload_bytes + UDP_HEADERS_BYTES)
        return wire_bytes * 8e9 / self.link.rate_bits_per_s

    @property
    def lives(self) -> bool:
        return not has_ended(self.pid)


def await_that(claim: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not claim():
        assert time.monotonic() < end
        time.sleep(0.01)


def address(host: int) -> str:
    return f"10.77.0.{host + 1}"


@contextlib.contextmanager
def switched_hosts(
    link: EmulatedLink, number: int = 2, entrance: Sequence[str] = ("unshare", "--net")
) -> Iterator[SwitchedHosts]:
    """Hosts 10.77.0.1, 10.77.0.2 ..., who know each other's MAC addresses."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="switch-")))
        control = folder / "switch"
        pid = start_switch(link, number, control, {}, entrance)
        stack.callback(_kill, pid)
        holders = tuple(stack.enter_context(_holder()) for _ in range(number))
        for host, holder in enumerate(holders):
            _join(pid, host, holder.pid, number)
        yield SwitchedHosts(link, Switch(control), pid, holders)


def _kill(pid: int) -> None:
    if not has_ended(pid):
        os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def _holder() -> Iterator[subprocess.Popen[bytes]]:
    command = ("unshare", "--net", "sh", "-c", "echo ready && exec sleep 600")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout
            assert holder.stdout.readline() == b"ready\n"
            yield holder
        finally:
            holder.kill()


def _join(switch: int, host: int, holder: int, number: int) -> None:
    move = f"link set t{host + 1} netns {holder} name eth0"
    subprocess.run(["nsenter", "-t", str(switch), "--net", "ip", *move.split()], check=True)
    others = [n for n in range(number) if n != host]
    commands = [
        "link set lo up",
        f"addr add {address(host)}/24 dev eth0",
        "link set eth0 up",
        *(
            f"neigh replace {address(n)} lladdr {NEIGHBOURS.format(n + 1)} dev eth0 nud permanent"
            for n in others
        ),
    ]
    script = "echo 1 > /proc/sys/net/ipv6/conf/eth0/disable_ipv6; ip -batch -"
    subprocess.run(
        ["nsenter", "-t", str(holder), "--net", "sh", "-c", script],
        input="\n".join(commands) + "\n", text=True, check=True,
    )  # fmt: skip
