"""Survey of the hosts of a job before anything is planned: name, machine, cores."""

from __future__ import annotations

import contextlib
import os
import re
import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from leadline.errors import MachineError, UsageError
from leadline.hosts.cores import Site, parse_cores
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import OWN, BatchJob, remote_shells_of
from leadline.processes import CommandResult, run_together

BOOT_ID = "proc/sys/kernel/random/boot_id"
QUESTION = (
    "cat", "/proc/sys/kernel/hostname", f"/{BOOT_ID}", "/sys/devices/system/cpu/online",
    "/proc/self/status",
)  # fmt: skip
"""Command run on each host. The cores allowed may include absent ones: hence those online."""
PATIENCE_S = 20.0
"""Wait for the answers of all hosts, which are asked at the same time."""
MOST_HOSTS = 4096
"""Most hosts: each takes an agent's process on this host, and some open files, until it answers."""
_ANSWER = re.compile(
    r"^(?P<name>\S+)\n(?:(?P<machine>[0-9a-f]{8}-[0-9a-f-]{27})\n)?(?:(?P<online>[0-9,-]+)\n)?"
    r"Name:.*\n(?:.*\n)*?Cpus_allowed_list:\s*(?P<allowed>[0-9,-]+)$",
    re.MULTILINE,
)
_COMPLAINT = re.compile(r"^cat: .*\n", re.MULTILINE)


def survey(
    hosts: Hosts, named: Sequence[int] = (), job: BatchJob | None = None
) -> tuple[Site, ...]:
    """Sites of `hosts`; of this host alone, where none are given.

    Args:
        hosts: Each is asked once, by its agent.
        named: Cores that ranks are to take, in that order; empty: all that they may.
        job: Job whose nodes they are: then its scheduler's launcher asks them.

    Raises:
        MachineError: A host doesn't answer, its answer is invalid, or it is another host.
        UsageError: A core in `named` may not be used on any host, a host may use none of them, it
            is no node of the job, or there are more than MOST_HOSTS.
    """
    if not hosts.names:
        sites: tuple[Site, ...] = (this_site(),)
    else:
        asked = _asked(hosts, job)
        sites = tuple(
            _site(name, prefix, ending, hosts, job)
            for name, (prefix, ending) in zip(hosts.names, asked, strict=True)
        )
        for number, (site, (prefix, _)) in enumerate(zip(sites, asked, strict=True)):
            _check_distinct(site, sites[:number], hosts, prefix[0])
    return _restricted(sites, named) if named else sites


def unanswering(hosts: Hosts, job: BatchJob | None = None) -> dict[str, str]:
    """Those of `hosts` that give no valid answer when asked as by `survey`, with what they said."""
    answers = zip(hosts.names, _asked(hosts, job), strict=True)
    return {
        name: _how(ending)
        for name, (_, ending) in answers
        if ending.status is None or not _ANSWER.search(_COMPLAINT.sub("", ending.output))
    }


def this_site(root: Path = Path("/")) -> Site:
    """Site of this host, read locally; its name stands in for a machine that can't be read."""
    name = socket.gethostname()
    machine = ""
    with contextlib.suppress(OSError):
        machine = (root / BOOT_ID).read_text().strip()
    return Site(name, machine or name, tuple(sorted(os.sched_getaffinity(0))))


def _asked(hosts: Hosts, job: BatchJob | None) -> list[tuple[tuple[str, ...], CommandResult]]:
    """Command prefix that enters each host, and its answer; UsageError for too many hosts."""
    if len(hosts.names) > MOST_HOSTS:
        raise UsageError(
            f"--hosts names {len(hosts.names):,} hosts, which would all be asked at the same time; "
            f"name at most {MOST_HOSTS:,}"
        )
    prefixes = [shell.words for shell in remote_shells_of(hosts, job)]
    endings = run_together([(*prefix, *QUESTION) for prefix in prefixes], PATIENCE_S)
    return list(zip(prefixes, endings, strict=True))


def _site(
    host: str, prefix: Sequence[str], ending: CommandResult, hosts: Hosts, job: BatchJob | None
) -> Site:
    """Site that `host`, one of `hosts` entered by `prefix`, reports in `ending`.

    A greeting before the answer does no harm.
    """
    answer = _ANSWER.search(_COMPLAINT.sub("", ending.output))
    cores: tuple[int, ...] = ()
    if answer is not None:  # of the cores allowed those that are online, where that is known
        with contextlib.suppress(ValueError):
            allowed = parse_cores(answer["allowed"])
            online = set(parse_cores(answer["online"])) if answer["online"] else set(allowed)
            cores = tuple(core for core in allowed if core in online)
    if answer is not None and ending.status is not None and cores:
        return Site(answer["name"], answer["machine"] or answer["name"], cores, host)
    if hosts.emulated:
        remedy = "bring it up again: leadline hosts list, hosts start, hosts up"
    else:
        other = f"give --launcher {OWN}" if job else "name another program by --agent"
        remedy = f"make {' '.join((*prefix, 'hostname'))!r} work without a password, or {other}"
    raise MachineError(
        f"--hosts: {host!r} doesn't say what it is: {' '.join((*prefix, *QUESTION))!r} ended "
        f"with {_how(ending)}; {remedy}"
    )


def _check_distinct(site: Site, before: Sequence[Site], hosts: Hosts, agent: str) -> None:
    """Raises MachineError where one host answers twice, or in another's name.

    That shows an agent that enters the wrong host.
    """
    twin = next((other for other in before if other.is_that_of(site.name, site.machine)), None)
    if twin is not None:
        problem = f"{twin.asked!r} and {site.asked!r} are one host, which calls itself"
    elif site.name != site.asked and site.name in hosts.names:
        problem = f"{site.asked!r} answers as another of the hosts named,"
    else:
        return
    raise MachineError(
        f"--hosts: {problem} {site.name!r}; name each host once, and see that {agent} "
        "enters the host that it is given"
    )


def _how(ending: CommandResult) -> str:
    """Text of how a host's answer ended."""
    status = "no status" if ending.status is None else f"status {ending.status}"
    return f"{status} and said {ending.first_complaint()[:200]!r}"


def _restricted(sites: Sequence[Site], named: Sequence[int]) -> tuple[Site, ...]:
    """`sites` with the `named` cores only, as far as each may use them."""
    anywhere = {core for site in sites for core in site.cores}
    nowhere = [core for core in named if core not in anywhere]
    if nowhere:
        choice = ",".join(map(str, sorted(anywhere)))
        raise UsageError(f"--bind: core {nowhere[0]} may not be used here; choose from {choice}")
    restricted = [replace(s, cores=tuple(c for c in named if c in s.cores)) for s in sites]
    for site, whole in zip(restricted, sites, strict=True):
        if not site.cores:
            choice = ",".join(map(str, whole.cores))
            raise UsageError(f"--bind names no core of host {site.name!r}; add one of {choice}")
    return tuple(restricted)
