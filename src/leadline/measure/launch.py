"""One launch: the processes of one configuration, alive until the block ends."""

from __future__ import annotations

import contextlib
import math
import os
import re
import selectors
import shutil
import signal
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline.backends.launchers import Command
from leadline.errors import LaunchError
from leadline.hosts.cores import Site
from leadline.kernels import progress
from leadline.kernels.connection import Connection
from leadline.kernels.credentials import Credentials
from leadline.kernels.messages import (
    Fault,
    Hello,
    Message,
    Placed,
    ProtocolError,
    Result,
    Traced,
)
from leadline.kernels.placements import pieces
from leadline.kernels.strangers import Cause, StrangerError
from leadline.processes import Process, spawn

STDERR_TAIL_BYTES = 2000
LEAVE_S = 5.0
GRACE_S = 1.0
SETTLE_S = 0.02


class SliceError(Exception):
    """A slice gave no result: `code` is crash, exit, hang, protocol, wrong_byte or refused."""

    def __init__(self, code: str, text: str) -> None:
        """Keeps `code`; `text` has the facts."""
        self.code = code
        super().__init__(text)

    @property
    def fatal(self) -> bool:
        """Whether the launch is over; a wrong byte leaves it able to measure other cells."""
        return self.code != "wrong_byte"


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command under way: its number, what it measures, and who must answer."""

    id: int
    what: str
    ranks: range


@dataclass(slots=True)
class Launch:
    """The processes of one configuration. Use as a context manager: leaving it ends them."""

    label: str
    """Whose launch it is, for messages."""
    number: int
    """Within the run."""
    ranks: int
    processes: int
    """How many say hello; null plays all its ranks in one."""
    credentials: Credentials
    """By which its ranks prove to the control server whose they are."""
    commands: Sequence[Command]
    phases: tuple[str, ...]
    """Of a slice, as the kernel names them."""
    library: str
    """What the kernel was built with: the compiler wrapper's path, or the kernel's."""
    sites: Sequence[Site]
    """Where each rank is to run; empty: where the user's own words for the launcher put it."""
    scratch: Path
    """A directory of its own, removed at the end: output, and "progress.RANK" pages."""
    started: list[Process] = field(default_factory=list)
    connections: dict[int, Connection] = field(default_factory=dict)
    hellos: dict[int, Hello] = field(default_factory=dict)
    sent: int = 0
    """Commands sent so far; each has its number."""
    placed: set[int] = field(default_factory=set)
    """Numbers of the placements that all ranks keep."""

    def start(self) -> None:
        """Starts the processes; LaunchError for one that can't be."""
        for command in self.commands:
            try:
                with self._output.open("ab") as output:
                    process = spawn(command.argv, command.environment, output, command.read)
                self.started.append(process)
            except OSError as error:
                raise LaunchError(
                    f"{self.label}: can't start: {error}", command.argv, None, ""
                ) from error

    @property
    def _output(self) -> Path:
        return self.scratch / "output"

    def output_tail(self) -> str:
        """The end of what the processes wrote on stdout and stderr."""
        with contextlib.suppress(OSError):
            return self._output.read_bytes()[-STDERR_TAIL_BYTES:].decode(errors="replace").strip()
        return ""

    def join(self, connection: Connection, hello: Hello) -> None:
        """Takes in a rank that proved to be of this launch.

        Raises:
            StrangerError: It says that it is a rank which is there already, or isn't to be.
            LaunchError: The launch isn't what was asked for.
        """
        if hello.rank in self.connections:
            raise StrangerError(Cause.TAKEN)
        if hello.size != self.ranks:
            raise self._refused(
                f"asked for {self.ranks} ranks, the library made a world of "
                f"{hello.size}: launcher and library don't belong together. The launcher is "
                f"{self.commands[0].argv[0]}, the library that of {self.library} "
                f"({hello.library[:40].strip()}); use the launcher of the same prefix"
            )
        if hello.rank not in range(self.processes):
            raise StrangerError(Cause.NO_RANK)
        if self.sites and not self.sites[hello.rank].is_that_of(hello.host, hello.machine):
            raise self._refused(_misplaced(hello, self.sites[hello.rank]))
        self.connections[hello.rank] = connection
        self.hellos[hello.rank] = hello

    def _refused(self, problem: str) -> LaunchError:
        tail = self.output_tail()
        return LaunchError(f"{self.label}: {problem}", self.commands[0].argv, None, tail)

    @property
    def missing(self) -> int:
        """How many processes haven't said hello."""
        return self.processes - len(self.connections)

    def measure(self, command: str, what: str, takes_part: int, patience_s: float) -> list[Result]:
        """Sends `command` to all ranks and collects the results of the first `takes_part`.

        `what` names the slice in messages. Raises SliceError where a rank ends, hangs for
        `patience_s`, or finds a wrong byte.
        """
        ranks = range(min(takes_part, len(self.connections)))
        replies = self._ask([command], what, ranks, patience_s)
        return [reply for reply in replies if isinstance(reply, Result)]

    def trace(self, command: str, what: str, patience_s: float) -> list[str]:
        """What each rank did in the repetitions that `command` asks for, a line a call, by rank.

        `what` names them in messages. Raises SliceError as `measure` does.
        """
        ranks = range(len(self.connections))
        replies = self._ask([f"trace {command}"], what, ranks, patience_s)
        return [reply.text for reply in replies if isinstance(reply, Traced)]

    def place(self, number: int, slots: Sequence[int], patience_s: float) -> None:
        """Has all ranks keep a placement, which slices then ask for by "placement=NUMBER".

        Args:
            number: From 1 up, of no placement before.
            slots: The rank on which each vertex of a grid lies, a permutation.
            patience_s: How long to wait for all ranks.

        Raises:
            UsageError: `slots` isn't a permutation of the ranks.
            SliceError: A rank refuses it, ends or hangs.
        """
        ranks = range(len(self.connections))
        commands = [f"placement {piece}" for piece in pieces(number, slots, self.ranks)]
        self._ask(commands, f"placement {number}", ranks, patience_s)
        self.placed.add(number)

    def _ask(
        self, commands: Sequence[str], what: str, ranks: range, patience_s: float
    ) -> list[Message]:
        """Sends all ranks the pieces of one command; what `ranks` answer, if that is no fault."""
        self.sent += 1
        for command in commands:
            for connection in self.connections.values():
                connection.send(f"{command} id={self.sent}")
        replies = self._collect(PendingCommand(self.sent, what, ranks), patience_s)
        faults = [reply for reply in replies if isinstance(reply, Fault)]
        if faults:
            raise SliceError(faults[0].code, f"{what}: {'; '.join(f.text for f in faults)}")
        return replies

    def _collect(self, pending: PendingCommand, patience_s: float) -> list[Message]:
        begin, deadline = time.monotonic(), time.monotonic() + patience_s
        replies: dict[int, Message] = {}
        awaited = set(pending.ranks)
        with selectors.DefaultSelector() as selector:
            for rank, connection in self.connections.items():
                selector.register(connection.socket, selectors.EVENT_READ, rank)
            while not replies.keys() >= awaited:
                ready = selector.select(max(0.0, min(deadline - time.monotonic(), GRACE_S)))
                for key, _ in ready:
                    self._take(key.data, replies, pending)
                if not ready and self._gone():
                    raise self._ended(pending.what)
                if time.monotonic() >= deadline:
                    late = [rank for rank in pending.ranks if rank not in replies]
                    waited = time.monotonic() - begin
                    text = progress.report(self._states(late), self.phases, pending.what, waited)
                    raise SliceError("hang", text)
        return [replies[rank] for rank in sorted(replies)]

    def _take(self, rank: int, replies: dict[int, Message], pending: PendingCommand) -> None:
        connection = self.connections[rank]
        connection.receive()
        try:
            message = connection.next_message()
        except ProtocolError as error:
            raise SliceError("protocol", f"{pending.what}: {error}") from error
        if isinstance(message, (Result, Placed, Traced, Fault)):
            if (message.id, message.rank) != (pending.id, rank):
                problem = "answered another command, or in another rank's name"
                raise SliceError("protocol", f"{pending.what}: rank {rank} {problem}")
            replies[rank] = message
        elif message is not None:
            raise SliceError("protocol", f"{pending.what}: rank {rank} said hello again")
        elif connection.closed:
            raise self._ended(pending.what, rank)

    def _gone(self) -> bool:
        return None not in self._statuses()

    def _statuses(self) -> list[int | None]:
        """How each process ended; None: it runs."""
        return [process.poll() for process in self.started]

    def _states(self, ranks: Sequence[int]) -> list[progress.RankState]:
        return [self._state(rank) for rank in ranks]

    def _state(self, rank: int) -> progress.RankState:
        hello = self.hellos[rank]
        if hello.host != socket.gethostname():
            return progress.elsewhere(rank)
        return progress.read_state(rank, self.scratch / f"progress.{rank}", hello.pid)

    def _ended(self, what: str, rank: int | None = None) -> SliceError:
        """Who ended and how, of a launch that is over; `rank` hung up."""
        deadline = time.monotonic() + LEAVE_S  # oshrun takes seconds to notice
        while all(s is None for s in self._statuses()) and time.monotonic() < deadline:
            time.sleep(SETTLE_S)
        time.sleep(SETTLE_S)  # whose end made others end may be the last to be seen
        statuses = self._statuses()
        died = min((s for s in statuses if s), default=statuses[0] if statuses else None)
        role = self.commands[statuses.index(died)].role if died else ""
        who = role or (f"rank {rank}" if rank is not None else "the launch")
        tail = self.output_tail()
        code, how = _ending(died, tail)
        return SliceError(code, f"{what}: {who} {how}" + (f"\n{tail}" if tail else ""))

    def dismiss(self) -> None:
        """Asks the ranks to end, without waiting; never raises."""
        for connection in self.connections.values():
            connection.send("end")

    def close(self, deadline: float = math.inf) -> None:
        """Waits until dismissed ranks have ended, then hangs up and kills what is left.

        Not beyond `deadline` of the monotonic clock: launches that end together share one.
        """
        deadline = min(deadline, time.monotonic() + (LEAVE_S if self.connections else 0))
        while not self._gone() and time.monotonic() < deadline:
            time.sleep(0.005)
        self.kill()

    def kill(self) -> None:
        """Hangs up on all ranks and ends the launcher: TERM, then KILL."""
        for connection in self.connections.values():
            connection.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            deadline = time.monotonic() + GRACE_S
            for process in self.started:
                if process.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, number)
            while not self._gone() and time.monotonic() < deadline:
                time.sleep(0.01)
        self.connections.clear()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def __enter__(self) -> Launch:
        """The launch itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the processes."""
        self.dismiss()
        self.close()


