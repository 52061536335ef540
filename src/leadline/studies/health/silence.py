"""Which hosts don't answer: nothing came of any pair that they were in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from leadline.studies.health.observations import Round

SILENT_ROUNDS = 2
"""In which a host is paired in vain, once with a partner that others heard, before it is down."""


def silent_hosts(rounds: Sequence[Round]) -> set[str]:
    """The hosts that are down.

    Nothing came of any of their pairs, in SILENT_ROUNDS of them or more, and some partner was heard
    beside another host: else it may be the partner.
    """
    heard = {host for one in rounds for seen in one.observations for host in seen.pair}
    in_vain = [pair for one in rounds for pair in one.silent]
    often = Counter(host for pair in in_vain for host in pair)
    return {
        host
        for host, times in often.items()
        if times >= SILENT_ROUNDS
        and host not in heard
        and any(host in pair and heard.intersection(pair) for pair in in_vain)
    }


def failing_hosts(rounds: Sequence[Round]) -> dict[str, float]:
    """Hosts that answer now and then, each with the share of its pairs that came to something.

    Nothing came of SILENT_ROUNDS of their pairs or more, with a partner that met less silence and
    isn't down.
    """
    down = silent_hosts(rounds)
    in_vain = [pair for one in rounds for pair in one.silent if not down.intersection(pair)]
    heard = {host for one in rounds for seen in one.observations for host in seen.pair}
    often = Counter(host for pair in in_vain for host in pair)
    asked = Counter(host for one in rounds for pair in one.pairs for host in pair)
    return {
        host: 1 - often[host] / asked[host]
        for host in sorted(heard & often.keys())
        if often[host] >= SILENT_ROUNDS
        and any(often[other] < often[host] for pair in in_vain if host in pair for other in pair)
    }
