"""Attacks on the control channel: who isn't a rank gets nowhere, is counted, and harms nobody."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.callers import (
    CONNECT_AND_BE_SILENT,
    Front,
    rank_of,
    until,
)

from leadline.kernels.connections import Cause
from leadline.kernels.server import MOST_UNPROVED


@pytest.fixture(params=[(), ("localhost",)], ids=["path", "network"])
def server(request: pytest.FixtureRequest) -> Iterator[Front]:
    with Front.listening(request.param) as listening:
        yield listening


def count(server: Front) -> int:
    return sum(server.refused.values())


# -- who says nothing ------------------------------------------------------------------------------


@pytest.fixture
def silent(server: Front) -> Iterator[subprocess.Popen[str]]:
    """A process that makes 1,200 connections and says nothing."""
    with subprocess.Popen(
        [sys.executable, "-c", CONNECT_AND_BE_SILENT, server.address, "1200"],
        stdin=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def test_thousands_who_say_nothing_keep_no_rank_out(
    server: Front, silent: subprocess.Popen[str]
) -> None:
    most = open_files() + MOST_UNPROVED + 10
    until(server, lambda _: count(server) >= 1000)
    assert open_files() <= most
    assert rank_of(server).hello.rank == 0
    assert server.refused.keys() == {Cause.CROWD}
    assert silent.poll() is None


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
