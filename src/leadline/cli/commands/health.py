"""`leadline health`: which link or host of many is slow or dead, by rounds of disjoint pairs."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from leadline.cli.parsing.forms import Report, add_forms, print_report, say
from leadline.errors import UsageError
from leadline.units import parse_duration, parse_share

FEWEST_HOSTS = 3
"""Fewest hosts: of two it can't be known which one is the slow one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline health`."""
    parser.add_argument(
        "--hosts",
        metavar="H,...",
        help="hosts to check, three or more, e.g. node[01-16]",
    )
    parser.add_argument(
        "--agent", metavar="PROGRAM",
        help="program that starts processes on hosts (default: ssh; on emulated hosts their own)",
    )  # fmt: skip
    parser.add_argument(
        "--backend",
        default="tcp",
        metavar="B",
        help="backend whose messages are timed (default: tcp)",
    )
    parser.add_argument(
        "--budget",
        default="60s",
        metavar="TIME",
        help="time after which no round begins (default: 60s)",
    )
    parser.add_argument(
        "--least-rate", default="0.9", metavar="SHARE",
        help="share of the median rate below which a link is slow (default: 0.9)",
    )  # fmt: skip
    parser.add_argument(
        "--most-latency", default="1.5", metavar="FACTOR",
        help="multiple of the median latency above which a link is slow (default: 1.5)",
    )  # fmt: skip
    parser.add_argument(
        "--seed",
        default="0",
        metavar="N",
        help="seed of the pairing of hosts (default: 0)",
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="DIR",
        help="directory for the runs, one for each round (default: leadline-health-DATE-TIME)",
    )
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print nothing about single rounds, nor where the runs are if --out is given",
    )
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Examines the hosts and prints what came out; returns the exit status."""
    from leadline.cli.health_rounds import Rounds
    from leadline.cli.outcome import COMPLETE, INTERRUPTED, SOME_FAILED
    from leadline.cli.parsing.options import hosts_of, whole_number
    from leadline.health.observations import Tolerances
    from leadline.report.programs.health import health_content, health_records
    from leadline.report.text.health import health_document

    hosts, budget_s = hosts_of(arguments.hosts, arguments.agent), parse_duration(arguments.budget)
    try:
        most_latency = float(arguments.most_latency)
    except ValueError:
        most_latency = 0.0
    if not 1 < most_latency < float("inf"):
        raise UsageError(
            f"--most-latency {arguments.most_latency!r} is no factor above 1; write e.g. 1.5"
        )
    rounds = Rounds(
        hosts=hosts,
        backend=arguments.backend,
        budget_s=budget_s,
        tolerances=Tolerances(latency=most_latency, rate=1 / parse_share(arguments.least_rate)),
        seed=whole_number(arguments.seed, "--seed", 0),
        directory=Path(arguments.out or time.strftime("leadline-health-%Y%m%d-%H%M%S")),
        quiet=arguments.quiet,
    )
    if len(hosts.names) < FEWEST_HOSTS:
        raise UsageError(
            f"--hosts names {len(hosts.names)}; name {FEWEST_HOSTS} or more: which of two "
            "is the slow one nobody can say"
        )
    health = rounds.examine()
    report = Report(
        document=lambda: health_document(health),
        content=lambda: health_content(health),
        records=lambda: health_records(health),
    )
    print_report(report, arguments.form)
    if not (arguments.quiet and arguments.out):
        say(f"\nrun directories: {rounds.directory}/*")
    if rounds.interrupted:
        return INTERRUPTED
    return COMPLETE if health.healthy else SOME_FAILED
