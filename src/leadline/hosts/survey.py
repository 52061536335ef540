"""What the hosts of a job say of themselves before anything is planned: name, machine, cores."""

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
from leadline.hosts.schedulers import OWN, BatchJob, doors_of
from leadline.processes import Ending, run_together

BOOT_ID = "proc/sys/kernel/random/boot_id"
QUESTION = (
    "cat", "/proc/sys/kernel/hostname", f"/{BOOT_ID}", "/sys/devices/system/cpu/online",
    "/proc/self/status",
)  # fmt: skip
"""What a process may use names cores that aren't there, too: hence those online."""
PATIENCE_S = 20.0
"""For the answers of all hosts, which are asked at the same time."""
MOST_HOSTS = 4096
"""Each takes an agent's process on this host, and some open files, for as long as it answers."""
_ANSWER = re.compile(
    r"^(?P<name>\S+)\n(?:(?P<machine>[0-9a-f]{8}-[0-9a-f-]{27})\n)?(?:(?P<online>[0-9,-]+)\n)?"
    r"Name:.*\n(?:.*\n)*?Cpus_allowed_list:\s*(?P<allowed>[0-9,-]+)$",
    re.MULTILINE,
)
_COMPLAINT = re.compile(r"^cat: .*\n", re.MULTILINE)


def survey(
    hosts: Hosts, named: Sequence[int] = (), job: BatchJob | None = None
) -> tuple[Site, ...]:
    """The site of each of `hosts`; of this host alone, where none are named.

    Args:
        hosts: Each is asked once, by its agent.
        named: Cores that ranks are to take, in that order; empty: all that they may.
        job: Whose nodes they are: then its scheduler's launcher asks them.

    Raises:
        MachineError: A host doesn't answer, what it answers makes no sense, or it is another one.
        UsageError: A named core may not be used on any host, a host may use none of them, it is no
            node of the job, or there are more than MOST_HOSTS.
    """
    sites = _answers(hosts, job) if hosts.names else (this_site(),)
    return _restricted(sites, named) if named else sites


def unanswering(hosts: Hosts, job: BatchJob | None = None) -> dict[str, str]:
    """Those of `hosts` that don't say what they are when asked as by `survey`; what they do say."""
    answers = zip(hosts.names, _asked(hosts, job), strict=True)
    return {
        name: _how(ending)
        for name, (_, ending) in answers
        if ending.status is None or not _ANSWER.search(_COMPLAINT.sub("", ending.output))
    }


def this_site(root: Path = Path("/")) -> Site:
    """This host, without asking anybody; its name stands in for a machine that can't be read."""
    name = socket.gethostname()
    machine = ""
    with contextlib.suppress(OSError):
        machine = (root / BOOT_ID).read_text().strip()
    return Site(name, machine or name, tuple(sorted(os.sched_getaffinity(0))))


def _answers(hosts: Hosts, job: BatchJob | None) -> tuple[Site, ...]:
    asked = _asked(hosts, job)
    sites = tuple(
        _site(host, door, ending, _remedy(hosts, door, job))
        for host, (door, ending) in zip(hosts.names, asked, strict=True)
    )
    for number, site in enumerate(sites):
        _check_distinct(site, sites[:number], hosts, asked[number][0][0])
    return sites


def _asked(hosts: Hosts, job: BatchJob | None) -> list[tuple[tuple[str, ...], Ending]]:
    """The words that enter each host, and how it answered; UsageError for too many."""
    if len(hosts.names) > MOST_HOSTS:
        raise UsageError(
            f"--hosts names {len(hosts.names):,} hosts, which would all be asked at the same time; "
            f"name at most {MOST_HOSTS:,}"
        )
    doors = [door.words for door in doors_of(hosts, job)]
    endings = run_together([(*door, *QUESTION) for door in doors], PATIENCE_S)
    return list(zip(doors, endings, strict=True))


def _remedy(hosts: Hosts, door: Sequence[str], job: BatchJob | None) -> str:
    """What helps where one of `hosts`, entered by the words in `door`, doesn't say what it is."""
    if hosts.emulated:
        return "bring it up again: leadline hosts list, hosts start, hosts up"
    other = f"give --launcher {OWN}" if job else "name another program by --agent"
    return f"make {' '.join((*door, 'hostname'))!r} work without a password, or {other}"


def _check_distinct(site: Site, before: Sequence[Site], hosts: Hosts, agent: str) -> None:
    """An agent that enters the wrong host shows where one answers twice, or in another's name."""
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


def _site(host: str, door: Sequence[str], ending: Ending, remedy: str) -> Site:
    """What `host`, entered by the words in `door`, says in `ending`; a greeting does no harm."""
    said = _ANSWER.search(_COMPLAINT.sub("", ending.output))
    cores = _usable(said["allowed"], said["online"]) if said else ()
    if said is None or ending.status is None or not cores:
        raise MachineError(
            f"--hosts: {host!r} doesn't say what it is: {' '.join((*door, *QUESTION))!r} ended "
            f"with {_how(ending)}; {remedy}"
        )
    return Site(said["name"], said["machine"] or said["name"], cores, host)


def _usable(allowed: str, online: str | None) -> tuple[int, ...]:
    """The cores in `allowed` that are online, where that is known; () where they make no sense."""
    try:
        cores = parse_cores(allowed)
        there = set(parse_cores(online)) if online else set(cores)
    except ValueError:
        return ()
    return tuple(core for core in cores if core in there)


def _how(ending: Ending) -> str:
    status = "no status" if ending.status is None else f"status {ending.status}"
    return f"{status} and said {ending.first_complaint()[:200]!r}"


def _restricted(sites: Sequence[Site], named: Sequence[int]) -> tuple[Site, ...]:
    """`sites` with those of the `named` cores alone that each may use."""
    anywhere = {core for site in sites for core in site.cores}
    nowhere = [core for core in named if core not in anywhere]
    if nowhere:
        choice = ",".join(map(str, sorted(anywhere)))
        raise UsageError(f"--bind: core {nowhere[0]} may not be used here; choose from {choice}")
    found = [replace(s, cores=tuple(c for c in named if c in s.cores)) for s in sites]
    for site, whole in zip(found, sites, strict=True):
        if not site.cores:
            choice = ",".join(map(str, whole.cores))
            raise UsageError(f"--bind names no core of host {site.name!r}; add one of {choice}")
    return tuple(found)
