"""A launch whose ranks are connections of the test."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.callers import OURS, hello
from harness.places import ROOT

from leadline.backends.launchers import Command
from leadline.hosts.cores import Site
from leadline.kernels.connections import Connection
from leadline.kernels.messages import parse_hello
from leadline.measure.launch import Launch, kill


def launch_of(argv: tuple[str, ...], scratch: Path, ranks: int = 1) -> Launch:
    return Launch(
        label="tcp",
        number=7,
        ranks=ranks,
        processes=ranks,
        credentials=OURS,
        commands=[Command(argv, {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])})],
        phases=(),
        library="tcp",
        sites=[Site("h2", "m", (0,), asked="h2")] * ranks,
        scratch=scratch,
    )


def joined(launch: Launch, rank: int, size: int = 2) -> socket.socket:
    """The other end of the connection of `rank`, which has joined `launch`."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    output = parse_hello(hello(rank, size, host="h2").decode())
    try:
        launch.join(Connection(ours), output)
    except BaseException:
        ours.close()
        theirs.close()
        raise
    return theirs


@contextlib.contextmanager
def two_joined(scratch: Path) -> Iterator[tuple[Launch, list[socket.socket]]]:
    """A launch that is up, and its ranks' ends of their connections."""
    launch = launch_of(("true",), scratch, ranks=2)
    theirs = [joined(launch, rank) for rank in range(2)]
    yield launch, theirs
    kill((launch,))
    for line in theirs:
        line.close()
