"""Which hosts and paths are silent: no message came through."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from leadline.health.matchings import HostPair
from leadline.health.observations import Round

SILENT_ROUNDS = 3
"""Silent rounds of a host, one with a partner that others heard, before it counts as down.

Where one launch in twenty fails, two would take one of 16 hosts down in 4 % of all examinations.
"""

CUT_ROUNDS = 3
"""Silent rounds of two hosts that both hear others, before their path counts as cut."""


def silent_hosts(rounds: Sequence[Round]) -> set[str]:
    """The hosts that are down.

    All of their pairs were silent, SILENT_ROUNDS or more, and some partner was heard beside another
    host: otherwise it may be the partner.
    """
    heard = {host for round_ in rounds for seen in round_.observations for host in seen.pair}
    in_vain = [pair for round_ in rounds for pair in round_.silent]
    often = Counter(host for pair in in_vain for host in pair)
    return {
        host
        for host, times in often.items()
        if times >= SILENT_ROUNDS
        and host not in heard
        and any(host in pair and heard.intersection(pair) for pair in in_vain)
    }


def failing_hosts(rounds: Sequence[Round], error: float) -> dict[str, float]:
    """Hosts that answer now and then, each with the share of its pairs that were heard.

    They have more silent pairs than a host would have by chance if silence were dealt among all
    pairs: for all hosts together that has a probability of `error` at most. Pairs of hosts that are
    down don't count.
    """
    down, heard = silent_hosts(rounds), _heard_pairs(rounds)

    def counted(of: Iterable[HostPair]) -> list[HostPair]:
        """The pairs of hosts that are alive; those never heard once each, as it may be the path."""
        alive = [pair for pair in of if not down.intersection(pair)]
        return [*(pair for pair in alive if pair in heard), *(set(alive) - heard)]

    pairs = counted(pair for round_ in rounds for pair in round_.pairs)
    in_vain = counted(pair for round_ in rounds for pair in round_.silent)
    tries, often = (Counter(host for pair in of for host in pair) for of in (pairs, in_vain))
    return {
        host: 1 - times / tries[host]
        for host, times in sorted(often.items())
        if times < tries[host]
        and _chance(len(pairs), len(in_vain), tries[host], times) <= error / len(tries)
    }


def _chance(pairs: int, silent: int, of_host: int, times: int) -> float:
    """Probability that `times` or more of `silent` pairs are among `of_host` of all.

    Source: the hypergeometric distribution.
    """
    ways = sum(
        math.comb(of_host, k) * math.comb(pairs - of_host, silent - k)
        for k in range(times, min(silent, of_host) + 1)
    )
    return ways / math.comb(pairs, silent)


def _heard_pairs(rounds: Sequence[Round]) -> set[HostPair]:
    return {seen.pair for round_ in rounds for seen in round_.observations}


def silent_paths(rounds: Sequence[Round], hosts: Collection[str]) -> dict[HostPair, int]:
    """The pairs of `hosts` that were never heard, and how often they were tried.

    After CUT_ROUNDS it was no launch that failed by chance: nothing passes between the two.
    """
    heard = _heard_pairs(rounds)
    in_vain = Counter(pair for round_ in rounds for pair in round_.silent)
    alive = {pair: times for pair, times in in_vain.items() if set(pair) <= set(hosts)}
    return {pair: times for pair, times in sorted(alive.items()) if pair not in heard}
