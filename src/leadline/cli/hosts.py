"""`leadline hosts`: an emulated cluster on this machine, brought up, listed, entered, removed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.cli.forms import Report, add_forms, print_report
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.hosts.emulated.cluster import Cluster

DEFAULT_LINK = "gigabit"
SEPARATOR = "--"
"""Before a command for a host."""


@dataclass(frozen=True, slots=True)
class HostsAction:
    """One thing to do with hosts."""

    summary: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A parser for each action."""
    subparsers = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    for name, action in ACTIONS.items():
        sub = subparsers.add_parser(name, help=action.summary, description=action.summary)
        action.add_arguments(sub)


def execute(arguments: argparse.Namespace) -> int:
    """Does what is asked for; the exit status, that of a command entered is its own."""
    return ACTIONS[arguments.action].execute(arguments)


def _add_prefix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--prefix", metavar="P", help="hosts are called P1, P2 ...; default: h")


def _prefix(arguments: argparse.Namespace) -> str:
    from leadline.hosts.emulated.cluster import DEFAULT_PREFIX

    return DEFAULT_PREFIX if arguments.prefix is None else str(arguments.prefix)


# -- up --------------------------------------------------------------------------------------------


def _add_up(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", metavar="N", default="2", help="of hosts; default: 2")
    parser.add_argument(
        "--link", metavar="LINK", default=DEFAULT_LINK,
        help="ethernet-10, atm-155, gigabit or RATE, then [,delay=TIME][,mtu=BYTES]"
        f"[,shared|switched]; default: {DEFAULT_LINK}",
    )  # fmt: skip
    _add_prefix(parser)
    add_forms(parser)


def _up(arguments: argparse.Namespace) -> int:
    from leadline.cli.options import whole_number
    from leadline.hosts.emulated.link import parse_link
    from leadline.hosts.emulated.up import up

    count, link = whole_number(arguments.count, "--count", 1), parse_link(arguments.link)
    cluster = up(count, link, _prefix(arguments))
    print_report(_report([cluster]), arguments.form)
    return 0


# -- list ------------------------------------------------------------------------------------------


def _list(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.cluster import clusters

    print_report(_report(clusters()), arguments.form)
    return 0


# -- exec ------------------------------------------------------------------------------------------


def _add_exec(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("host", metavar="HOST", help="where")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="what, with its words"
    )


def _exec(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.entering import enter

    command = arguments.words[arguments.words[:1] == [SEPARATOR] :]
    if not command:
        raise UsageError(f"what is to run on {arguments.host!r}? give {SEPARATOR} COMMAND")
    return enter(arguments.host, command)


# -- down ------------------------------------------------------------------------------------------


def _down(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.down import down
    from leadline.report.text.hosts import removed_text

    print(removed_text(down(_prefix(arguments))))
    return 0


def _report(clusters: list[Cluster]) -> Report:
    from leadline.report.programs.hosts import hosts_content, hosts_records
    from leadline.report.text.hosts import hosts_document

    return Report(
        document=lambda: hosts_document(clusters),
        content=lambda: hosts_content(clusters),
        records=lambda: hosts_records(clusters),
    )


ACTIONS: Mapping[str, HostsAction] = {
    "up": HostsAction("make emulated hosts, joined by a link", _add_up, _up),
    "list": HostsAction("say which are up", add_forms, _list),
    "exec": HostsAction("run a command on one of them", _add_exec, _exec),
    "down": HostsAction("remove them, or what is left of them", _add_prefix, _down),
}
