"""Words for launches that aren't as they were to be: where ranks are, how processes ended. Pure."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence

from leadline.hosts.cores import Site
from leadline.kernels.messages import Hello


def misplaced(hello: Hello, site: Site) -> str:
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
_STATUS = re.compile(r"EXIT CODE: (\d+)")
"""As hydra prints what wait() gave it for a process that a signal ended; else its exit status."""
_CORE = 128
"""The bit that says that a core was dumped."""
_FATAL = {signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}
_ABORTED = "Abort("
"""As MPICH begins to say why it ends a process, by a status that is an error's class."""
_DEADLOCK = "Deadlock detected"
"""As SimGrid says it."""
_SIGNALS = frozenset(map(int, signal.Signals))
_CLEARING_UP = {signal.SIGTERM, signal.SIGKILL}
"""What launchers end the other ranks with."""


def first_to_fail(statuses: Sequence[int | None], hung_up: int) -> int:
    """Whose end made the others end, of processes that ended with `statuses`; None: it runs.

    A signal ended it, rather than its own word; one that was hung up on had lost somebody else.
    Where nobody failed, the first.
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
"""As hydra, Open MPI and UCX, and Open MPI's launcher name the process that crashed."""


def crashed(tail: str, ranks: Mapping[tuple[str, int], int]) -> int | None:
    """The rank that crashed, as the `tail` of what was printed says; None: it doesn't.

    `ranks` by host and process.
    """
    for one in _WHO.finditer(tail):
        if one["rank"]:
            return int(one["rank"])
        where = (one["host"] or one["at"], int(one["pid"] or one["number"]))
        if where in ranks:
            return ranks[where]
    return None


def whose_end(
    role: str, rank: int | None, tail: str, hellos: Mapping[int, Hello], afar: bool
) -> str:
    """Who ended first, e.g. "pvmd", "rank 1" or "rank 1 on h2".

    Args:
        role: Of the process that failed; empty: it starts ranks.
        rank: That hung up first; None: nobody did.
        tail: What was printed, which may say it better.
        hellos: Of all ranks.
        afar: Whether hosts were asked for.
    """
    told = crashed(tail, {(one.host, one.pid): one.rank for one in hellos.values()})
    rank = rank if told is None else told
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
