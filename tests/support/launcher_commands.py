"""Launchers' command lines for a job step."""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import Command, JobStep

REAL = ("mpich", "openmpi", "impi")


def backend(kind: str, version: str = "5.0.2") -> Backend:
    return Backend(
        name=kind,
        kind=kind,
        version=version,
        usable=True,
        launcher="/p/bin/mpiexec",
        compiler="/p/bin/mpicc",
        environment={"I_MPI_ROOT": "/p"} if kind == "impi" else {},
        reason=None,
        remedy=None,
        shared_memory="unknown",
    )


def step(ranks: int = 2, words: tuple[str, ...] = ()) -> JobStep:
    """On two cores."""
    variables = {"LEADLINE_JOB": "a b"}
    return JobStep("/k/kernel", ("--x",), ranks, variables, words, oversubscribed=ranks > 2)


def command(kind: str, version: str = "5.0.2", asked: JobStep | None = None) -> Command:
    (only,) = launcher_for(backend(kind, version)).commands(asked or step())
    return only