def _misplaced(hello: Hello, site: Site) -> str:
    """That a rank isn't where it was to be, and what may have put it there."""
    seen = f"host {hello.host!r}" + f" of machine {hello.machine}" * (hello.host == site.name)
    if not site.asked:
        return (
            f"rank {hello.rank} runs on {seen}, and no other host than this one, {site.name!r}, "
            "was asked for: a scheduler or a file of hosts placed it; name the hosts by --hosts"
        )
    own = f", which calls itself {site.name!r}" * (site.asked != site.name)
    return (
        f"rank {hello.rank} runs on {seen}, asked for was {site.asked!r}{own}: mend what --agent "
        "names, so that it enters the host that it is given, and let no scheduler or file of hosts "
        "place ranks"
    )


_SIGNAL = re.compile(r"signal:?\s*(\d+)", re.IGNORECASE)
_CLEARING_UP = {signal.SIGTERM, signal.SIGKILL}
"""What launchers end the other ranks with."""


def _ending(status: int | None, tail: str) -> tuple[str, str]:
    """The failure code and words for how a launch's process ended."""
    if status is None:
        return "exit", "left the launch while the launcher still runs"
    if status < 0:
        return "crash", f"was ended by {signal.Signals(-status).name}"
    named = {int(number) for number in _SIGNAL.findall(tail)} - _CLEARING_UP
    by_shell = 128 < status < 255  # Intel MPI ends with 255 whatever happened
    if by_shell or named or "segmentation" in tail.lower():
        return "crash", f"crashed (launcher's exit status {status})"
    return "exit", f"exited (launcher's exit status {status})"
