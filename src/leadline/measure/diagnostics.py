"""Why a launch isn't as it should be: rank status, exit diagnostics, hosts that are down."""

from __future__ import annotations

import contextlib
import re
import signal
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline.errors import LaunchError
from leadline.hosts.cores import Site
from leadline.hosts.schedulers import RemoteShell
from leadline.kernels import progress
from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.connections import Connection
from leadline.kernels.messages import Hello, Missing, ProtocolError
from leadline.kernels.progress import RankState
from leadline.measure.system import OPERATING_SYSTEM, System
from leadline.processes import CommandResult
from leadline.record.run import HOST_DOWN

MOST_LOST = 3
"""Times in a row that a segment is lost on a link which works, however badly: TCP doubles its
patience each time, so that this takes a second and a half at least."""


@dataclass(frozen=True, slots=True)
class Outage:
    """Hosts on which no ranks can be together."""

    hosts: frozenset[str]
    """Their own names: one host that is down, or two between which nothing goes."""
    reason: str
    """E.g. "host h2 doesn't answer (no route to host)"."""
    code: str = HOST_DOWN
    """Code of the failures that it causes."""

    def concerns(self, hosts: frozenset[str]) -> bool:
        """Whether ranks on `hosts` can't be there."""
        return self.hosts <= hosts


def host_down(host: str, silence: str) -> Outage:
    """The outage of a `host` that doesn't answer; `silence` says how."""
    return Outage(frozenset({host}), f"host {host} {silence}")


def outages_in(states: Sequence[RankState]) -> list[Outage]:
    """What keeps ranks in `states` apart: hosts that don't answer, or links that are cut.

    A link is cut where what a rank sent to another host was sent again MOST_LOST times in a row,
    on a connection whose other end is among the flows of `states`, too.
    """
    silent = {state.host: state.silence for state in states if state.silence}
    if silent:
        return [host_down(host, silence) for host, silence in sorted(silent.items())]
    ends = {flow.local: state.host for state in states for flow in state.flows}
    return cut_off(
        {
            frozenset({state.host, ends[flow.remote]})
            for state in states
            for flow in state.flows
            if flow.sent_again >= MOST_LOST and ends.get(flow.remote, state.host) != state.host
        }
    )


def cut_off(cut: Collection[frozenset[str]]) -> list[Outage]:
    """The outages that pairs of hosts show which are `cut` off from each other.

    Where one host is in each of several pairs, it is the one that nobody reaches.
    """
    alone = [host for host in sorted(frozenset().union(*cut)) if all(host in one for one in cut)]
    if len(cut) > 1 and alone:
        others = ", ".join(sorted(frozenset().union(*cut) - {alone[0]}))
        how = f"isn't reached from {others}: what is sent there or from there is lost"
        return [host_down(alone[0], how)]
    return [
        Outage(
            pair,
            f"the link between {' and '.join(sorted(pair))} carries nothing: what is sent over it "
            "is lost",
        )
        for pair in sorted(cut, key=sorted)
    ]


def joined(outages: Sequence[Outage]) -> str:
    """The reasons of all `outages`, and what to do."""
    whose = "it is" if len(outages) == 1 else "they are"
    reasons = "; ".join(outage.reason for outage in outages)
    return f"{reasons}: when {whose} back, go on by leadline run --resume"


class HostDownError(LaunchError):
    """Ranks don't start, for hosts that they were to be on are down."""

    code = HOST_DOWN

    def __init__(self, error: LaunchError, outages: Sequence[Outage]) -> None:
        """Replaces `error`, by which the outages showed."""
        super().__init__("", error.argv, error.status, "")
        self.outages = tuple(outages)

    def __str__(self) -> str:
        """The hosts that are down, and what to do."""
        return joined(self.outages)


class Losses:
    """Which configurations can't be measured any more."""

    def __init__(self, hosts: Mapping[int, frozenset[str]]) -> None:
        """`hosts` has those that the ranks of each configuration are on; none is lost yet."""
        self._hosts = hosts
        self._lost: set[int] = set()

    def take(self, outages: Iterable[Outage]) -> dict[int, Outage]:
        """Configurations that are lost by `outages` and weren't before, each with its outage."""
        found = {
            configuration: outage
            for outage in outages
            for configuration, hosts in self._hosts.items()
            if outage.concerns(hosts) and configuration not in self._lost
        }
        self._lost |= found.keys()
        return found

    def __contains__(self, configuration: int) -> bool:
        """Whether it is lost."""
        return configuration in self._lost

    def __bool__(self) -> bool:
        """Whether any is lost."""
        return bool(self._lost)


