from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.kernels.progress import (
    Flow,
    RankState,
    answered,
    elsewhere,
    is_answer,
    question,
    report,
)
from leadline.processes import run

PHASES = ("idle", "arranging buffers", "validating", "calibrating", "timing")


def state(rank: int, phase: int = 4, batches: int = 7, letter: str = "R") -> RankState:
    return RankState(rank, phase, batches, letter, "pause" if letter == "S" else "")


# -- what another host says ------------------------------------------------------------------------


def asked(pages: Path, pids: Mapping[int, int]) -> str:
    """What this host answers, asked as another one is."""
    return run(question(str(pages), pids), timeout_s=PATIENCE_S).output


def test_rank_elsewhere_is_named_with_its_host_and_state(tmp_path: Path) -> None:
    (tmp_path / "page.7").write_bytes(struct.pack("@qqq", 12, 2, 5))
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        os.kill(sleeper.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED)
        output = asked(tmp_path / "page", {7: sleeper.pid})
        sleeper.kill()
    assert is_answer(output)
    (seen,) = answered(output, "h2", [7])
    assert (seen.phase, seen.batches, seen.state) == (2, 5, "T")
    text = report([state(0), seen], PHASES, "a barrier", 20.0)
    assert text.count("rank 7 on h2") == 2
    assert PHASES[2] in text
    assert "5" in numbers(text)


def test_page_that_no_folder_could_hold_is_read_from_memory(tmp_path: Path) -> None:
    page = os.memfd_create("leadline-progress")
    os.write(page, struct.pack("@qqq", 12, 4, 2**40))
    (seen,) = answered(asked(tmp_path / "nowhere" / "page", {3: os.getpid()}), "h2", [3])
    os.close(page)
    assert (seen.phase, seen.batches) == (4, 2**40)


def test_process_that_is_gone_is_told_from_a_host_that_says_nothing(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    text = asked(tmp_path / "page", {0: 2**22 + 1})
    (gone,) = answered(text, "h2", [0])
    assert (gone.phase, gone.state) == (None, "?")
    assert not is_answer("ssh: connect to host h2 port 22: No route to host")
    silent = elsewhere(0, "h2", "doesn't answer (no route)")
    assert silent.describe(PHASES) == snapshot


def test_connections_of_a_rank_are_told_with_what_is_sent_again(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as mine:
            text = asked(tmp_path / "page", {0: os.getpid()})
            own = mine.getsockname()[1]
    (seen,) = answered(text, "h2", [0])
    assert Flow(f"0100007F:{own:04X}", f"0100007F:{port:04X}", 0) in seen.flows
    one = "leadline-rank 1 S 0\nleadline-flow 1 0100007F:01BB 0200007F:A000 0000000A\n"
    (seen,) = answered(one, "h2", [1])
    assert seen.flows == (Flow("0100007F:01BB", "0200007F:A000", 10),)
