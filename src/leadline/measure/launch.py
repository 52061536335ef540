"""One launch: the processes of one configuration, alive until the block ends.

What its processes print goes into a file each. They end so that nothing of them is left: libraries
remove what they keep in shared memory where their ranks end by themselves; ranks that are hung up
on do it in their stead (native/kernels/channel/control.c). Only who doesn't end then is killed,
and what was seen of it before is removed here.
"""

from __future__ import annotations

import contextlib
import itertools
import selectors
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from leadline.backends.launchers import Command
from leadline.errors import LaunchError, refusal
from leadline.hosts.cleanup.identities import FileIdentity
from leadline.hosts.cleanup.notes import Note, forget
from leadline.hosts.cleanup.sweep import remove_folder, remove_segments
from leadline.hosts.cores import Site
from leadline.hosts.schedulers import RemoteShell
from leadline.kernels import progress
from leadline.kernels.clock import Clock
from leadline.kernels.connections import Cause, Connection, Credentials, UnauthenticatedError
from leadline.kernels.messages import (
    Answer,
    Fault,
    FittedClock,
    Hello,
    Lost,
    Message,
    Placed,
    ProtocolError,
    Result,
    Traced,
)
from leadline.kernels.placements import pieces
from leadline.measure.diagnostics import (
    HostDownError,
    Lines,
    Outage,
    RankLocator,
    ending,
    first_to_fail,
    joined,
    misplaced,
    missing,
    outages_in,
    whose_end,
)
from leadline.measure.system import OPERATING_SYSTEM, LaunchedProcess, System


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command under way: its number, what it measures, and who must answer."""

    id: int
    what: str
    ranks: range
    answer: type[Message]
    """The type of the answer, unless something is wrong."""


TAIL_BYTES = 2000
"""Bytes of output that a message shows in all; several processes share them."""
LEAST_BYTES = 200
"""Bytes of output that a message shows of each process, at least."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Standard output and error of processes, by their roles."""

    folder: Path

    def of(self, role: str) -> Path:
        """The file of the process in `role`; of those without one, which start ranks, "output"."""
        return self.folder / ".".join(filter(None, ["output", role.replace(" ", "-")]))

    def tail(self, roles: Iterable[str]) -> str:
        """The ends of what the processes in `roles` printed, each after its role, if it has one."""
        texts: dict[str, bytes] = {}
        for role in dict.fromkeys(roles):
            with contextlib.suppress(OSError):
                if text := self.of(role).read_bytes().strip():
                    texts[role] = text
        share = max(TAIL_BYTES // max(len(texts), 1), LEAST_BYTES)
        ends = {
            role: text[-share:].decode(errors="replace").strip() for role, text in texts.items()
        }
        return "\n".join(f"{role} said: {end}" if role else end for role, end in ends.items())


HUNG_UP_S = 1.0
"""Time for launchers whose ranks were hung up on: they end when these have."""
GRACE_S = 1.0
LOOK_S = 0.005


def gone(processes: Iterable[LaunchedProcess]) -> bool:
    """Whether all have ended."""
    return all(process.poll() is not None for process in processes)


def went_well(processes: Iterable[LaunchedProcess]) -> bool:
    """Whether all have ended as they should; ranks of one that fell may still run."""
    return all(process.poll() == 0 for process in processes)


def await_end(processes: Sequence[LaunchedProcess], deadline: float, clock: Clock) -> bool:
    """Whether all end before `deadline` of `clock`."""
    while not gone(processes) and clock.monotonic() < deadline:
        clock.sleep(LOOK_S)
    return gone(processes)


def look(note: Note | None, ranks: Sequence[int] | None, system: System) -> None:
    """Notes the shared memory of `ranks`, by process number; None: they aren't known."""
    if note is not None:
        note.know_segments(system.processes_of(note.launch) if ranks is None else ranks)


def end(processes: Sequence[LaunchedProcess], hung_up: bool, system: System) -> None:
    """Ends the sessions of `processes`: those whose ranks were hung up on first by themselves.

    Then launchers are told by TERM, who end their ranks and clear up; then all are killed.
    """
    clock = system.clock
    if hung_up and await_end(processes, clock.monotonic() + HUNG_UP_S, clock):
        return
    for process in processes:
        if process.poll() is None:
            process.terminate()
    if await_end(processes, clock.monotonic() + GRACE_S, clock):
        return
    for process in processes:
        if process.poll() is None:
            system.kill(process)
    await_end(processes, clock.monotonic() + GRACE_S, clock)


def clear(scratch: Path, note: Note | None, orderly: bool, system: System) -> None:
    """Removes the folders of a launch that has ended, and what is left of it in shared memory.

    First, unless all went in an `orderly` way, the processes that still have its name are ended.
    """
    if note is None:
        with contextlib.suppress(OSError):
            remove_folder(FileIdentity.of(scratch))
        return
    identities = set() if orderly else system.end_processes(note, GRACE_S)
    remove_segments({*note.segments, *identities})
    remove_folder(note.folder)
    if not note.is_left:  # else whoever comes after looks again
        forget(note)


PAGES = "progress"
"""How the names of progress pages begin in a launch's directory; the rank follows."""
LEAVE_S = 5.0
WAIT_S = 1.0
"""Time for an answer, before processes are checked for having ended."""
SETTLE_S = 0.02
HUNG_UP = 3
"""The status of a rank or relay that was hung up on: something else had ended before."""


class SliceError(Exception):
    """A slice gave no result: `code` is crash, exit, hang, protocol, wrong_byte or another."""

    def __init__(self, code: str, text: str, outages: Sequence[Outage] = ()) -> None:
        """Keeps `code`; `text` has the facts, `outages` the hosts that are down."""
        self.code, self.outages = code, tuple(outages)
        super().__init__(text)

    @property
    def fatal(self) -> bool:
        """Whether the launch is over; what is wrong leaves it able to measure other cells."""
        return self.code not in ("wrong_byte", "wrong_result")


A = TypeVar("A", Result, Placed, FittedClock, Traced)
"""The type of the answers to a command."""


@dataclass(slots=True)
class Launch:
    """The processes of one configuration. Use as a context manager: leaving it ends them."""

    label: str
    """The variant's name, for messages."""
    number: int
    """Within the run."""
    ranks: int
    processes: int
    """How many processes say hello; null plays all its ranks in one."""
    credentials: Credentials
    """With them its ranks prove to the control server that they are of this launch."""
    commands: Sequence[Command]
    phases: tuple[str, ...]
    """The phases of a slice, as the kernel names them."""
    library: str
    """What the kernel was built with: the compiler wrapper's path, or the kernel's."""
    sites: Sequence[Site]
    """Where each rank is to run; empty: where the user's own words for the launcher put it."""
    scratch: Path
    """A directory of its own, removed at the end: output, and "progress.RANK" pages."""
    relays: int = 0
    """How many of `commands`, the first ones, start relays, for which the others wait; there are no
    others where ranks are simulated, by a process that speaks for them."""
    remote_shells: Mapping[str, RemoteShell] = field(default_factory=dict)
    """How each of its hosts is asked for the status of ranks, by its own name."""
    system: System = OPERATING_SYSTEM
    started: list[LaunchedProcess] = field(default_factory=list)
    ready_relays: list[Connection] = field(default_factory=list)
    """Connections of the relays that listen."""
    connections: dict[int, Connection] = field(default_factory=dict)
    hellos: dict[int, Hello] = field(default_factory=dict)
    sent: int = 0
    """Commands sent so far; each has its number."""
    note: Note | None = None
    """By which a later front-end cleans up behind one that was killed; None: nothing was noted."""
    hung_up: bool = False
    """Whether ranks were hung up on that hadn't said hello."""
    placed: set[int] = field(default_factory=set)
    """Numbers of the placements that all ranks keep."""

    def start(self) -> None:
        """Starts the processes, or the relays that they wait for; LaunchError if one can't be."""
        self._start(self.commands[: self.relays] or self.commands)

    def add_relay(self, relay: Connection) -> None:
        """Takes in a relay; once all are there the ranks are started, which look for them.

        Raises:
            UnauthenticatedError: There are as many already.
            LaunchError: A process can't be started.
        """
        if len(self.ready_relays) == self.relays:
            raise UnauthenticatedError(Cause.TAKEN)
        self.ready_relays.append(relay)
        if len(self.ready_relays) == self.relays:
            self._start(self.commands[self.relays :])

    def _start(self, commands: Sequence[Command]) -> None:
        for command in commands:
            try:
                with Outputs(self.scratch).of(command.role).open("ab") as output:
                    self.started.append(self.system.start(command, output))
            except OSError as error:
                problem = f"{self.label}: can't start: {refusal(error) or error}"
                raise LaunchError(problem, command.argv, None, "") from error
        if self.note is not None:  # kernels have its name in their environment
            launchers = itertools.compress(self.started, (one.bound for one in self.commands))
            self.note.know_processes(process.pid for process in launchers)

    def output_tail(self) -> str:
        """The end of what the processes wrote on stdout and stderr."""
        return Outputs(self.scratch).tail(command.role for command in self.commands)

    def join(self, connection: Connection, hello: Hello) -> None:
        """Takes in a rank that proved to be of this launch.

        Raises:
            UnauthenticatedError: It says that it is a rank which is there already, or isn't to be.
            LaunchError: The launch isn't what was asked for.
        """
        if hello.rank in self.connections:
            raise UnauthenticatedError(Cause.TAKEN)
        if hello.size != self.ranks:
            raise self._refused(
                f"asked for {self.ranks} ranks, the library made a world of {hello.size}: launcher "
                f"and library don't belong together. The launcher is {self.launcher[0]}, the "
                f"library that of {self.library} ({hello.library[:40].strip()}); use the launcher "
                "of the same prefix"
            )
        if hello.rank not in range(self.processes):
            raise UnauthenticatedError(Cause.NO_RANK)
        if self.sites and not self.sites[hello.rank].is_that_of(hello.host, hello.machine):
            raise self._refused(misplaced(hello, self.sites[hello.rank]))
        self.connections[hello.rank] = connection
        self.hellos[hello.rank] = hello

    @property
    def launcher(self) -> tuple[str, ...]:
        """The command line that starts ranks."""
        return self.commands[min(self.relays, len(self.commands) - 1)].argv

    def _refused(self, problem: str) -> LaunchError:
        tail = self.output_tail()
        return LaunchError(f"{self.label}: {problem}", self.launcher, None, tail)

    @property
    def missing(self) -> int:
        """How many processes haven't said hello."""
        return self.processes - len(self.connections)

    def measure(
        self, command: str, what: str, takes_part: int, patience_s: float, reduce: bool = False
    ) -> list[Result]:
        """Sends `command` to all ranks and collects the results of the first `takes_part`.

        `what` names the slice in messages. Relays, where there are any, `reduce` their ranks'
        batches if told. Raises SliceError where a rank ends, hangs for `patience_s`, or finds a
        wrong byte.
        """
        ranks = range(min(takes_part, len(self.connections)))
        return self._ask([command], Result, what, ranks, patience_s, reduce)

    def trace(self, command: str, what: str, patience_s: float) -> list[str]:
        """What each rank did in the repetitions that `command` asks for, a line a call, by rank.

        `what` names them in messages. Raises SliceError as `measure` does.
        """
        ranks = range(len(self.connections))
        replies = self._ask([f"trace {command}"], Traced, what, ranks, patience_s)
        return [reply.text for reply in replies]

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
        self._ask(commands, Placed, f"placement {number}", ranks, patience_s)
        self.placed.add(number)

    def fit_clocks(self, patience_s: float, apart: str = "clocks") -> list[FittedClock]:
        """Has all ranks know rank 0's clock; how theirs go against it, by rank.

        `apart` "hosts": as if each had a clock of its own. Raises SliceError as `measure` does.
        """
        ranks = range(len(self.connections))
        return self._ask([f"clocks apart={apart}"], FittedClock, "clocks", ranks, patience_s)

    def _ask(
        self,
        commands: Sequence[str],
        answer: type[A],
        what: str,
        ranks: range,
        patience_s: float,
        reduce: bool = False,
    ) -> list[A]:
        """Sends all ranks the pieces of one command; what `ranks` answer, if that is no fault."""
        self.sent += 1
        lines = self._lines()
        if self.relays:
            commands = [f"await below={ranks.stop} reduce={reduce:d}", *commands]
        for command in commands:
            for connection in lines:
                connection.send(f"{command} id={self.sent}")
        pending = PendingCommand(self.sent, what, ranks, answer)
        replies = self._collect(pending, lines, patience_s)
        faults = [reply for reply in replies if isinstance(reply, Fault)]
        if faults:
            texts = "; ".join(dict.fromkeys(fault.text for fault in faults))
            raise SliceError(faults[0].code, f"{what}: {texts}")
        return [reply for reply in replies if isinstance(reply, answer)]

    def _lines(self) -> dict[Connection, list[int]]:
        lines: dict[Connection, list[int]] = {}
        for rank, connection in self.connections.items():
            lines.setdefault(connection, []).append(rank)
        return lines

    def _collect(self, pending: PendingCommand, lines: Lines, patience_s: float) -> list[Message]:
        clock = self.system.clock
        begin, deadline = clock.monotonic(), clock.monotonic() + patience_s
        replies: dict[int, Message] = {}
        awaited = set(pending.ranks)
        with selectors.DefaultSelector() as selector:
            for connection in lines:
                selector.register(connection.socket, selectors.EVENT_READ, connection)
            while awaited - replies.keys():
                left_s = max(0.0, min(deadline - clock.monotonic(), WAIT_S))
                ready = clock.select(selector, left_s)
                for key, _ in ready:
                    replies |= self._taken(key.data, lines[key.data], pending)
                if not ready and gone(self.started):
                    raise self._ended(pending.what)
                if clock.monotonic() >= deadline and awaited - replies.keys():
                    late = missing(lines, clock) if self.relays else awaited - replies.keys()
                    raise self._hung(pending.what, sorted(late), clock.monotonic() - begin)
        return [replies[rank] for rank in sorted(replies)]

    def _taken(
        self, connection: Connection, ranks: Sequence[int], pending: PendingCommand
    ) -> dict[int, Message]:
        """The answers that have arrived over `connection`, at whose other end are `ranks`."""
        connection.receive()
        found: dict[int, Message] = {}
        try:
            while (message := connection.next_message()) is not None:
                answer = self._answer(message, connection, pending)
                found[answer.rank] = answer
        except ProtocolError as error:
            raise SliceError("protocol", f"{pending.what}: {error}") from error
        if connection.closed and not found:
            raise self._ended(pending.what, ranks[0] if len(ranks) == 1 else None)
        return found

    def _answer(self, message: Message, connection: Connection, pending: PendingCommand) -> Answer:
        """`message`, if it answers the command under way in the name of who is connected."""
        if (
            isinstance(message, Answer)
            and isinstance(message, (pending.answer, Fault))
            and message.id == pending.id
            and self.connections.get(message.rank) is connection
        ):
            return message
        if isinstance(message, Lost) and not message.astray:
            raise self._ended(pending.what, message.rank)
        who = next(rank for rank, one in self.connections.items() if one is connection)
        rank = message.rank if isinstance(message, Lost) else who
        problem = "answered another command, or in another rank's name"
        if isinstance(message, Hello):
            problem = "said hello again"
        raise SliceError("protocol", f"{pending.what}: rank {rank} {problem}")

    def _hung(self, what: str, late: Sequence[int], waited_s: float) -> SliceError:
        everybody = self._rank_status.states(self.hellos.values())
        states = [state for state in everybody if state.rank in late]
        outages = outages_in(everybody)
        hang = progress.report(states, self.phases, what, waited_s)
        if outages:
            return SliceError(outages[0].code, f"{hang}; {joined(outages)}", outages)
        return SliceError("hang", hang)

    @property
    def hosts(self) -> frozenset[str]:
        """Hosts that its ranks are to be on; empty where the user's own words place them."""
        return frozenset(site.name for site in self.sites)

    def complaint(self, error: LaunchError, outages: Sequence[Outage]) -> LaunchError:
        """`error`, by which it didn't come up, or that hosts of its ranks are down."""
        mine = [outage for outage in outages if outage.concerns(self.hosts)]
        return HostDownError(error, mine) if mine else error

    @property
    def _rank_status(self) -> RankLocator:
        return RankLocator(self.scratch / PAGES, self.remote_shells, self.system)

    def _statuses(self) -> list[int | None]:
        """How each process ended; None: it runs."""
        return [process.poll() for process in self.started]

    def _ended(self, what: str, rank: int | None = None) -> SliceError:
        """The error that names which process of an ended launch ended first, and how.

        `rank` is the one that hung up; None: it isn't known.
        """
        clock = self.system.clock
        deadline = clock.monotonic() + LEAVE_S  # oshrun takes seconds to notice
        while all(s is None for s in self._statuses()) and clock.monotonic() < deadline:
            clock.sleep(SETTLE_S)
        clock.sleep(SETTLE_S)  # whose end made others end may be the last to be seen
        statuses = self._statuses()
        first = first_to_fail(statuses, HUNG_UP)
        died = statuses[first] if statuses else None
        role = self.commands[first].role if died else ""
        tail = self.output_tail()
        who = whose_end(role, rank, tail, self.hellos, afar=any(site.asked for site in self.sites))
        short = self.system.shared_memory_is_short()
        code, how = ending(died, Outputs(self.scratch).tail([role]), short)
        if outages := self._rank_status.outages(self.hosts):
            return SliceError(outages[0].code, f"{what}: {who} {how}; {joined(outages)}", outages)
        return SliceError(code, f"{what}: {who} {how}" + (f"\n{tail}" if tail else ""))

    def dismiss(self) -> None:
        """Asks the ranks to end, without waiting; never raises."""
        for connection in self._lines():
            connection.send("end")

    def hang_up(self) -> None:
        """Closes all connections; ranks that are no more heard from end."""
        connections = (*self.connections.values(), *self.ready_relays)
        self.hung_up = self.hung_up or bool(connections)
        for connection in connections:
            connection.close()
        self.connections.clear()

    def note_segments(self) -> None:
        """Notes what its ranks have in shared memory, also those that said no hello yet."""
        heard = [hello.pid for hello in self.hellos.values()]
        look(self.note, None if self.missing else heard, self.system)

    def __enter__(self) -> Launch:
        """The launch itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the processes."""
        leave((self,))


def leave(launches: Sequence[Launch]) -> None:
    """Asks all ranks to end and waits for them, together; then hangs up and kills what is left."""
    for launch in launches:
        launch.dismiss()
    dismissed = [process for launch in launches if launch.connections for process in launch.started]
    if dismissed:
        clock = launches[0].system.clock
        await_end(dismissed, clock.monotonic() + LEAVE_S, clock)
    kill(launches)


def kill(launches: Sequence[Launch]) -> None:
    """Hangs up on all ranks of `launches`, ends who doesn't end then, and removes what they leave.

    Those of one system; who hangs in several is waited for once.
    """
    orderly = [went_well(launch.started) for launch in launches]
    for launch, well in zip(launches, orderly, strict=True):
        if not well:
            launch.note_segments()
    for launch in launches:
        launch.hang_up()
    if started := [process for launch in launches for process in launch.started]:
        end(started, any(launch.hung_up for launch in launches), launches[0].system)
    for launch, well in zip(launches, orderly, strict=True):
        clear(launch.scratch, launch.note, well, launch.system)
