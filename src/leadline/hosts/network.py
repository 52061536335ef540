"""Network between the hosts of a job, as reported by the hosts and their scheduler.

Hosts report which others they don't reach; a batch system knows the switches between its nodes.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from itertools import permutations

from leadline.hosts.schedulers import BatchJob, RemoteShell
from leadline.processes import run, run_together

MOST_HOSTS = 32
"""Most hosts: with more, each would try too many others."""
PATIENCE_S = 10.0
"""Wait for the answers of all hosts; each waits 2 s for the others, all at once."""
_QUESTION = (
    "for one; do { "
    'said=$(LC_ALL=C timeout 2 bash -c \': <>"/dev/tcp/$0/22"\' "$one" 2>&1); '
    'case "$?$said" in '
    '0*|*refused*) echo leadline-reach "$one" yes ;; '
    '124*|*"No route"*|*nreachable*) echo leadline-reach "$one" no ;; '
    "esac; } & done; wait"
)
"""A host that answers is there, even by refusing; without bash nothing is reported."""
_ANSWER = re.compile(r"^leadline-reach (?P<host>\S+) (?P<how>yes|no)$", re.MULTILINE)


def apart(shells: Mapping[str, RemoteShell]) -> set[frozenset[str]]:
    """Pairs of hosts neither of which reaches the other, by the names they give themselves.

    Empty where no host reaches any: then a firewall may block all attempts.

    Args:
        shells: Remote execution on the hosts, by the names they give themselves.
    """
    if len(shells) > MOST_HOSTS:
        return set()
    own = {shell.host: name for name, shell in shells.items()}
    commands = [
        shell.into(("sh", "-c", _QUESTION, "sh", *(host for host in own if host != shell.host)))
        for shell in shells.values()
    ]
    answers = run_together(commands, PATIENCE_S)
    reached = {
        (name, own[line["host"]]): line["how"] == "yes"
        for name, answer in zip(shells, answers, strict=True)
        for line in _ANSWER.finditer(answer.output)
        if line["host"] in own
    }
    if True not in reached.values():
        return set()
    return {
        frozenset(pair)
        for pair in permutations(shells, 2)
        if reached.get(pair) is False and not reached.get((pair[1], pair[0]))
    }


CONTROLLER_PATIENCE_S = 10.0
"""Wait for the scheduler's controller, which may be down."""


def switches_of(job: BatchJob) -> str:
    """Report of the job's scheduler on its switches; empty where it has none or doesn't answer."""
    command = job.scheduler.switches
    if shutil.which(command[0]) is None:
        return ""
    ending = run(command, CONTROLLER_PATIENCE_S)
    return ending.output if ending.status == 0 and "SwitchName=" in ending.output else ""
