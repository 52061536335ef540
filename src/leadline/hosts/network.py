"""The network between the hosts of a job, as they and their scheduler tell it.

Which hosts don't reach each other, they say themselves; of the switches between its nodes a batch
system knows.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from itertools import permutations

from leadline.hosts.schedulers import BatchJob, Door
from leadline.processes import run, run_together

MOST_HOSTS = 32
"""Of more, each would try too many."""
PATIENCE_S = 10.0
"""For the answers of all hosts; each waits 2 s for the others, all at once."""
_QUESTION = (
    "for one; do { "
    'said=$(LC_ALL=C timeout 2 bash -c \': <>"/dev/tcp/$0/22"\' "$one" 2>&1); '
    'case "$?$said" in '
    '0*|*refused*) echo leadline-reach "$one" yes ;; '
    '124*|*"No route"*|*nreachable*) echo leadline-reach "$one" no ;; '
    "esac; } & done; wait"
)
"""Whoever answers is there, be it by refusing; where there is no bash, nothing is said."""
_ANSWER = re.compile(r"^leadline-reach (?P<host>\S+) (?P<how>yes|no)$", re.MULTILINE)


def apart(doors: Mapping[str, Door]) -> set[frozenset[str]]:
    """The pairs of hosts neither of which reaches the other, by what they call themselves.

    None where no host reaches any: then it may be that a firewall lets nobody try.

    Args:
        doors: By which hosts are asked, by what they call themselves.
    """
    said = _said(doors) if len(doors) <= MOST_HOSTS else {}
    if True not in said.values():
        return set()
    return {
        frozenset(pair)
        for pair in permutations(doors, 2)
        if said.get(pair) is False and not said.get((pair[1], pair[0]))
    }


def _said(doors: Mapping[str, Door]) -> dict[tuple[str, str], bool]:
    """Whether one host reaches another, of those that it says it of."""
    own = {door.host: name for name, door in doors.items()}
    commands = [
        door.into(("sh", "-c", _QUESTION, "sh", *(host for host in own if host != door.host)))
        for door in doors.values()
    ]
    answers = run_together(commands, PATIENCE_S)
    return {
        (name, own[one["host"]]): one["how"] == "yes"
        for name, answer in zip(doors, answers, strict=True)
        for one in _ANSWER.finditer(answer.output)
        if one["host"] in own
    }


CONTROLLER_PATIENCE_S = 10.0
"""For its controller, which may be down."""


def switches_of(job: BatchJob) -> str:
    """What the job's scheduler says of its switches; empty where it knows of none or is silent."""
    command = job.scheduler.switches
    if shutil.which(command[0]) is None:
        return ""
    ending = run(command, CONTROLLER_PATIENCE_S)
    return ending.output if ending.status == 0 and "SwitchName=" in ending.output else ""
