"""Launches that don't come up, and what is said of them."""

from __future__ import annotations

import sys
from pathlib import Path

from leadline.backends.launchers import Command
from leadline.hosts.cores import Site
from leadline.kernels.connection import Connection
from leadline.kernels.messages import Hello
from leadline.kernels.server import ControlServer
from leadline.measure.launch import Launch
from leadline.measure.starting import start_together

SAYS_HELLO_AND_ENDS = """
import socket, sys
address, port, token = sys.argv[1].split(":")
words = "rank=0 size=1 pid=1 host=h1 machine=m clock=m:0 clock_ns=1.0 cores=0 library=l"
with socket.create_connection((address, int(port))) as line:
    line.sendall(f"token {token}\\nhello {words}\\n".encode())
"""


class Late(ControlServer):
    """Hears of a launch's ranks when its process is over."""

    launch: Launch

    def accept(self, timeout_s: float) -> list[tuple[Connection, Hello]]:
        self.launch.started[0].wait()
        return super().accept(timeout_s)


def test_rank_on_another_host_is_named_also_when_it_has_ended_by_then(tmp_path: Path) -> None:
    with Late.listening() as server:
        argv = (sys.executable, "-c", SAYS_HELLO_AND_ENDS, f"{server.address}:t")
        server.launch = Launch(
            label="tcp",
            number=0,
            ranks=1,
            processes=1,
            token="t",
            commands=[Command(argv, {})],
            phases=(),
            library="tcp",
            sites=[Site("h2", "m", (0,), asked="h2")],
            scratch=tmp_path,
        )

        failed = start_together(server, [server.launch], patience_s=10)
    assert "rank 0 runs on host 'h1'" in str(failed["t"])
