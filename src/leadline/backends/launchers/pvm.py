"""PVM: a daemon of its own for every launch, and the ranks, or rank 0 alone, which spawns them.

The daemon's files lie in the launch's own folder, so that any number of machines run side by side
and beside the user's own. It ends with its ranks (rank 0 halts it), and with the front-end however
that ends, for it asks the kernel to be killed then (PR_SET_PDEATHSIG, by setpriv). On several hosts
it starts the daemons of the others (pvm_daemons).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline.backends.backend import Backend
from leadline.backends.launchers.agents import sent
from leadline.backends.launchers.direct import RANK_VARIABLE, rank_command
from leadline.backends.launchers.pvm_daemons import folder_on, on_hosts, variables_on
from leadline.backends.launchers.step import Command, JobStep
from leadline.errors import MachineError, UsageError, unknown_name

WORDS = {
    "default": ("LEADLINE_PVM_ENCODING", "PvmDataDefault: XDR, what PVM's users get"),
    "raw": ("LEADLINE_PVM_ENCODING", "PvmDataRaw: bytes as they are"),
    "inplace": ("LEADLINE_PVM_ENCODING", "PvmDataInPlace: taken from the user's memory"),
    "bytes": ("LEADLINE_PVM_ELEMENTS", "pvm_pkbyte, which no encoding converts"),
    "doubles": ("LEADLINE_PVM_ELEMENTS", "pvm_pkdouble, where the size is a multiple of 8"),
    "daemon": ("LEADLINE_PVM_ROUTE", "through pvmd, what PVM's users get"),
    "direct": ("LEADLINE_PVM_ROUTE", "PvmRouteDirect: a socket between each two ranks"),
    "spmd": ("LEADLINE_PVM_START", "the launcher starts all ranks"),
    "spawn": ("LEADLINE_PVM_START", "rank 0 starts the others by pvm_spawn"),
}
"""What "arg:" may say -> the kernel's variable, what it means. The first of each is the default."""

TRANSPORTS = {"daemon": "pvmd", "direct": "unix socket"}
BETWEEN_HOSTS = {"daemon": "pvmd udp", "direct": "tcp"}
UNLESS_ORPHANED = 'test "$PPID" -eq "$0" && exec "$@"'
"""Of sh: who was killed before the kernel was asked to tell of it is nobody's parent any more."""
MOST_PATH = 107
"""Bytes in the address of a Unix socket, less its end."""
SOCKET_NAME = "/pvmtmp0000000.000"
"""The longest that PVM puts into its folder: process and number of the socket."""


def settings(words: Sequence[str]) -> dict[str, str]:
    """The kernel's variables for `words`; UsageError for an unknown word, or two that exclude."""
    chosen: dict[str, str] = {}
    for word in words:
        if word not in WORDS:
            raise unknown_name("PVM setting", word, list(WORDS))
        variable = WORDS[word][0]
        if chosen.setdefault(variable, word) != word:
            raise UsageError(f"pvm: arg:{chosen[variable]} and arg:{word} exclude each other")
    defaults = {variable: word for word, (variable, _) in reversed(WORDS.items())}
    return defaults | chosen


def route_of(words: Sequence[str], between_hosts: bool = False) -> str:
    """What carries messages between two ranks of this host, or of two hosts, under `words`."""
    route = settings(words)["LEADLINE_PVM_ROUTE"]
    return (BETWEEN_HOSTS if between_hosts else TRANSPORTS)[route]


class Pvm:
    """pvmd, and as many ranks as aren't spawned."""

    name = "pvmd"
    rank_variable = RANK_VARIABLE

    def __init__(self, backend: Backend) -> None:
        """`backend` has a daemon as its launcher, and PVM's own variables."""
        self.daemon, self.environment = str(backend.launcher), dict(backend.environment)

    def commands(self, step: JobStep) -> list[Command]:
        """The daemon first; ranks wait for it.

        Raises:
            UsageError: The user's words aren't PVM's, or don't go with hosts.
            MachineError: The path of the step's folder is too long for PVM's sockets.
        """
        chosen = settings(step.launcher_arguments)
        place = {"PVM_TMP": _folder(step), "LEADLINE_RANKS": str(step.ranks)}
        spawns = chosen["LEADLINE_PVM_START"] == "spawn"
        step = replace(step, environment=self.environment | dict(step.environment) | chosen | place)
        ranks = range(1 if spawns else step.ranks)
        if step.hosts.names:
            return [self._daemons(step, spawns), *(_sent_rank(step, rank) for rank in ranks)]
        return [self._daemon(step), *(rank_command(step, rank) for rank in ranks)]

    def _daemon(self, step: JobStep) -> Command:
        """The name given is one that every host has: nothing leaves this one."""
        return Command(_watched(step, (self.daemon, "-nlocalhost")), step.environment, "pvmd")

    def _daemons(self, step: JobStep, spawns: bool) -> Command:
        """The daemon of the first host, which starts the others."""
        if spawns and not step.hosts.emulated:
            raise UsageError(
                "pvm: arg:spawn takes this host, or emulated ones: elsewhere what a spawned rank "
                "prints is lost; leave it out, or --hosts"
            )
        started = on_hosts(step, self.daemon, self.environment)
        if not step.hosts.emulated:  # nobody here is its parent: rank 0 halts it, hung up on, too
            return sent(step, step.hosts.names[0], started)
        watched = replace(started, argv=_watched(step, started.argv))
        return sent(step, step.hosts.names[0], watched)


def _watched(step: JobStep, argv: tuple[str, ...]) -> tuple[str, ...]:
    """A daemon that is killed with the front-end.

    Killed, its tasks miss it and end; told by SIGTERM, pvmd 3.4.6 was seen to lock itself up.
    """
    watch = ("setpriv", "--pdeathsig", "KILL", "sh", "-c", UNLESS_ORPHANED, str(step.starter))
    return (*watch, *argv)


def _sent_rank(step: JobStep, rank: int) -> Command:
    host = step.hosts.names[step.hosts.place(rank, step.ranks)]
    there = replace(step, environment=dict(step.environment) | variables_on(step, host))
    return sent(step, host, rank_command(there, rank))


def _folder(step: JobStep) -> str:
    """The step's, if the longest of its hosts' folders leaves room for the sockets' names."""
    folders = [folder_on(step, host) for host in step.hosts.names] or [step.folder]
    folder = max(folders, key=len)
    room = MOST_PATH - len(SOCKET_NAME)
    length = len(folder.encode(errors="surrogateescape"))
    if length > room:
        raise MachineError(
            f"pvm: {folder} is {length} bytes long, and the names of PVM's sockets leave room for "
            f"{room}; set TMPDIR to a shorter path than {folder.rpartition('/')[0]}"
        )
    return step.folder
