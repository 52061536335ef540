"""The only way to start a process: to its end, to its time limit, or left running; no shell."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from leadline.errors import MachineError
from leadline.files import home

Process = subprocess.Popen[bytes]
"""One that was left running; its pid is that of its session, too."""

GRACE_S = 1.0
"""Between asking a command to end and killing it: a launcher ends its ranks in this time."""
PR_SET_PDEATHSIG = 1
"""Of prctl(2): which signal a process gets when the thread that started it has ended."""
MOST_BYTES = 2**24
"""Of output: what prints more is ended, before it fills the disk of temporary files."""
SHOWN_BYTES = 2**16
"""Of the output of one that printed more."""
LOOK_S = 0.05
"""From one look at how much that is to the next."""
SIGNALLED = 128
"""And the number of the signal that ended a process: its exit status for others."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended."""

    status: int | None
    """Exit status; None where it never started or was stopped at its time limit."""
    output: str
    """Standard output and error, interleaved; without a status what went wrong."""
    answer: str = ""
    """Standard output alone, where it was asked for."""

    def first_complaint(self) -> str:
        """The first line that speaks of an error, else the last line; "no output" if none."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        complaint = next((line for line in lines if "error" in line.lower()), None)
        return complaint or (lines[-1] if lines else f"no output, exit status {self.status}")


def _ends_with_this() -> Callable[[], None]:
    """What a child does before it becomes a program, to be killed when this thread has ended.

    However that ends, and also while the child is stopped. What the child starts isn't, nor a
    program that takes on another user's rights.
    """
    prctl, starter = ctypes.CDLL(None, use_errno=True).prctl, os.getpid()

    def bind() -> None:  # takes no lock that another thread may have held
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != starter:  # it ended before the kernel was asked
            os._exit(SIGNALLED + signal.SIGKILL)

    return bind


def _known_home() -> dict[str, str]:
    """HOME, which services and cron leave unset, and without which Open MPI doesn't start."""
    with contextlib.suppress(MachineError):
        return {"HOME": str(home())}
    return {}


@functools.cache
def input_without_end() -> int:
    """What can be read, but holds nothing and doesn't end before this process does.

    MPICH's mpiexec hands the end of its input on to its ranks' proxy, and is killed by SIGPIPE
    where that has ended by then: what ranks that end at once had said was lost with it.
    """
    reading, _ = os.pipe()
    return reading


def spawn(
    argv: Sequence[str],
    environment: Mapping[str, str] | None = None,
    output: IO[bytes] | None = None,
    read: str = "",
    bound: bool = False,
    complaints: IO[bytes] | None = None,
) -> Process:
    """Starts `argv` with `environment` on top of this process's own; OSError where it can't be.

    The process has a session of its own, so that Ctrl-C doesn't reach it, reads `read`, a few lines
    at most, or without any finds nothing as long as this process lives, and writes standard output
    and error to `output` (None: nowhere), or error to `complaints`. A `bound` one is killed when
    the thread that calls this has ended, however that came.
    """
    sink = subprocess.DEVNULL if output is None else output
    process = subprocess.Popen(
        argv,
        env=_known_home() | os.environ | dict(environment or {}),
        stdin=subprocess.PIPE if read else input_without_end(),
        stdout=sink,
        stderr=complaints or sink,
        start_new_session=True,
        preexec_fn=_ends_with_this() if bound else None,  # noqa: PLW1509
    )
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(read.encode())
    return process


def outliving(argv: Sequence[str], environment: Mapping[str, str]) -> Process:
    """Starts `argv` to outlive this process, reading from a pipe that ends with it; OSError.

    It has a session of its own, keeps nothing else open, holds no folder, and is heard nowhere.
    """
    return subprocess.Popen(
        argv,
        bufsize=0,
        env=os.environ | dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )


