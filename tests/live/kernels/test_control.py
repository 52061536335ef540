"""The kernel's end of the control channel."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from errno import ENAMETOOLONG, ENOENT
from pathlib import Path

import pytest
from harness.kernels import kernel
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.processes import until

from leadline.kernels.connections import Credentials


def test_rank_that_spins_ends_when_the_front_end_hangs_up() -> None:
    ours = Credentials.fresh()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        environment = ours.variables | {
            "LEADLINE_CONTROL": f"127.0.0.1:{listener.getsockname()[1]}",
            "LEADLINE_RANK": "0",
            "LEADLINE_RANKS": "2",  # the second never comes: rank 0 waits in tp_init
        }
        process = subprocess.Popen([str(kernel("shm"))], env=os.environ | environment)
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"challenge abc\n")
            assert connection.recv(200).decode() == f"launch {ours.name} {ours.proof('abc')}\n"
    assert process.wait(timeout=PATIENCE_S) == 3
    Path(f"/dev/shm/leadline-{ours.job}").unlink(missing_ok=True)


KEEPALIVE = "02"


def timers_towards(port: int) -> set[str]:
    """Which timers the kernel runs for connections to `port` of this host, by /proc/net/tcp."""
    fields = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {one[5].partition(":")[0] for one in fields if one[2] == f"0100007F:{port:04X}"}


def test_rank_asks_after_a_front_end_that_says_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        around = Credentials.fresh().variables | {"LEADLINE_CONTROL": f"127.0.0.1:{port}"}
        process = subprocess.Popen(
            [str(kernel("null"))], env=os.environ | around, stderr=subprocess.DEVNULL
        )
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"challenge abc\n")
            assert connection.recv(200)
            until(lambda: timers_towards(port) == {KEEPALIVE})
    assert process.wait(timeout=PATIENCE_S) == 3


def hung_up_on(core: int) -> int:
    """Status of a kernel that reads and watches on one core and is hung up on without an end."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        around = Credentials.fresh().variables | {"LEADLINE_CONTROL": f"127.0.0.1:{port}"}
        process = subprocess.Popen(
            ["taskset", "-c", str(core), str(kernel("null"))],
            env=os.environ | around,
            stderr=subprocess.DEVNULL,
        )
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"challenge abc\n")
            assert connection.recv(200)
            assert connection.recv(2000), "no hello: the rank doesn't wait for a command"
            connection.shutdown(socket.SHUT_WR)
            return process.wait(timeout=PATIENCE_S)


def test_rank_that_reads_the_hang_up_before_it_is_seen_ends_as_hung_up() -> None:
    """Without the status of control_next, one of eleven ended as if all had been done."""
    core = min(os.sched_getaffinity(0))
    with ThreadPoolExecutor(10) as several:
        assert set(several.map(hung_up_on, [core] * 100)) == {3}


@pytest.mark.parametrize(
    ("variables", "values"),
    [
        ({"LEADLINE_CONTROL": "nowhere"}, ["LEADLINE_CONTROL", "nowhere"]),
        ({"LEADLINE_CONTROL": "unix:/no/such"}, ["unix:/no/such: ", os.strerror(ENOENT)]),
        ({"LEADLINE_CONTROL": f"unix:/{'x' * 200}"}, [os.strerror(ENAMETOOLONG)]),
        ({"LEADLINE_CONTROL": "no.such.host.invalid:1"}, ["no.such.host.invalid:1: "]),
        ({"LEADLINE_CONTROL": "x", "LEADLINE_SECRET": None}, ["LEADLINE_SECRET"]),
        ({"LEADLINE_CONTROL": "x", "LEADLINE_LAUNCH": None}, ["LEADLINE_LAUNCH"]),
    ],
)
def test_kernel_that_cant_reach_the_front_end_says_why(
    variables: Mapping[str, str | None], values: list[str]
) -> None:
    wanted = {**Credentials.fresh().variables, "LEADLINE_RANK": "0", "LEADLINE_RANKS": "1"}
    around = os.environ | {k: v for k, v in (wanted | dict(variables)).items() if v is not None}
    done = subprocess.run(
        [str(kernel("null"))],
        env=around,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert [value for value in values if value not in done.stderr] == [], done.stderr
    assert "Success" not in done.stderr


@pytest.mark.parametrize("asked", [b"", b"welcome\n", b"challenge\n"])
def test_kernel_gives_no_proof_to_who_doesnt_ask_for_one(
    asked: bytes, snapshot: SnapshotAssertion
) -> None:
    ours = Credentials.fresh()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        around = ours.variables | {
            "LEADLINE_CONTROL": f"127.0.0.1:{listener.getsockname()[1]}",
        }
        process = subprocess.Popen(
            [str(kernel("null"))], env=os.environ | around, stderr=subprocess.PIPE, text=True
        )
        connection, _ = listener.accept()
        with connection:
            connection.sendall(asked)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(200) == b""
    output = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode == 1
    assert output == snapshot
