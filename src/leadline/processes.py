"""A command run to its end, or to its time limit; never through a shell."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

GRACE_S = 1.0
"""Between asking a command to end and killing it: a launcher ends its ranks in this time."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended."""

    status: int | None
    """Exit status; None where it never started or was stopped at its time limit."""
    output: str
    """Standard output and error, interleaved; without a status what went wrong."""

    def first_complaint(self) -> str:
        """The first line that speaks of an error, else the last line; "no output" if none."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        complaint = next((line for line in lines if "error" in line.lower()), None)
        return complaint or (lines[-1] if lines else f"no output, exit status {self.status}")


def run(
    argv: Sequence[str], timeout_s: float, environment: Mapping[str, str] | None = None
) -> Ending:
    """Runs `argv` with `environment` on top of this process's own; raises nothing.

    The command has a session of its own, which is ended as a whole at the time limit. Its output
    goes to a file: a grandchild that keeps a pipe open can't make this wait.
    """
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                argv,
                env=os.environ | dict(environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        except OSError as error:
            return Ending(None, f"{argv[0]}: {error.strerror}")
        status = _wait(process, timeout_s)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if status is None:
        return Ending(None, f"{text}\nno end within {timeout_s:.0f} s".strip())
    return Ending(status, text)


def _wait(process: subprocess.Popen[bytes], timeout_s: float) -> int | None:
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.returncode is None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the whole session; also when the user pressed Ctrl-C."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