def let_go(process: Process, longest_s: float) -> None:
    """Ends what `process` reads, and waits so long for it to end; raises nothing."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        if process.stdin is not None:
            process.stdin.close()
        process.wait(longest_s)


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
) -> CommandResult:
    """Runs `argv` with `environment` on top of this process's own; raises nothing.

    Its session is ended as a whole at the time limit, and where it prints for ever. Its output goes
    to a file: a grandchild that keeps a pipe open can't make this wait.
    """
    with _running(argv, environment) as end_of:
        return end_of(timeout_s)


def ask(
    argv: Sequence[str], timeout_s: float, environment: Mapping[str, str] | None = None
) -> CommandResult:
    """As `run`, but what it answers on standard output is apart from what else is said.

    A loader that can't preload a library, and many another one, complains beside every answer.
    """
    with tempfile.TemporaryFile() as complaints:
        with _running(argv, environment, complaints) as end_of:
            ending = end_of(timeout_s)
        complained = _text(complaints)
    return CommandResult(ending.status, f"{complained}{ending.output}", ending.output)


def attend(argv: Sequence[str], environment: Mapping[str, str]) -> int:
    """The exit status of `argv`, which reads and writes where this process does; OSError.

    Of one that a signal ended it is 128 and the signal's number, as shells have it.

    It has this process's terminal, and thus Ctrl-C; it is ended where this process is told to end,
    and killed where that is killed.
    """
    bind, around = _ends_with_this(), os.environ | dict(environment)
    with subprocess.Popen(argv, env=around, preexec_fn=bind) as process:  # noqa: PLW1509
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            raise
    return status if status >= 0 else SIGNALLED - status


def run_together(commands: Sequence[Sequence[str]], timeout_s: float) -> list[CommandResult]:
    """Runs all `commands` at the same time, each as `run` does, within one time limit."""
    with contextlib.ExitStack() as stack:
        ends = [stack.enter_context(_running(argv)) for argv in commands]
        return [end_of(timeout_s) for end_of in ends]


@contextlib.contextmanager
def _running(
    argv: Sequence[str],
    environment: Mapping[str, str] | None = None,
    complaints: IO[bytes] | None = None,
) -> Iterator[Callable[[float], CommandResult]]:
    """What waits for the end of `argv`, so many seconds from now; leaving it ends its session."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output:
        try:
            process = spawn(argv, environment, output, complaints=complaints)
        except OSError as error:
            ending = CommandResult(None, f"{argv[0]}: {error.strerror}")
            yield lambda _: ending
            return
        try:
            files = [output, complaints] if complaints else [output]
            yield lambda timeout_s: _ending(process, files, begin, timeout_s)
        finally:
            if process.returncode is None:
                _let_end(process)


def _ending(
    process: Process, files: Sequence[IO[bytes]], begin: float, timeout_s: float
) -> CommandResult:
    """How it ended that writes to `files`, of which the first has its output."""
    why = _why_ended(process, files, begin, timeout_s)
    text = _text(files[0])
    return (
        CommandResult(None, f"{text}\n{why}".strip())
        if why
        else CommandResult(process.returncode, text)
    )


def _why_ended(process: Process, files: Sequence[IO[bytes]], begin: float, timeout_s: float) -> str:
    """Waits for its end, or ends it and says why; nothing where it came to its end by itself."""
    why = ""
    while not why and process.returncode is None:
        left = begin + timeout_s - time.monotonic()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, min(left, LOOK_S)))
        if any(map(_is_too_long, files)):
            why = f"more than {MOST_BYTES // 2**20} MiB of output"
        elif left <= LOOK_S and process.returncode is None:
            why = f"no end within {timeout_s:.0f} s"
    if process.returncode is None:
        _end(process)
    return why


def _is_too_long(file: IO[bytes]) -> bool:
    return os.fstat(file.fileno()).st_size > MOST_BYTES


def _text(file: IO[bytes]) -> str:
    """What is in `file`; of what is too long the beginning."""
    file.seek(0)
    most = SHOWN_BYTES if _is_too_long(file) else MOST_BYTES
    return file.read(most).decode(errors="replace")


def _let_end(process: Process) -> None:
    """Gives it time to end by itself, of Ctrl-C it knows nothing: what it was about to clear up."""
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
    finally:
        if process.returncode is None:
            _end(process)


def _end(process: Process) -> None:
    """Ends the whole session; also when the user pressed Ctrl-C."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
