"""Commands for other hosts, as their agent takes them."""

from __future__ import annotations

import shlex

from leadline.backends.launchers.step import Command, JobStep

READ_VARIABLES = (
    'while [ "$1" != -- ]; do IFS= read -r "$1" && export "$1" && shift || '
    '{ echo "leadline: no $1 on standard input; have the agent pass it on (no ssh -n)" >&2; '
    "exit 1; }; done; shift; "
)
READING = ("sh", "-c", f'{READ_VARIABLES}exec "$@"', "sh")
"""Takes the values of variables, named up to "--", from lines that it reads, and becomes the rest:
no list of processes shows them."""
READING_AFAR = ("sh", "-c", f'{READ_VARIABLES}"$@"; exit', "sh")
"""The same, but waits for the rest: ssh hands on a status, and of no signal which it was."""


def sent(step: JobStep, host: str, command: Command) -> Command:
    """`command` as the words of `step`'s agent, quoted for the shell that ssh starts on `host`.

    On emulated hosts that becomes the command, so that who is started is a child of who starts it.
    """
    reading = READING if step.hosts.emulated else READING_AFAR
    hidden = [name for name in command.environment if name in step.confidential]
    shown = [f"{n}={value}" for n, value in command.environment.items() if n not in hidden]
    words = "exec " + shlex.join([*reading, *hidden, "--", "env", *shown, *command.argv])
    lines = "".join(f"{command.environment[name]}\n" for name in hidden)
    role = f"{command.role} on {host}" if command.role else ""
    return Command(
        (step.hosts.agent, host, words), {}, role, lines + command.read, lingers=command.lingers
    )


def beside_ranks(step: JobStep, command: Command) -> Command:
    """`command`, which starts ranks: on the first of emulated hosts, which don't reach this one."""
    return sent(step, step.hosts.names[0], command) if step.hosts.emulated else command
