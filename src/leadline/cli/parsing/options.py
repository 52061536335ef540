"""Parses the options of `leadline run` into a campaign's specification; no side effects."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from leadline.errors import UsageError, unknown_name
from leadline.hosts.emulated.cluster import emulated
from leadline.hosts.placement import DEFAULT_AGENT, THIS_HOST, Hosts, parse_hosts
from leadline.hosts.schedulers import LAUNCHERS
from leadline.measure.spec import DEFAULT_SIZES, Request, distinct, parse_variant, rate_of
from leadline.patterns.suites import PATTERNS_BUDGET_S, SUITES
from leadline.record.run import Buffers, Cadence
from leadline.units import parse_bit_rate, parse_duration, parse_share, parse_size

UNSTATED = Buffers.UNSTATED.value
"""What imported values have whose source doesn't say; cadences as well."""


def words(text: str, option: str) -> list[str]:
    """The words between the commas of `text`, each once; UsageError names `option`."""
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise UsageError(f"{option} {text!r} has an empty entry; separate values by one comma")
    return list(dict.fromkeys(found))


def whole_number(text: str, option: str, least: int) -> int:
    """The whole number in `text`, at least `least`; UsageError names `option`."""
    try:
        value = int(text)
    except ValueError:
        raise UsageError(f"{option} {text!r} is not a whole number") from None
    if value < least:
        raise UsageError(f"{option} {text!r} must be at least {least}")
    return value


def _one_of(text: str, option: str, names: Sequence[str]) -> str:
    if text not in names:
        raise unknown_name(option, text, names)
    return text


def _stated(text: str, option: str, names: Sequence[str]) -> str:
    """One of `names` other than "unstated", which only imported values can have."""
    measured = [name for name in names if name != UNSTATED]
    if text == UNSTATED:
        raise UsageError(
            f"{option} {text!r} is that of imported values whose source doesn't say; "
            f"choose from: {', '.join(measured)}"
        )
    return _one_of(text, option, measured)


def request_of(arguments: argparse.Namespace) -> Request:
    """The Request in `arguments` of `leadline run`; UsageError names the word that is wrong."""
    suite = SUITES[_one_of(arguments.suite, "suite", tuple(SUITES))]
    ranks = ranks_of(arguments.ranks)
    patterns = words(arguments.patterns, "--patterns") if arguments.patterns else suite.patterns
    usual_s = PATTERNS_BUDGET_S if arguments.patterns else suite.budget_s
    hosts = hosts_of(arguments.hosts, arguments.agent)
    cadence, bind, launcher = arguments.cadence, arguments.bind, arguments.launcher
    return Request(
        patterns=tuple(patterns),
        sizes=sizes_of(arguments.sizes),
        sizes_asked=arguments.sizes is not None,
        ranks=ranks,
        root=root_of(arguments.root, ranks),
        backends=tuple(words(arguments.backends, "--backends")) if arguments.backends else (),
        variants=tuple(distinct([parse_variant(text) for text in arguments.variant])),
        wrappers=tuple(arguments.mpicc),
        buffers=Buffers(_stated(arguments.buffers, "buffers policy", tuple(Buffers))),
        cadence=Cadence(_stated(cadence, "cadence", tuple(Cadence)))
        if cadence is not None
        else None,
        per_operation=arguments.per_operation,
        all_ranks=arguments.all_ranks,
        budget_s=parse_duration(arguments.budget) if arguments.budget else usual_s,
        budget_kept=bool(arguments.budget),
        precision=parse_share(arguments.precision),
        blocks=whole_number(arguments.blocks, "--blocks", 1) if arguments.blocks else None,
        bind=bind != "none",
        cores=_cores(bind),
        hosts=hosts,
        launcher=_one_of(launcher, "launcher", LAUNCHERS) if launcher is not None else None,
        link_bound=_link_bound(arguments.link_bound, hosts),
        load=_load(arguments.load),
        patience_s=parse_duration(arguments.patience),
        seed=whole_number(arguments.seed, "--seed", 0),
    )


def sizes_of(text: str | None, option: str = "--sizes") -> tuple[int, ...]:
    """The sizes in `text` in bytes, each once, in order; None: the default sizes of a run."""
    if text is None:
        return DEFAULT_SIZES
    return tuple(sorted({parse_size(word) for word in words(text, option)}))


def ranks_of(text: str) -> tuple[int, ...]:
    """The numbers of ranks in `text`, each at least 1, in the order given."""
    return tuple(whole_number(number, "--ranks", 1) for number in words(text, "--ranks"))


def root_of(text: str, ranks: Sequence[int]) -> int:
    """The root in `text`; UsageError where it is no rank of the smallest of `ranks`."""
    root = whole_number(text, "--root", 0)
    if root >= min(ranks):
        raise UsageError(
            f"--root {root} is no rank of a job of {min(ranks)}; give one below, or more --ranks"
        )
    return root


def _cores(bind: str) -> tuple[int, ...]:
    """The cores that --bind names; none where it says "auto" or "none"."""
    if bind in ("auto", "none"):
        return ()
    return tuple(whole_number(core, "--bind", 0) for core in words(bind, "--bind"))


def hosts_of(text: str | None, agent: str | None) -> Hosts:
    """The hosts in `text`, without an agent possibly emulated ones; None: this host.

    UsageError for an empty text: it isn't this host, but a variable that a batch job hasn't set.
    """
    if text is None:
        return THIS_HOST
    return parse_hosts(text, agent) if agent else emulated(parse_hosts(text, DEFAULT_AGENT))


def _link_bound(text: str | None, hosts: Hosts) -> float | None:
    """The rate of links in B/s: the one in `text`, else that of emulated hosts, else OWN_SPEED.

    None: links aren't watched. UsageError without hosts.
    """
    if text is None:
        return None
    if not hosts.names:
        raise UsageError(
            "--link-bound needs --hosts: ranks of one host meet in memory, and loopback is no link"
        )
    return parse_bit_rate(text) if text else rate_of(hosts)


def _load(text: str | None) -> int | None:
    """The number of spinning processes beside the ranks; None: one a core."""
    if text == "cores":
        return None
    return 0 if text is None else whole_number(text, "--load", 1)
