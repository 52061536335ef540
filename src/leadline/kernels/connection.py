"""One rank's socket, or that of a relay, which speaks for several."""

from __future__ import annotations

import selectors
import socket

from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.messages import Inbox, Message

CHUNK = 1 << 20


class Connection(Inbox):
    """One rank's socket, or that of a relay."""

    def __init__(self, accepted: socket.socket) -> None:
        """Takes over `accepted`, which doesn't block."""
        super().__init__()
        self.socket = accepted
        self.closed = False

    def receive(self, most_bytes: int = CHUNK) -> None:
        """Takes what has arrived, but at most so much; marks the connection closed at its end."""
        try:
            chunk = self.socket.recv(most_bytes)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self.closed = not chunk
        self.feed(chunk)

    def next_within(self, timeout_s: float, clock: Clock = SYSTEM_CLOCK) -> Message | None:
        """The next whole message; None: it ends, or none comes in time, by `clock`."""
        deadline = clock.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self.socket, selectors.EVENT_READ)
            while (message := self.next_message()) is None and not self.closed:
                left_s = deadline - clock.monotonic()
                if left_s <= 0 or not clock.select(selector, left_s):
                    return None
                self.receive()
        return message

    def send(self, line: str) -> None:
        """Sends one command; a rank that is gone shows when it is read from."""
        try:
            self.socket.setblocking(True)
            self.socket.sendall(line.encode() + b"\n")
            self.socket.setblocking(False)
        except OSError:
            self.closed = True

    def close(self) -> None:
        """Hangs up: a rank that still runs ends itself."""
        self.closed = True
        self.socket.close()
