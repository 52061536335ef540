"""PVM: a daemon of its own for every launch, and the ranks, or rank 0 alone, which spawns them.

The daemon's files lie in the launch's own folder, so that any number of virtual machines run side
by side and beside the user's own. The daemon ends with its ranks (rank 0 halts it), and with the
front-end however that ends, for it asks the kernel to be killed then (PR_SET_PDEATHSIG, by
setpriv).

On several hosts the daemon of the first one starts the others by the hosts' agent. Each has a
folder of its own, also where hosts share their files. What starts a daemon stands in the first
one's hostfile (dx=), whose words have no spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline.backends.backend import Backend
from leadline.backends.launchers import Command, JobStep, sent
from leadline.backends.launchers.direct import RANK_VARIABLE, rank_command
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
"""Words after "arg:" -> the kernel's variable, what the word means. The first word of each variable
is its default."""

TRANSPORTS = {"daemon": "pvmd", "direct": "unix socket"}
BETWEEN_HOSTS = {"daemon": "pvmd udp", "direct": "tcp"}
UNLESS_ORPHANED = 'test "$PPID" -eq "$0" && exec "$@"'
"""Words for sh. A starter that was killed before setpriv asked to be told of it is nobody's parent
any more."""
MOST_PATH = 107
"""Bytes in the address of a Unix socket, less its end."""
SOCKET_NAME = "/pvmtmp0000000.000"
"""The longest name that PVM gives a file in its folder: process and number of the socket."""

FIRST = (
    'mkdir -m 700 -p "$PVM_TMP" && cat > "$PVM_TMP/hosts" && export LEADLINE_PVMD=$$ && '
    'exec "$0" "-n$1" "$PVM_TMP/hosts"'
)
"""Words for sh that start the first daemon: $0 is its path and $1 its host; reads the hostfile."""
OTHER = (
    'PVM_TMP="$LEADLINE_PVM_FOLDER.$(hostname)"; export PVM_TMP; mkdir -m 700 -p "$PVM_TMP"; '
    '(while sleep 2 && test -e "$PVM_TMP"/pvmd.*; do kill -0 $LEADLINE_PVMD || kill -KILL 0; done) '
    "<&- >&- 2>&- & exec"
)
"""Words for sh on another emulated host, before those of its daemon. The daemon goes into the
background, where it is no child of the first daemon, with which it is to end, and would wait three
minutes for it: the loop that stays here ends both. All are of one process group."""
BY_VARIABLE = 'eval${IFS}"$LEADLINE_PVM_OTHER"${IFS}'
"""Words for the shell that the agent starts; a line of a hostfile has no room for more."""


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
        folders = [_folder_on(step, host) for host in step.hosts.names] or [step.folder]
        longest = max(folders, key=len)
        room = MOST_PATH - len(SOCKET_NAME)
        length = len(longest.encode(errors="surrogateescape"))
        if length > room:
            raise MachineError(
                f"pvm: {longest} is {length} bytes long, and the names of PVM's sockets leave room "
                f"for {room}; set TMPDIR to a shorter path than {longest.rpartition('/')[0]}"
            )
        place = {"PVM_TMP": step.folder, "LEADLINE_RANKS": str(step.ranks)}
        spawns = chosen["LEADLINE_PVM_START"] == "spawn"
        step = replace(step, environment=self.environment | dict(step.environment) | chosen | place)
        ranks = range(1 if spawns else step.ranks)
        if not step.hosts.names:
            # -n: a name that every host has, for nothing leaves this one
            daemon = Command(_watched(step, (self.daemon, "-nlocalhost")), step.environment, "pvmd")
            return [daemon, *(rank_command(step, rank) for rank in ranks)]
        commands = [self._daemons(step, spawns)]
        for rank in ranks:
            host = step.hosts.names[step.hosts.place(rank, step.ranks)]
            there = replace(step, environment=dict(step.environment) | _variables_on(step, host))
            commands.append(sent(step, host, rank_command(there, rank)))
        return commands

    def _daemons(self, step: JobStep, spawns: bool) -> Command:
        """The daemon of the first host, which starts the others."""
        if spawns and not step.hosts.emulated:
            raise UsageError(
                "pvm: arg:spawn takes this host, or emulated ones: elsewhere what a spawned rank "
                "prints is lost; leave it out, or --hosts"
            )
        first = step.hosts.names[0]
        variables = {
            **_variables_on(step, first),
            "PVM_RSH": step.hosts.agent,
            "LEADLINE_PVM_FOLDER": step.folder,
            "LEADLINE_PVM_OTHER": OTHER,
        }
        argv: tuple[str, ...] = ("sh", "-c", FIRST, self.daemon, first)
        if step.hosts.emulated:  # else nobody here is its parent: rank 0 halts it, hung up on, too
            argv = _watched(step, argv)
        hostfile = "".join(f"{host} dx={self._starting(step, host)}\n" for host in step.hosts.names)
        daemon = Command(argv, dict(step.environment) | variables, "pvmd", hostfile)
        return sent(step, first, daemon)

    def _starting(self, step: JobStep, host: str) -> str:
        """What starts the daemon on `host`, one word of a hostfile; all spaces are the shell's."""
        if step.hosts.emulated:  # daemons there inherit the variables of the first one
            return f"{BY_VARIABLE}{self.daemon}"
        folder = _folder_on(step, host)
        variables = {**self.environment, "PVM_TMP": folder}
        words = ["env", *(f"{name}={value}" for name, value in variables.items()), self.daemon]
        return "${IFS}".join(["mkdir", "-m", "700", "-p", f"{folder};{words[0]}", *words[1:]])


def _watched(step: JobStep, argv: tuple[str, ...]) -> tuple[str, ...]:
    """The command of a daemon that is killed with the front-end.

    When it is killed its tasks notice and end; after a SIGTERM pvmd 3.4.6 was seen to hang.
    """
    watch = ("setpriv", "--pdeathsig", "KILL", "sh", "-c", UNLESS_ORPHANED, str(step.starter))
    return (*watch, *argv)


def _folder_on(step: JobStep, host: str) -> str:
    """Folder of the files of the daemon on `host`; removed with the step's own folder."""
    return f"{step.folder}.{host}"


def _variables_on(step: JobStep, host: str) -> dict[str, str]:
    """Variables that tell the ranks on `host` of the daemon there, and where the others are."""
    places = (step.hosts.place(rank, step.ranks) for rank in range(step.ranks))
    return {
        "PVM_TMP": _folder_on(step, host),
        "LEADLINE_PVM_HOSTS": ",".join(step.hosts.names[place] for place in places),
    }