def misplaced(hello: Hello, site: Site) -> str:
    """The message that a rank isn't on the host that it was to be on, and how to fix it."""
    seen = f"host {hello.host!r}" + f" of machine {hello.machine}" * (hello.host == site.name)
    if not site.asked:
        return (
            f"rank {hello.rank} runs on {seen}, and no other host than this one, {site.name!r}, "
            "was asked for: a scheduler or a file of hosts placed it; name the hosts by --hosts"
        )
    own = f", which calls itself {site.name!r}" * (site.asked != site.name)
    return (
        f"rank {hello.rank} runs on {seen}, asked for was {site.asked!r}{own}: fix what --agent "
        "names, so that it enters the host that it is given, and let no scheduler or file of hosts "
        "place ranks"
    )


_SIGNAL = re.compile(r"signal:?\s*(\d+)", re.IGNORECASE)
_STATUS = re.compile(r"EXIT CODE: (\d+)")
"""How hydra prints the wait status of a process that a signal ended, else its exit status."""
_CORE = 128
"""The bit that says that a core was dumped."""
_FATAL = {signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}
_ABORTED = "Abort("
"""How MPICH's message begins when it ends a process by a status that is an error class."""
_DEADLOCK = "Deadlock detected"
"""How SimGrid reports a deadlock."""
_SIGNALS = frozenset(map(int, signal.Signals))
_CLEARING_UP = {signal.SIGTERM, signal.SIGKILL}
"""The signals by which launchers end the other ranks."""


def first_to_fail(statuses: Sequence[int | None], hung_up: int) -> int:
    """Index of the process whose end made the others end, by their exit statuses; None: it runs.

    One that was ended by a signal comes before one that exited by itself, and that before one that
    was hung up on, which had lost another process. Where none failed, the first.
    """

    def rank(status: int | None) -> int:
        if not status:
            return 3
        by_signal = status < 0 or status - 128 in _SIGNALS
        return 2 if status == hung_up else 0 if by_signal else 1

    ranks = [rank(status) for status in statuses]
    return ranks.index(min(ranks)) if ranks else 0


_WHO = re.compile(
    r"PID (?P<pid>\d+) RUNNING AT (?P<host>\S+)"
    r"|\[(?P<at>[^\s:\]]+):0*(?P<number>\d+)[^\]]*\] (?:\*\*\* Process received|Caught) signal"
    r"|process rank (?P<rank>\d+) with PID"
)
"""How hydra, Open MPI and UCX, and Open MPI's launcher name the process that crashed."""


def crashed(tail: str, ranks: Mapping[tuple[str, int], int]) -> int | None:
    """The rank that crashed, as the `tail` of the output says; None: it doesn't.

    `ranks` has them by host and process number.
    """
    for match in _WHO.finditer(tail):
        if match["rank"]:
            return int(match["rank"])
        where = (match["host"] or match["at"], int(match["pid"] or match["number"]))
        if where in ranks:
            return ranks[where]
    return None


def whose_end(
    role: str, rank: int | None, tail: str, hellos: Mapping[int, Hello], afar: bool
) -> str:
    """The name of the process that ended first, e.g. "pvmd", "rank 1" or "rank 1 on h2".

    Args:
        role: Of the process that failed; empty: it starts ranks.
        rank: That hung up first; None: nobody did.
        tail: What was printed, which may say it better.
        hellos: Of all ranks.
        afar: Whether hosts were asked for.
    """
    reported = crashed(tail, {(hello.host, hello.pid): hello.rank for hello in hellos.values()})
    rank = rank if reported is None else reported
    if role or rank is None or rank not in hellos:
        return role or "the launch"
    return f"rank {rank}" + f" on {hellos[rank].host}" * afar


