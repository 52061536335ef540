"""One rank's socket."""

from __future__ import annotations

import socket

from leadline.kernels.messages import Inbox

CHUNK = 1 << 20


class Connection(Inbox):
    """One rank's socket."""

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
