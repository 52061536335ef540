"""Fills in a step, and clears stale files, before commands are made of it; nothing is started."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
from dataclasses import replace
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS
from leadline.backends.launchers import JobStep
from leadline.errors import MachineError, UsageError
from leadline.hosts.schedulers import BatchJob, job_for


def batch_job(asked: str | None) -> BatchJob | None:
    """The job whose scheduler starts ranks; None: their libraries' own launchers start them.

    Args:
        asked: A word of hosts.schedulers.LAUNCHERS; None: the scheduler's launcher, in an
            allocation only.

    Raises:
        UsageError: A scheduler's launcher was asked for outside an allocation.
    """
    return job_for(asked, os.environ, socket.gethostname(), shutil.which)


def prepare(backend: Backend, step: JobStep) -> JobStep:
    """`step` with all that the launcher of `backend` needs; prepared again for every start.

    Raises:
        UsageError: The ranks are to be on several hosts, but the library reaches one only.
        MachineError: Another daemon of the library runs in the step's folder.
    """
    kind = KINDS[backend.kind]
    if kind.one_host and step.hosts.names:
        raise UsageError(f"{kind.name} reaches one host only; leave it out, or --hosts")
    if kind.daemon is not None:
        for address in sorted(Path(step.folder).glob(kind.daemon.addresses)):
            if _answers(address.read_text()):
                raise MachineError(
                    f"{kind.name}: another daemon runs in {step.folder}, for it answers at the "
                    f"address in {address.name}; halt it: "
                    f"{kind.daemon.halt.format(folder=step.folder)}"
                )
            address.unlink()  # a killed daemon's, beside which another would refuse to start
    rendezvous = ""
    if kind.rendezvous:
        rendezvous = port_at(step.hosts.names[0]) if step.hosts.names else loopback_address()
    return replace(
        step,
        starter=os.getpid(),
        superuser=os.geteuid() == 0,
        inherited=frozenset(os.environ),
        rendezvous=rendezvous,
    )


def port_at(host: str) -> str:
    """A port of another host, free as far as one can tell from here.

    It is below the ports that Linux assigns itself; where it is taken, rank 0 reports so and the
    launch is started again with another.
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


def _answers(address: str) -> bool:
    """Whether a daemon listens at `address`, the path of a Unix socket."""
    with socket.socket(socket.AF_UNIX) as caller:
        try:
            caller.connect(address)
        except OSError:
            return False
    return True
