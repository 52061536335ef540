"""A launch whose ranks are sockets: what they answer is taken as campaigns take it."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.callers import OURS
from leadline.backends.launchers import Command
from leadline.kernels.connections import Connection
from leadline.kernels.messages import Hello, Result
from leadline.measure.launch import Launch, SliceError
from leadline.measure.slices import link_of, slice_of
from leadline.measure.spec import OWN_SPEED
from leadline.record.fields import FormatError
from leadline.store.slice_lines import decode_slice, encode_slice

__all__ = ["SliceError", "answered", "not_read_back"]
PATIENCE_S = 0.05


class _Ended:
    """A process that ended by itself."""

    pid = 0

    def poll(self) -> int:
        """Its status."""
        return 1


def answered(folder: Path, hellos: Sequence[bytes], answers: Sequence[bytes]) -> list[Result]:
    """What a launch makes of its ranks' `answers` to its first command; SliceError as it has it.

    The last rank hangs up when it has answered.
    """
    ranks = len(hellos)
    command = Command(("mpiexec",), {}, "ranks")
    launch = Launch("x", 0, ranks, ranks, OURS, [command], ("timed",), "lib", (), folder)
    launch.started = [_Ended()]  # type: ignore[list-item]
    pairs = [socket.socketpair() for _ in hellos]
    try:
        for (here, there), said, answer in zip(pairs, hellos, answers, strict=True):
            _join(launch, here, said)
            there.sendall(answer)
        pairs[-1][1].shutdown(socket.SHUT_WR)
        return launch.measure("pattern=pingpong", "a slice", ranks, PATIENCE_S)
    finally:
        for pair in pairs:
            for one in pair:
                one.close()


def _join(launch: Launch, here: socket.socket, said: bytes) -> None:
    here.setblocking(False)
    connection = Connection(here)
    connection.feed(said)
    hello = connection.next_message()
    assert isinstance(hello, Hello)
    launch.join(connection, hello)


def not_read_back(results: list[Result]) -> str:
    """Why the slice of `results`, once it is recorded, isn't read as it was; empty: it is."""
    taken = slice_of(0, 0, (0, 0), 0, results)
    link = link_of(results, dict.fromkeys(range(len(results)), _anywhere()), OWN_SPEED)
    text = json.dumps(encode_slice(replace(taken, link=link)))
    try:
        found = decode_slice(json.loads(text))
    except FormatError as error:
        return str(error)
    rows = min(len(one.batches) for one in results)
    short = found.start_ns.shape[1] < rows
    return f"{rows} batches are of all, {found.start_ns.shape[1]} recorded" if short else ""


def _anywhere() -> Hello:
    return Hello(0, 1, 1, "h1", "m", "m:0", 1.0, (0,), "l")
