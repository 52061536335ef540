"""`leadline hosts`: an emulated cluster on this machine, brought up, listed, entered, removed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import Report, add_forms, print_report
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
        sub = subparsers.add_parser(
            name, help=action.summary, description=action.summary, allow_abbrev=False
        )
        action.add_arguments(sub)


def execute(arguments: argparse.Namespace) -> int:
    """Does what is asked for; the exit status, that of a command entered is its own."""
    return ACTIONS[arguments.action].execute(arguments)


def _add_prefix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--prefix", metavar="P", help="hosts are called P1, P2 ...; default: h")


def _prefix(arguments: argparse.Namespace) -> str:
    from leadline.hosts.emulated.cluster import DEFAULT_PREFIX

    return DEFAULT_PREFIX if arguments.prefix is None else str(arguments.prefix)


def _add_host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("host", metavar="HOST", help="which one")


# -- up, list, down --------------------------------------------------------------------------------


def _add_up(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", metavar="N", default="2", help="of hosts; default: 2")
    parser.add_argument(
        "--link", metavar="LINK", default=DEFAULT_LINK,
        help="ethernet-10, atm-155, gigabit or RATE, then [,delay=TIME][,mtu=BYTES]"
        f"[,shared|switched]; default: {DEFAULT_LINK}",
    )  # fmt: skip
    parser.add_argument(
        "--clock", metavar="HOST=+SECONDS", action="append", default=[],
        help="a host whose monotonic clock is ahead, or behind, by whole seconds (repeatable)",
    )  # fmt: skip
    _add_prefix(parser)
    add_forms(parser)


def _up(arguments: argparse.Namespace) -> int:
    from leadline.cli.parsing.options import whole_number
    from leadline.hosts.emulated.checking import checked
    from leadline.hosts.emulated.lifecycle import parse_offsets, up
    from leadline.hosts.emulated.link import parse_link

    count, link = whole_number(arguments.count, "--count", 1), parse_link(arguments.link)
    cluster = up(count, link, _prefix(arguments), parse_offsets(arguments.clock))
    _print([checked(cluster)], arguments.form)
    return 0


def _list(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.cluster import clusters, leftovers

    _print(clusters(), arguments.form, leftovers())
    return 0


def _down(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.lifecycle import down
    from leadline.report.text.hosts import removed_text

    print(removed_text(down(_prefix(arguments))))
    return 0


def _print(clusters: list[Cluster], form: str, leftovers: Sequence[str] = ()) -> None:
    from leadline.report.programs.hosts import hosts_content, hosts_records
    from leadline.report.text.hosts import hosts_document

    report = Report(
        document=lambda: hosts_document(clusters, leftovers),
        content=lambda: hosts_content(clusters, leftovers),
        records=lambda: hosts_records(clusters),
    )
    print_report(report, form)


# -- one host --------------------------------------------------------------------------------------


def _add_exec(parser: argparse.ArgumentParser) -> None:
    _add_host(parser)
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="what, with its words"
    )


def _exec(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.agent import enter

    command = arguments.words[arguments.words[:1] == [SEPARATOR] :]
    if not command:
        raise UsageError(f"what is to run on {arguments.host!r}? give {SEPARATOR} COMMAND")
    return enter(arguments.host, command)


def _add_impair(parser: argparse.ArgumentParser) -> None:
    _add_host(parser)
    parser.add_argument(
        "words", nargs="*", metavar="WORD",
        help="any of rate=SHARE, delay=TIME, cut, stopped=SHARE; or none: it is well again",
    )  # fmt: skip


def _impair(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.cluster import cluster_with
    from leadline.hosts.emulated.impairing import impair
    from leadline.hosts.emulated.impairment import parse_impairment

    impair(cluster_with(arguments.host), arguments.host, parse_impairment(arguments.words))
    return 0


def _stop(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.cluster import cluster_with
    from leadline.hosts.emulated.impairing import stop

    stop(cluster_with(arguments.host), arguments.host)
    return 0


def _start(arguments: argparse.Namespace) -> int:
    from leadline.hosts.emulated.cluster import cluster_with
    from leadline.hosts.emulated.impairing import start

    start(cluster_with(arguments.host), arguments.host)
    return 0


ACTIONS: Mapping[str, HostsAction] = {
    "up": HostsAction("make emulated hosts, joined by a link", _add_up, _up),
    "list": HostsAction("say which are up", add_forms, _list),
    "exec": HostsAction("run a command on one of them", _add_exec, _exec),
    "impair": HostsAction("impair one of them, or its link", _add_impair, _impair),
    "stop": HostsAction("let one go down, as by its power switch", _add_host, _stop),
    "start": HostsAction("let one that went down come back", _add_host, _start),
    "down": HostsAction("remove them, or what is left of them", _add_prefix, _down),
}
