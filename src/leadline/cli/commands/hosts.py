"""`leadline hosts`: an emulated cluster on this machine, brought up, listed, entered, removed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.hosts.emulated.cluster import Cluster

DEFAULT_LINK = "gigabit"
SEPARATOR = "--"
"""Before a command for a host."""


ACTIONS = {
    "up": "make emulated hosts, joined by a link",
    "list": "say which are up",
    "exec": "run a command on one of them",
    "impair": "impair one of them, or its link",
    "stop": "let one go down, as by its power switch",
    "start": "let one that went down come back",
    "down": "remove them, or what is left of them",
}
"""What each action does."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A parser for each action."""
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    parsers = {
        name: actions.add_parser(name, help=does, description=does, allow_abbrev=False)
        for name, does in ACTIONS.items()
    }
    up = parsers["up"]
    up.add_argument(
        "--count",
        metavar="N",
        default="2",
        help="number of hosts, at most 250 (default: 2)",
    )
    up.add_argument(
        "--link", metavar="LINK", default=DEFAULT_LINK,
        help="link between the hosts: ethernet-10, atm-155, gigabit or RATE, then "
        f"[,delay=TIME][,mtu=BYTES][,shared|switched] (default: {DEFAULT_LINK})",
    )  # fmt: skip
    up.add_argument(
        "--clock", metavar="HOST=+SECONDS", action="append", default=[],
        help="host whose monotonic clock is ahead (h2=+3s) or behind (h2=-3s) by whole seconds "
        "(repeatable)",
    )  # fmt: skip
    for name in ("up", "down"):
        parsers[name].add_argument(
            "--prefix",
            metavar="P",
            help="prefix of the hosts' names P1, P2 ...: letters, or digits between letters "
            "(default: h)",
        )
    for name in ("up", "list"):
        add_forms(parsers[name])
    for name in ("exec", "impair", "stop", "start"):
        parsers[name].add_argument("host", metavar="HOST", help="name of the host")
    parsers["exec"].add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="-- COMMAND",
        help="command to run there, with its arguments",
    )
    parsers["impair"].add_argument(
        "words", nargs="*", metavar="WORD",
        help="any of rate=SHARE, delay=TIME, cut, stopped=SHARE; or none: it is well again",
    )  # fmt: skip


def execute(arguments: argparse.Namespace) -> int:
    """Does what is asked for; 0, or the exit status of the command that was run on a host."""
    match arguments.action:
        case "up":
            _up(arguments)
        case "list":
            from leadline.hosts.emulated.cluster import clusters, leftovers

            _print(clusters(), arguments.form, leftovers())
        case "down":
            from leadline.hosts.emulated.lifecycle import down
            from leadline.report.text.hosts import removed_text

            print(removed_text(down(_prefix(arguments))))
        case "exec":
            from leadline.hosts.emulated.agent import enter

            command = arguments.words[arguments.words[:1] == [SEPARATOR] :]
            if not command:
                raise UsageError(f"what is to run on {arguments.host!r}? give {SEPARATOR} COMMAND")
            return enter(arguments.host, command)
        case "impair":
            from leadline.hosts.emulated.cluster import cluster_with
            from leadline.hosts.emulated.impairing import impair
            from leadline.hosts.emulated.impairment import parse_impairment

            impair(cluster_with(arguments.host), arguments.host, parse_impairment(arguments.words))
        case "stop":
            from leadline.hosts.emulated.cluster import cluster_with
            from leadline.hosts.emulated.impairing import stop

            stop(cluster_with(arguments.host), arguments.host)
        case "start":
            from leadline.hosts.emulated.cluster import cluster_with
            from leadline.hosts.emulated.impairing import start

            start(cluster_with(arguments.host), arguments.host)
    return 0


def _prefix(arguments: argparse.Namespace) -> str:
    from leadline.hosts.emulated.cluster import DEFAULT_PREFIX

    return DEFAULT_PREFIX if arguments.prefix is None else str(arguments.prefix)


def _up(arguments: argparse.Namespace) -> None:
    """Makes hosts and prints what their links carry."""
    from leadline.cli.parsing.options import whole_number
    from leadline.hosts.emulated.checking import checked
    from leadline.hosts.emulated.lifecycle import parse_offsets, up
    from leadline.hosts.emulated.link import parse_link

    count, link = whole_number(arguments.count, "--count", 1), parse_link(arguments.link)
    cluster = up(count, link, _prefix(arguments), parse_offsets(arguments.clock))
    _print([checked(cluster)], arguments.form)


def _print(clusters: list[Cluster], form: str, leftovers: Sequence[str] = ()) -> None:
    from leadline.report.programs.hosts import hosts_content, hosts_records
    from leadline.report.text.hosts import hosts_document

    report = Report(
        document=lambda: hosts_document(clusters, leftovers),
        content=lambda: hosts_content(clusters, leftovers),
        records=lambda: hosts_records(clusters),
    )
    print_report(report, form)
