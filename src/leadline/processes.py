"""The only way to start a process: to its end, to its time limit, or left running; no shell."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

Process = subprocess.Popen[bytes]
"""One that was left running; its pid is that of its session, too."""

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


def spawn(
    argv: Sequence[str],
    environment: Mapping[str, str] | None = None,
    output: IO[bytes] | None = None,
    read: str = "",
) -> Process:
    """Starts `argv` with `environment` on top of this process's own; OSError where it can't be.

    The process has a session of its own, so that Ctrl-C doesn't reach it, reads `read`, a few lines
    at most, and writes standard output and error to `output` (None: nowhere).
    """
    sink = subprocess.DEVNULL if output is None else output
    process = subprocess.Popen(
        argv,
        env=os.environ | dict(environment or {}),
        stdin=subprocess.PIPE if read else subprocess.DEVNULL,
        stdout=sink,
        stderr=sink,
        start_new_session=True,
    )
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(read.encode())
    return process


def detach(argv: Sequence[str], environment: Mapping[str, str], output: IO[bytes]) -> int:
    """Starts `argv` so that it outlives this process, as no child of it; its pid; OSError.

    It has a session of its own and writes to `output`. A shell starts it in the background and
    ends, so that whoever adopts it also collects it.
    """
    script = 'setsid "$@" </dev/null >&3 2>&1 & echo $!'
    shell = subprocess.Popen(
        ("sh", "-c", f"exec 3>&2; {script}", "sh", *argv),
        env=os.environ | dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=output,
    )
    with shell:
        return int(shell.communicate()[0])


def run(
    argv: Sequence[str], timeout_s: float, environment: Mapping[str, str] | None = None
) -> Ending:
    """Runs `argv` with `environment` on top of this process's own; raises nothing.

    Its session is ended as a whole at the time limit. Its output goes to a file: a grandchild that
    keeps a pipe open can't make this wait.
    """
    with _running(argv, environment) as end_of:
        return end_of(timeout_s)


SIGNALLED = 128
"""And the number of the signal that ended a process: its exit status for others."""


def attend(argv: Sequence[str], environment: Mapping[str, str]) -> int:
    """The exit status of `argv`, which reads and writes where this process does; OSError.

    Of one that a signal ended it is 128 and the signal's number, as shells have it.

    It has this process's terminal, and thus Ctrl-C; it is ended where this process is told to end.
    """
    with subprocess.Popen(argv, env=os.environ | dict(environment)) as process:
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            raise
    return status if status >= 0 else SIGNALLED - status


def run_together(commands: Sequence[Sequence[str]], timeout_s: float) -> list[Ending]:
    """Runs all `commands` at the same time, each as `run` does, within one time limit."""
    with contextlib.ExitStack() as stack:
        ends = [stack.enter_context(_running(argv)) for argv in commands]
        return [end_of(timeout_s) for end_of in ends]


@contextlib.contextmanager
def _running(
    argv: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator[Callable[[float], Ending]]:
    """What waits for the end of `argv`, so many seconds from now; leaving it ends its session."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output:
        try:
            process = spawn(argv, environment, output)
        except OSError as error:
            ending = Ending(None, f"{argv[0]}: {error.strerror}")
            yield lambda _: ending
            return
        try:
            yield lambda timeout_s: _ending(process, output, begin, timeout_s)
        finally:
            if process.returncode is None:
                _end(process)


def _ending(process: Process, output: IO[bytes], begin: float, timeout_s: float) -> Ending:
    try:
        status = process.wait(max(0.0, begin + timeout_s - time.monotonic()))
    except subprocess.TimeoutExpired:
        _end(process)
        status = None
    output.seek(0)
    text = output.read().decode(errors="replace")
    if status is None:
        return Ending(None, f"{text}\nno end within {timeout_s:.0f} s".strip())
    return Ending(status, text)


def _end(process: Process) -> None:
    """Ends the whole session; also when the user pressed Ctrl-C."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
