"""This end of native/switch: a process between hosts that gives each frame its time on the wire.

It makes a TAP device a port, t1, t2 ... in its own network namespace, with the link's MTU and with
addresses 02:4c:65:61:64:01, :02 ..., to be moved into the hosts; they are gone when it ends.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline import native
from leadline.errors import MachineError
from leadline.hosts.emulated.link import EmulatedLink
from leadline.hosts.emulated.namespaces import has_ended
from leadline.native.libraries import program
from leadline.processes import detach

SOURCES = native.FOLDER / "switch"
PATIENCE_S = 20.0
"""For an answer, and for the devices to be made."""
INTERVAL_S = 0.005
RIGHTS = ("fifo", "memory", "idle")
_GRANTED = "granted"


@dataclass(frozen=True, slots=True)
class FrameTimes:
    """One frame's way through the switch, in nanoseconds of the machine's CLOCK_MONOTONIC.

    Of a frame that nothing precedes, `end_ns - start_ns` is what its wire bytes take at the link's
    rate. On an Ethernet it is due before the end: nobody waits for the gap behind a frame.
    """

    arrival_ns: int
    """When the switch had it from its sender."""
    start_ns: int
    """When its first bit was on the receiver's line."""
    end_ns: int
    """When that line was free for the next frame."""
    due_ns: int
    """When the receiver was to have it."""
    written_ns: int
    """When the switch gave it to the receiver."""
    size_bytes: int
    """With its Ethernet header of 14 bytes, without a check sequence."""
    sender: int
    """Its port, from 1."""
    receiver: int

    @property
    def late_ns(self) -> int:
        """By how much the switch missed the time at which it was due."""
        return self.written_ns - self.due_ns


@dataclass(frozen=True, slots=True)
class PortTraffic:
    """What went through one port since the switch was started."""

    port: int
    """From 1."""
    sent_frames: int
    """Of those that its host sent, those that were put onto a line."""
    sent_bytes: int
    received_frames: int
    """That were given to its host."""
    received_bytes: int
    dropped_frames: int
    """Of those that its host sent: by a full queue or a cut line."""
    sending_ns: int
    """That its frames occupied the line."""
    receiving_ns: int


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch that runs: who asks it needs the socket alone."""

    control: Path
    """Its socket."""

    def refused(self) -> Mapping[str, str]:
        """What the machine didn't grant, and why, by name.

        "fifo": a place ahead of other processes; "memory": that it stays where it is; "idle": that
        processors don't sleep deeply while frames come. Without them frames are late more often.
        """
        said = dict(line.split(" ", 1) for line in self._ask("state"))
        return {name: said[name] for name in RIGHTS if said[name] != _GRANTED}

    def traffic(self) -> list[PortTraffic]:
        """The counters of all ports."""
        return [PortTraffic(*map(int, line.split())) for line in self._ask("counters")]

    def frames(self, last: int | None = None) -> list[FrameTimes]:
        """The times of the `last` frames delivered, oldest first; None: all that are kept."""
        lines = self._ask("log" if last is None else f"log {last}")
        return [FrameTimes(*map(int, line.split())) for line in lines]

    def impair(self, port: int, rate_share: float, extra_delay_s: float, cut: bool) -> None:
        """From now on port `port`, from 1, has so much of the rate and so much more delay.

        The delay is that of each frame which it sends and of each which it receives.
        """
        delay_ns = round(extra_delay_s * 1e9)
        self._ask(f"impair {port} rate={rate_share!r} delay={delay_ns} cut={int(cut)}")

    def end(self) -> None:
        """Ends it; its devices are gone then."""
        self._ask("end")

    def _ask(self, request: str) -> list[str]:
        """The lines of its answer; MachineError where there is none, or it refuses."""
        try:
            first, *lines = _answer(self.control, request)
        except OSError as error:
            raise MachineError(f"the switch at {self.control}: {error}") from error
        if first != "ok":
            raise MachineError(f"the switch at {self.control} refuses {request!r}: {first}")
        return lines


def start_switch(
    link: EmulatedLink,
    ports: int,
    control: Path,
    environment: Mapping[str, str],
    entrance: Sequence[str] = (),
) -> int:
    """Starts a switch for `link`, to be asked by Switch(control); its pid.

    It outlives this process. SIGTERM ends it, its devices and its socket.

    Args:
        link: What it is to be like: rate, delay, MTU, medium, framing.
        ports: How many hosts.
        control: Where its socket is to be; what it says goes to a file beside, of suffix ".log".
        environment: On top of this process's own.
        entrance: Words that run what follows them in the network namespace of the switch.

    Raises:
        MachineError, BuildError: It doesn't come up: no compiler, no /dev/net/tun, no rights.
    """
    log = control.with_suffix(".log")
    with log.open("wb") as output:
        command = (*entrance, *_command(link, ports, control))
        pid = detach(command, environment, output)
    _await_answer(Switch(control), pid, log)
    return pid


def _command(link: EmulatedLink, ports: int, control: Path) -> tuple[str, ...]:
    return (
        str(program(SOURCES)), "--control", str(control), "--ports", str(ports),
        "--rate", str(link.rate_bits_per_s), "--delay-ns", str(round(link.delay_s * 1e9)),
        "--mtu", str(link.mtu), "--medium", link.medium, "--framing", link.framing,
    )  # fmt: skip


def _await_answer(switch: Switch, pid: int, log: Path) -> None:
    """Returns when the switch answers; MachineError with what it said where it ended."""
    end = time.monotonic() + PATIENCE_S
    while True:
        # Looked at before its words are read: what it said last is among them then.
        is_over = time.monotonic() > end or has_ended(pid)
        try:
            switch.refused()
            return
        except MachineError:
            said = log.read_text(errors="replace").strip()
            if is_over:
                raise MachineError(
                    f"the switch between the hosts doesn't come up: {said or 'not a word'}; it "
                    "needs /dev/net/tun (modprobe tun) and the right to make devices (root)"
                ) from None
        time.sleep(INTERVAL_S)


def _answer(control: Path, request: str) -> list[str]:
    """All lines of the answer; OSError."""
    answer = bytearray()
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE_S)
        client.connect(str(control))
        client.sendall(f"{request}\n".encode())
        while not answer.endswith(b"\n\n"):
            piece = client.recv(1 << 16)
            if not piece:
                raise ConnectionResetError("it ended")
            answer += piece
    return answer.decode().splitlines()[:-1]
