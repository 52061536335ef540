"""PVM's daemons on several hosts: that of the first starts the others by the hosts' agent.

Each has a folder of its own, also where hosts share their files. What starts a daemon stands in the
first one's hostfile (dx=), whose words have no spaces.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline.backends.launchers.step import Command, JobStep

FIRST = (
    'mkdir -m 700 -p "$PVM_TMP" && cat > "$PVM_TMP/hosts" && export LEADLINE_PVMD=$$ && '
    'exec "$0" "-n$1" "$PVM_TMP/hosts"'
)
"""Of sh, in the words $0 of the daemon and $1 of its host; reads the hostfile."""
OTHER = (
    'PVM_TMP="$LEADLINE_PVM_FOLDER.$(hostname)"; export PVM_TMP; mkdir -m 700 -p "$PVM_TMP"; '
    '(while sleep 2 && test -e "$PVM_TMP"/pvmd.*; do kill -0 $LEADLINE_PVMD || kill -KILL 0; done) '
    "<&- >&- 2>&- & exec"
)
"""Of sh on another emulated host, before the words of its daemon. That goes into the background,
where it is no child of the one that it is to die with, and would wait three minutes for it: what
stays here looks after both. All are of one process group."""
BY_VARIABLE = 'eval${IFS}"$LEADLINE_PVM_OTHER"${IFS}'
"""Of the shell that the agent starts; a line of a hostfile has no room for more."""


def folder_on(step: JobStep, host: str) -> str:
    """Where the files of the daemon on `host` lie; cleared up with the step's own folder."""
    return f"{step.folder}.{host}"


def variables_on(step: JobStep, host: str) -> dict[str, str]:
    """What tells the ranks on `host` of the daemon there, and where the others are."""
    places = (step.hosts.place(rank, step.ranks) for rank in range(step.ranks))
    return {
        "PVM_TMP": folder_on(step, host),
        "LEADLINE_PVM_HOSTS": ",".join(step.hosts.names[place] for place in places),
    }


def on_hosts(step: JobStep, daemon: str, environment: Mapping[str, str]) -> Command:
    """The `daemon` of the first of `step`'s hosts, as it is started there.

    Args:
        step: Over several hosts, or one that isn't this.
        daemon: The path of pvmd.
        environment: What a daemon needs, on other hosts too.
    """
    first = step.hosts.names[0]
    variables = {
        **variables_on(step, first),
        "PVM_RSH": step.hosts.agent,
        "LEADLINE_PVM_FOLDER": step.folder,
        "LEADLINE_PVM_OTHER": OTHER,
    }
    lines = [f"{host} dx={_starting(step, host, daemon, environment)}" for host in step.hosts.names]
    return Command(
        ("sh", "-c", FIRST, daemon, first),
        dict(step.environment) | variables,
        "pvmd",
        "".join(f"{line}\n" for line in lines),
    )


def _starting(step: JobStep, host: str, daemon: str, environment: Mapping[str, str]) -> str:
    """What starts the daemon on `host`, one word of a hostfile; all spaces are the shell's."""
    if step.hosts.emulated:  # which take over the variables of the first daemon
        return f"{BY_VARIABLE}{daemon}"
    folder = folder_on(step, host)
    variables = {**environment, "PVM_TMP": folder}
    words = ["env", *(f"{name}={value}" for name, value in variables.items()), daemon]
    return "${IFS}".join(["mkdir", "-m", "700", "-p", f"{folder};{words[0]}", *words[1:]])
