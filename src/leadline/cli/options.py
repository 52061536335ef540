"""The words of `leadline run`'s command line, read into what a campaign needs; no side effects."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import UsageError, unknown_name
from leadline.hosts.placement import THIS_HOST, Hosts, parse_hosts
from leadline.kernels.patterns import Pattern, PatternChoice, parse_choice
from leadline.measure.request import DEFAULT_SIZES, Request
from leadline.measure.suites import PATTERNS_BUDGET_S, SUITES, Suite
from leadline.measure.variants import VariantSpec, distinct, parse_variant
from leadline.record.run import Buffers, Cadence
from leadline.units import parse_duration, parse_share, parse_size


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


@dataclass(frozen=True, slots=True)
class Options:
    """Everything but the patterns, which are known only once kernels have described themselves."""

    backends: tuple[str, ...]
    """Empty: every usable one."""
    variants: tuple[VariantSpec, ...]
    patterns: tuple[str, ...]
    sizes: tuple[int, ...]
    ranks: tuple[int, ...]
    root: int
    buffers: str
    cadence: str | None
    per_operation: bool
    budget_s: float
    precision: float
    blocks: int | None
    bind: str | tuple[int, ...]
    hosts: Hosts
    load: int | None
    """Spinning processes beside the ranks; None: one a core."""
    patience_s: float
    seed: int


def read_options(arguments: argparse.Namespace) -> Options:
    """The Options in parsed `arguments`; UsageError names the word that can't be."""
    suite = SUITES[_one_of(arguments.suite, "suite", tuple(SUITES))]
    ranks = tuple(whole_number(n, "--ranks", 1) for n in words(arguments.ranks, "--ranks"))
    return Options(
        backends=tuple(words(arguments.backends, "--backends")) if arguments.backends else (),
        variants=tuple(distinct([parse_variant(text) for text in arguments.variant])),
        patterns=tuple(words(arguments.patterns, "--patterns"))
        if arguments.patterns
        else suite.patterns,
        sizes=_sizes(arguments.sizes),
        ranks=ranks,
        root=_root(arguments.root, ranks),
        buffers=_one_of(arguments.buffers, "buffers policy", tuple(Buffers)),
        cadence=_cadence(arguments.cadence),
        per_operation=arguments.per_operation,
        budget_s=_budget_s(arguments, suite),
        precision=parse_share(arguments.precision),
        blocks=whole_number(arguments.blocks, "--blocks", 1) if arguments.blocks else None,
        bind=_bind(arguments.bind),
        hosts=parse_hosts(arguments.hosts, arguments.agent) if arguments.hosts else THIS_HOST,
        load=_load(arguments.load),
        patience_s=parse_duration(arguments.patience),
        seed=whole_number(arguments.seed, "--seed", 0),
    )


def _sizes(text: str | None) -> tuple[int, ...]:
    if text is None:
        return DEFAULT_SIZES
    return tuple(sorted({parse_size(word) for word in words(text, "--sizes")}))


def _budget_s(arguments: argparse.Namespace, suite: Suite) -> float:
    if arguments.budget:
        return parse_duration(arguments.budget)
    return PATTERNS_BUDGET_S if arguments.patterns else suite.budget_s


def _root(text: str, ranks: Sequence[int]) -> int:
    root = whole_number(text, "--root", 0)
    if root >= min(ranks):
        raise UsageError(
            f"--root {root} is no rank of a job of {min(ranks)}; give one below, or more --ranks"
        )
    return root


def _cadence(text: str | None) -> str | None:
    return None if text is None else _one_of(text, "cadence", tuple(Cadence))


def _bind(text: str) -> str | tuple[int, ...]:
    if text in ("auto", "none"):
        return text
    return tuple(whole_number(core, "--bind", 0) for core in words(text, "--bind"))


def _load(text: str | None) -> int | None:
    if text == "cores":
        return None
    return 0 if text is None else whole_number(text, "--load", 1)


def request_of(options: Options, patterns: Mapping[str, Pattern]) -> Request:
    """The Request for a plan, now that the kernels' `patterns` are known."""
    choices: list[PatternChoice] = [
        parse_choice(text, patterns).rooted_at(options.root, patterns) for text in options.patterns
    ]
    return Request(
        patterns=tuple(dict.fromkeys(choices)),
        sizes=options.sizes,
        ranks=options.ranks,
        buffers=options.buffers,
        cadence=options.cadence,
        per_operation=options.per_operation,
        budget_s=options.budget_s,
        precision=options.precision,
        blocks=options.blocks,
    )