def ending(status: int | None, tail: str, short_memory: bool = False) -> tuple[str, str]:
    """The failure code and words for how a launch's process ended.

    `short_memory`: /dev/shm has little room, so that what a library has mapped there may be there
    in name alone.
    """
    if _DEADLOCK in tail:  # found by a simulator, which then ends well
        return "hang", "ended in a deadlock: its ranks wait for what never comes"
    if status is None:
        return "exit", "left the launch while the launcher still runs"
    if status < 0:
        return "crash", f"was ended by {signal.Signals(-status).name}"
    named = {int(number) for number in _SIGNAL.findall(tail)} & _SIGNALS - _CLEARING_UP
    if _ABORTED not in tail:
        named |= {int(number) & ~_CORE for number in _STATUS.findall(tail)} & _FATAL
    by_shell = {status - 128} & _SIGNALS  # Intel MPI ends with 255 whatever happened
    if by_shell or named or "segmentation" in tail.lower():
        which = "".join(f" by {signal.Signals(one).name}" for one in sorted(by_shell or named)[:1])
        full = "; /dev/shm is full: give it more room" * (short_memory and "SIGBUS" in which)
        return "crash", f"crashed{which} (exit status {status}){full}"
    return "exit", f"exited (exit status {status})"


RELAY_ANSWERS_S = 1.0
HOST_ANSWERS_S = 10.0
"""Time for all hosts to answer, which are asked at the same time."""

Lines = Mapping[Connection, Sequence[int]]
"""The ranks at the other end of each connection: one, or those of a relay."""


@dataclass(frozen=True, slots=True)
class RankLocator:
    """Looks for the ranks of a launch, here and on other hosts."""

    pages: Path
    """Their progress pages are the files PAGES.RANK, on hosts where the folder is."""
    remote_shells: Mapping[str, RemoteShell] = field(default_factory=dict)
    """How each other host is asked, by its own name; empty: none can be."""
    system: System = OPERATING_SYSTEM

    def states(self, hellos: Iterable[Hello]) -> list[progress.RankState]:
        """The states of the ranks that said `hellos`, by rank.

        Each host that has a remote shell is asked once; of ranks on this one, where it has none,
        /proc is.
        """
        site, found = self.system.site(), list[progress.RankState]()
        on_hosts: dict[str, list[Hello]] = {}
        for hello in hellos:
            if hello.host not in self.remote_shells and site.is_that_of(hello.host, hello.machine):
                page = self.pages.with_name(f"{self.pages.name}.{hello.rank}")
                found.append(self.system.rank_state(hello.rank, page, hello.pid))
            else:
                on_hosts.setdefault(hello.host, []).append(hello)
        answers = self._answers(on_hosts)
        for host, there in on_hosts.items():
            ranks, answer = [one.rank for one in there], answers.get(host)
            silence = _silence(answer) if answer else ""
            if answer and not silence:
                found += progress.answered(answer.output, host, ranks)
            else:
                found += [progress.elsewhere(rank, host, silence) for rank in ranks]
        return sorted(found, key=lambda state: state.rank)

    def outages(self, hosts: Iterable[str]) -> list[Outage]:
        """Outages of `hosts` that are down; this host and those without remote shell never are."""
        here = self.system.site().name
        answers = self._answers({host: [] for host in hosts if host != here})
        return [
            host_down(host, silence)
            for host, result in sorted(answers.items())
            if (silence := _silence(result))
        ]

    def _answers(self, on_hosts: Mapping[str, Sequence[Hello]]) -> dict[str, CommandResult]:
        """The answer of each host about its ranks; hosts without a remote shell have none."""
        asked = [host for host in on_hosts if host in self.remote_shells]
        commands = []
        for host in asked:
            pids = {hello.rank: hello.pid for hello in on_hosts[host]}
            question = progress.question(str(self.pages), pids)
            is_here = host == self.system.site().name
            commands.append(question if is_here else self.remote_shells[host].into(question))
        return dict(zip(asked, self.system.ask(commands, HOST_ANSWERS_S), strict=True))


def _silence(result: CommandResult) -> str:
    """Why the `result` of asking a host is no answer; empty: it is one."""
    if progress.is_answer(result.output):
        return ""
    return f"doesn't answer ({result.first_complaint()[:200]})"


def missing(lines: Lines, clock: Clock = SYSTEM_CLOCK) -> set[int]:
    """The ranks that haven't answered, as their relays say; all of a relay that doesn't.

    Relays are waited for by `clock`.
    """
    found: set[int] = set()
    for connection, ranks in lines.items():
        connection.send("missing")
        found.update(_said_to_be_missing(connection, ranks, clock))
    return found


def _said_to_be_missing(relay: Connection, ranks: Sequence[int], clock: Clock) -> Sequence[int]:
    with contextlib.suppress(ProtocolError):
        while (message := relay.next_within(RELAY_ANSWERS_S, clock)) is not None:
            if isinstance(message, Missing):
                return message.ranks
    return ranks
