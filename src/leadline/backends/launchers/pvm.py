"""PVM: a daemon of its own for every launch, and the ranks, or rank 0 alone, which spawns them.

The daemon's files lie in the launch's own folder, so that any number of machines run side by side
and beside the user's own. It ends with its ranks (rank 0 halts it), and with the front-end however
that ends, for it asks the kernel to be killed then (PR_SET_PDEATHSIG, by setpriv).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.launchers.direct import rank_command
from leadline.backends.launchers.job import Command, Job, refuse_hosts
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


def route_of(words: Sequence[str]) -> str:
    """What carries messages between two ranks of this host under `words`."""
    return TRANSPORTS[settings(words)["LEADLINE_PVM_ROUTE"]]


class Pvm:
    """pvmd, and as many ranks as aren't spawned."""

    name = "pvmd"
    rank_variable = "LEADLINE_RANK"

    def __init__(self, backend: Backend) -> None:
        """`backend` has a daemon as its launcher, and PVM's own variables."""
        self.daemon, self.environment = str(backend.launcher), dict(backend.environment)

    def commands(self, job: Job) -> list[Command]:
        """The daemon first; ranks wait for it.

        Raises:
            UsageError: The user's words aren't PVM's, or the ranks are to be on several hosts.
            MachineError: The path of the job's folder is too long for PVM's sockets, or another
                daemon runs there.
        """
        refuse_hosts(job, "pvm")
        chosen = settings(job.launcher_arguments)
        place = {"PVM_TMP": _folder(job.folder), "LEADLINE_RANKS": str(job.ranks)}
        spawns = chosen["LEADLINE_PVM_START"] == "spawn"
        job = replace(job, environment=self.environment | dict(job.environment) | chosen | place)
        ranks = range(1 if spawns else job.ranks)
        return [self._daemon(job.environment), *(rank_command(job, r) for r in ranks)]

    def _daemon(self, environment: Mapping[str, str]) -> Command:
        """The name given is one that every host has: nothing leaves this one.

        Killed, its tasks miss it and end; told by SIGTERM, pvmd 3.4.6 was seen to lock itself up.
        """
        argv = ("setpriv", "--pdeathsig", "KILL", self.daemon, "-nlocalhost")
        return Command(argv, environment, "pvmd")


def _folder(folder: str) -> str:
    room = MOST_PATH - len(SOCKET_NAME)
    length = len(os.fsencode(folder))
    if length > room:
        raise MachineError(
            f"pvm: {folder} is {length} bytes long, and the names of PVM's sockets leave room for "
            f"{room}; set TMPDIR to a shorter path than {Path(folder).parent}"
        )
    for address in sorted(Path(folder).glob("pvmd.*")):
        if _answers(address.read_text()):
            raise MachineError(
                f"pvm: another daemon runs in {folder}, for it answers at the address in "
                f"{address.name}; halt it: echo halt | PVM_TMP={folder} pvm"
            )
        address.unlink()  # of a daemon that was killed; pvmd would refuse to start beside it
    return folder


def _answers(address: str) -> bool:
    """Whether a daemon listens at `address`, the path of a Unix socket."""
    with socket.socket(socket.AF_UNIX) as caller:
        try:
            caller.connect(address)
        except OSError:
            return False
    return True
