"""The words of `leadline run`'s command line, read into an order; no side effects."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from leadline.errors import UsageError, unknown_name
from leadline.hosts.emulated.cluster import emulated
from leadline.hosts.placement import DEFAULT_AGENT, THIS_HOST, Hosts, parse_hosts
from leadline.hosts.schedulers import LAUNCHERS
from leadline.measure.spec import DEFAULT_SIZES, Order, distinct, parse_variant, rate_of
from leadline.measure.suites import PATTERNS_BUDGET_S, SUITES, Suite
from leadline.record.run import Buffers, Cadence
from leadline.units import parse_bit_rate, parse_duration, parse_share, parse_size

UNSTATED = Buffers.UNSTATED.value
"""Of cadences as well."""


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
    """One of `names` that can be measured: not what imported values have whose source is silent."""
    measured = [name for name in names if name != UNSTATED]
    if text == UNSTATED:
        raise UsageError(
            f"{option} {text!r} is that of imported values whose source doesn't say; "
            f"choose from: {', '.join(measured)}"
        )
    return _one_of(text, option, measured)


def order_of(arguments: argparse.Namespace) -> Order:
    """The Order in `arguments` of `leadline run`; UsageError names the word that can't be."""
    suite = SUITES[_one_of(arguments.suite, "suite", tuple(SUITES))]
    ranks = tuple(whole_number(n, "--ranks", 1) for n in words(arguments.ranks, "--ranks"))
    patterns = words(arguments.patterns, "--patterns") if arguments.patterns else suite.patterns
    hosts = hosts_of(arguments.hosts, arguments.agent)
    return Order(
        patterns=tuple(patterns),
        sizes=sizes_of(arguments.sizes),
        sizes_asked=arguments.sizes is not None,
        ranks=ranks,
        root=root_of(arguments.root, ranks),
        backends=tuple(words(arguments.backends, "--backends")) if arguments.backends else (),
        variants=tuple(distinct([parse_variant(text) for text in arguments.variant])),
        wrappers=tuple(arguments.mpicc),
        buffers=Buffers(_stated(arguments.buffers, "buffers policy", tuple(Buffers))),
        cadence=_cadence(arguments.cadence),
        per_operation=arguments.per_operation,
        all_ranks=arguments.all_ranks,
        budget_s=_budget_s(arguments, suite),
        budget_kept=bool(arguments.budget),
        precision=parse_share(arguments.precision),
        blocks=whole_number(arguments.blocks, "--blocks", 1) if arguments.blocks else None,
        bind=arguments.bind != "none",
        cores=_cores(arguments.bind),
        hosts=hosts,
        launcher=_launcher(arguments.launcher),
        link_bound=_link_bound(arguments.link_bound, hosts),
        load=_load(arguments.load),
        patience_s=parse_duration(arguments.patience),
        seed=whole_number(arguments.seed, "--seed", 0),
    )


def sizes_of(text: str | None, option: str = "--sizes") -> tuple[int, ...]:
    """The sizes in `text` in bytes, each once, in order; None: those that a run has."""
    if text is None:
        return DEFAULT_SIZES
    return tuple(sorted({parse_size(word) for word in words(text, option)}))


def _budget_s(arguments: argparse.Namespace, suite: Suite) -> float:
    if arguments.budget:
        return parse_duration(arguments.budget)
    return PATTERNS_BUDGET_S if arguments.patterns else suite.budget_s


def root_of(text: str, ranks: Sequence[int]) -> int:
    """The root in `text`; UsageError where it is no rank of the smallest of `ranks`."""
    root = whole_number(text, "--root", 0)
    if root >= min(ranks):
        raise UsageError(
            f"--root {root} is no rank of a job of {min(ranks)}; give one below, or more --ranks"
        )
    return root


def _cadence(text: str | None) -> Cadence | None:
    return None if text is None else Cadence(_stated(text, "cadence", tuple(Cadence)))


def _cores(text: str) -> tuple[int, ...]:
    """Those that --bind names, if it does."""
    if text in ("auto", "none"):
        return ()
    return tuple(whole_number(core, "--bind", 0) for core in words(text, "--bind"))


def hosts_of(text: str | None, agent: str | None) -> Hosts:
    """Those named; an empty word isn't this host, but a variable that a batch job hadn't set.

    Unless an agent is named, they may be emulated hosts of this machine.
    """
    if text is None:
        return THIS_HOST
    return parse_hosts(text, agent) if agent else emulated(parse_hosts(text, DEFAULT_AGENT))


def _launcher(text: str | None) -> str | None:
    return None if text is None else _one_of(text, "launcher", LAUNCHERS)


def _link_bound(text: str | None, hosts: Hosts) -> float | None:
    """The rate of links in bytes a second; without one that of emulated hosts, else OWN_SPEED."""
    if text is None:
        return None
    if not hosts.names:
        raise UsageError(
            "--link-bound needs --hosts: ranks of one host meet in memory, and loopback is no link"
        )
    return parse_bit_rate(text) if text else rate_of(hosts)


def _load(text: str | None) -> int | None:
    if text == "cores":
        return None
    return 0 if text is None else whole_number(text, "--load", 1)
