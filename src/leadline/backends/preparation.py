"""What must be found or cleared away before commands are made of a step; nothing is started."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
from dataclasses import replace
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS, Daemon
from leadline.backends.launchers import JobStep
from leadline.errors import MachineError, UsageError
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import BatchJob, job_for


def batch_job(asked: str | None) -> BatchJob | None:
    """The job whose scheduler starts ranks; None: their libraries' own launchers do.

    Args:
        asked: A word of hosts.schedulers.LAUNCHERS; None: the scheduler's in an allocation alone.

    Raises:
        UsageError: A scheduler's launcher was asked for outside an allocation.
    """
    return job_for(asked, os.environ, socket.gethostname(), shutil.which)


def prepare(backend: Backend, step: JobStep) -> JobStep:
    """`step` with all that the launcher of `backend` asks of it; made anew for every start.

    Raises:
        UsageError: The ranks are to be on several hosts, but the library reaches one only.
        MachineError: Another daemon of the library runs in the step's folder.
    """
    kind = KINDS[backend.kind]
    if kind.one_host and step.hosts.names:
        raise UsageError(f"{kind.name} reaches one host only; leave it out, or --hosts")
    if kind.daemon is not None:
        _clear(step.folder, kind.name, kind.daemon)
    return replace(
        step,
        starter=os.getpid(),
        superuser=os.geteuid() == 0,
        inherited=frozenset(os.environ),
        rendezvous=_meeting_place(step.hosts) if kind.rendezvous else "",
    )


def _meeting_place(hosts: Hosts) -> str:
    return port_at(hosts.names[0]) if hosts.names else loopback_address()


def port_at(host: str) -> str:
    """A port of another host, free as far as one can tell from here.

    Below those that Linux gives out itself; where it is taken, rank 0 says so and the launch is
    started anew with another.
    """
    return f"{host}:{20_000 + secrets.randbelow(10_000)}"


def loopback_address() -> str:
    """A free port of an address below 127.0.0.0/8, all of which is this host (Linux).

    The port is free a moment before rank 0 takes it. On an address that nobody else knows it stays
    so, which it wouldn't on 127.0.0.1, where every connection that goes out takes a port too.
    """
    host = ".".join(["127", *(str(1 + secrets.randbelow(254)) for _ in range(3))])
    with socket.create_server((host, 0)) as taken:
        return f"{host}:{taken.getsockname()[1]}"


def _clear(folder: str, kind: str, daemon: Daemon) -> None:
    """Removes addresses of daemons that were killed: another would refuse to start beside them."""
    for address in sorted(Path(folder).glob(daemon.addresses)):
        if _answers(address.read_text()):
            raise MachineError(
                f"{kind}: another daemon runs in {folder}, for it answers at the address in "
                f"{address.name}; halt it: {daemon.halt.format(folder=folder)}"
            )
        address.unlink()


def _answers(address: str) -> bool:
    """Whether a daemon listens at `address`, the path of a Unix socket."""
    with socket.socket(socket.AF_UNIX) as caller:
        try:
            caller.connect(address)
        except OSError:
            return False
    return True
