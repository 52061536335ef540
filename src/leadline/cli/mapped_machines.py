"""The machine that a launcher's command line starts ranks on, as the preload library reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from leadline.hosts.schedulers import BatchJob
    from leadline.topology.allocation import Allocation


def described_machine(asked: str | None, words: Sequence[str]) -> str:
    """The lines that describe it; empty where nothing but a run can tell.

    Args:
        asked: What --machine says; None: the scheduler, where it knows of switches.
        words: The launcher's command line.

    Raises:
        LineError: A file, or what the scheduler says, isn't understood.
        UsageError: A file can't be read, or no host is known for the nodes of `asked`.
    """
    from leadline.backends.preparation import batch_job
    from leadline.mapping.preload.description import describe

    job = batch_job(None)
    if asked is None:
        return _by_scheduler(job)
    kind, _, file = asked.partition(":")
    whole = _of_the_job(_read(asked, words, job), job)
    return describe(whole, _processors(file) if kind == "hwloc" else None)


def _by_scheduler(job: BatchJob | None) -> str:
    from leadline.hosts.network import switches_of
    from leadline.mapping.preload.description import describe
    from leadline.topology.readers.slurm import parse_slurm_switches

    said = switches_of(job) if job is not None else ""
    return describe(_of_the_job(parse_slurm_switches(said, 1), job)) if said else ""


def _of_the_job(whole: Allocation, job: BatchJob | None) -> Allocation:
    """What the job has of it; all where it has none of these hosts, which then bear other names."""
    from leadline.mapping.preload.description import among

    own = among(whole, job.nodes) if job is not None else whole
    return own if len(own) else whole


def _read(asked: str, words: Sequence[str], job: BatchJob | None) -> Allocation:
    from leadline.cli.machines import INSIDE, read_machine
    from leadline.mapping.preload.description import on_hosts
    from leadline.topology.words import SYNTHETIC_KINDS, split_description

    if INSIDE in asked:
        raise UsageError(f"--machine {asked}: ranks keep to their hosts' cores; leave {INSIDE} out")
    whole = read_machine(asked, None)
    if split_description(asked)[0] not in SYNTHETIC_KINDS:
        return whole
    names = _hosts(words, job)
    if not names:
        raise UsageError(
            f"--machine {asked} doesn't say which host is which of its nodes; name hosts to the "
            "launcher (-hosts a,b), or give coordinates:FILE"
        )
    return on_hosts(whole, names)


def _hosts(words: Sequence[str], job: BatchJob | None) -> Sequence[str]:
    """In the order in which ranks come to them: as the launcher is told, else as the job has."""
    from leadline.backends.launchers.naming import hostfile_named, hosts_named
    from leadline.files import read_text
    from leadline.topology.readers.hostfile import parse_hostfile

    named = hosts_named(words)
    file = hostfile_named(words)
    if named or file is None:
        return named or (job.nodes if job is not None else ())
    return parse_hostfile(read_text(file), file, 1).hosts


def _processors(file: str) -> Sequence[Sequence[int]]:
    from leadline.files import read_text
    from leadline.topology.readers.hwloc import parse_processors

    return parse_processors(read_text(file), file)


def machine_value(lines: str) -> str:
    """The value of the library's variable: the lines, or where they are too long a file of them."""
    from leadline.mapping.preload.description import FILE, MOST_INLINE, SEPARATOR

    if len(lines) <= MOST_INLINE:
        return SEPARATOR.join(lines.splitlines())
    return f"{FILE}{_kept(lines)}"


def _kept(lines: str) -> Path:
    """A file in the user's cache, which hosts with the same home have, too."""
    import hashlib
    import os

    from leadline.errors import MachineError
    from leadline.files import cache_directory

    name = hashlib.sha256(lines.encode()).hexdigest()[:20]
    path = cache_directory() / "machines" / f"{name}.txt"
    temporary = path.with_suffix(f".{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(lines)
        temporary.replace(path)
    except OSError as error:
        raise MachineError(
            f"the cache {path.parent} can't be written: {error.strerror}; set XDG_CACHE_HOME"
        ) from error
    return path
