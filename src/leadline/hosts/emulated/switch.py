"""Client of native/switch, a process between hosts that gives each frame its time on the wire.

The switch makes one TAP device per port, t1, t2 ... in its own network namespace, with the link's
MTU and with addresses 02:4c:65:61:64:01, :02 ..., to be moved into the hosts; they are gone when it
ends.
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
"""Wait for an answer, and for the devices to be made."""
INTERVAL_S = 0.005
RIGHTS = ("fifo", "memory", "idle")
_GRANTED = "granted"


@dataclass(frozen=True, slots=True)
class FrameTimes:
    """Times of a frame in the switch, in nanoseconds of the machine's CLOCK_MONOTONIC.

    For a frame that nothing precedes, `end_ns - start_ns` is the time of its wire bytes at the
    link's rate. On an Ethernet it is due before the end: the gap behind a frame delays nobody.
    """

    arrival_ns: int
    """Time when the switch got it from its sender."""
    start_ns: int
    """Time when its first bit was on the receiver's line."""
    end_ns: int
    """Time when that line was free for the next frame."""
    due_ns: int
    """Time when the receiver was to have it."""
    written_ns: int
    """Time when the switch gave it to the receiver."""
    size_bytes: int
    """Size with the Ethernet header of 14 bytes, without a check sequence."""
    sender: int
    """Port of the sender, from 1."""
    receiver: int
    """Port of the receiver."""

    @property
    def late_ns(self) -> int:
        """Delay beyond the time at which it was due."""
        return self.written_ns - self.due_ns


@dataclass(frozen=True, slots=True)
class PortTraffic:
    """Traffic of one port since the switch was started."""

    port: int
    """Number of the port, from 1."""
    sent_frames: int
    """Frames of its host that were put onto a line."""
    sent_bytes: int
    received_frames: int
    """Frames that were given to its host."""
    received_bytes: int
    dropped_frames: int
    """Frames of its host that were dropped by a full queue or a cut line."""
    sending_ns: int
    """Time for which its frames occupied the line."""
    receiving_ns: int


@dataclass(frozen=True, slots=True)
class Switch:
    """Running switch, accessed by its socket alone."""

    control: Path
    """Path of its socket."""

    def refused(self) -> Mapping[str, str]:
        """Rights that the machine didn't grant, with the reason, by name.

        "fifo": a priority above other processes; "memory": memory that isn't swapped; "idle":
        processors without deep sleep while frames come. Without them frames are late more often.
        """
        rights = dict(line.split(" ", 1) for line in self._ask("state"))
        return {name: rights[name] for name in RIGHTS if rights[name] != _GRANTED}

    def traffic(self) -> list[PortTraffic]:
        """Counters of all ports."""
        return [PortTraffic(*map(int, line.split())) for line in self._ask("counters")]

    def frames(self, last: int | None = None) -> list[FrameTimes]:
        """Times of the `last` frames delivered, oldest first; None: all that are kept."""
        lines = self._ask("log" if last is None else f"log {last}")
        return [FrameTimes(*map(int, line.split())) for line in lines]

    def impair(self, port: int, rate_share: float, extra_delay_s: float, cut: bool) -> None:
        """Gives port `port`, from 1, this share of the rate and this additional delay from now on.

        The delay applies to each frame that it sends and to each that it receives.
        """
        delay_ns = round(extra_delay_s * 1e9)
        self._ask(f"impair {port} rate={rate_share!r} delay={delay_ns} cut={int(cut)}")

    def end(self) -> None:
        """Ends the switch; its devices are gone then."""
        self._ask("end")

    def _ask(self, request: str) -> list[str]:
        """Lines of its answer; MachineError where there is none, or it refuses."""
        answer = bytearray()
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(PATIENCE_S)
                client.connect(str(self.control))
                client.sendall(f"{request}\n".encode())
                while not answer.endswith(b"\n\n"):
                    piece = client.recv(1 << 16)
                    if not piece:
                        raise ConnectionResetError("it ended")
                    answer += piece
        except OSError as error:
            raise MachineError(f"the switch at {self.control}: {error}") from error
        first, *lines = answer.decode().splitlines()[:-1]
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
    """Starts a switch for `link`, accessed by Switch(control); returns its pid.

    It outlives this process. SIGTERM ends it, its devices and its socket.

    Args:
        link: Rate, delay, MTU, medium and framing to emulate.
        ports: Number of hosts.
        control: Path of its socket; its output goes to a file beside, of suffix ".log".
        environment: Variables on top of this process's own.
        entrance: Command prefix that runs what follows it in the network namespace of the switch.

    Raises:
        MachineError, BuildError: It doesn't come up: no compiler, no /dev/net/tun, no rights.
    """
    log = control.with_suffix(".log")
    with log.open("wb") as output:
        command = (
            *entrance, str(program(SOURCES)), "--control", str(control), "--ports", str(ports),
            "--rate", str(link.rate_bits_per_s), "--delay-ns", str(round(link.delay_s * 1e9)),
            "--mtu", str(link.mtu), "--medium", link.medium, "--framing", link.framing,
        )  # fmt: skip
        pid = detach(command, environment, output)
    end = time.monotonic() + PATIENCE_S
    while True:
        # checked before the log is read, which then has its last words
        is_over = time.monotonic() > end or has_ended(pid)
        try:
            Switch(control).refused()
            return pid
        except MachineError:
            text = log.read_text(errors="replace").strip()
            if is_over:
                raise MachineError(
                    f"the switch between the hosts doesn't come up: {text or 'not a word'}; it "
                    "needs /dev/net/tun (modprobe tun) and the right to make devices (root)"
                ) from None
        time.sleep(INTERVAL_S)
