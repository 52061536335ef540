"""Impairments of an emulated host or its link, for training and for tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from leadline.errors import UsageError, naming, unknown_name
from leadline.hosts.emulated.link import LONGEST_DELAY_S, check_each_once, name_of
from leadline.units import compact_time, parse_duration, parse_share

NONE = "none"
CUT = "cut"
_WORDS = (NONE, CUT, "rate=SHARE", "delay=TIME", "stopped=SHARE")


@dataclass(frozen=True, slots=True)
class Impairment:
    """Impairment of a host, or its link, relative to the others."""

    rate_share: float = 1.0
    """Share of the link's rate that is left, both ways."""
    extra_delay_s: float = 0.0
    """Additional delay of each frame that the host sends or receives."""
    cut: bool = False
    """Whether the link carries nothing."""
    stopped_share: float = 0.0
    """Share of each 100 ms for which the host's processes are stopped."""

    @property
    def words(self) -> str:
        """Text for `parse_impairment`, e.g. "rate=0.5 delay=1ms"; "none" for a healthy host."""
        delay = compact_time(round(self.extra_delay_s * 1e9))
        words = (
            (self.rate_share != 1, f"rate={self.rate_share:g}"),
            (self.extra_delay_s != 0, f"delay={delay}"),
            (self.cut, CUT),
            (self.stopped_share != 0, f"stopped={self.stopped_share:g}"),
        )
        return " ".join(word for differs, word in words if differs) or NONE


HEALTHY = Impairment()


def parse_impairment(words: list[str]) -> Impairment:
    """Impairment in "rate=0.5 delay=1ms cut stopped=0.9", or "none"; UsageError."""
    if not words:
        raise UsageError(f"what is to be wrong? give any of {', '.join(_WORDS[1:])}, or {NONE}")
    if NONE in words and len(words) > 1:
        raise UsageError(f"{NONE!r} stands alone: it makes a host healthy")
    impairment = HEALTHY
    for word in words:
        name, separator, value = word.partition("=")
        if word == CUT:
            impairment = replace(impairment, cut=True)
        elif word != NONE:
            if not separator or name not in _SETTINGS:
                raise unknown_name("impairment", word, _WORDS)
            with naming(word):
                impairment = _SETTINGS[name](impairment, value)
    check_each_once(words, name_of)
    return impairment


def _delayed(impairment: Impairment, value: str) -> Impairment:
    delay_s = parse_duration(value)
    if delay_s > LONGEST_DELAY_S:
        raise UsageError(f"give a delay of at most {LONGEST_DELAY_S:g} s")
    return replace(impairment, extra_delay_s=delay_s)


_SETTINGS: Mapping[str, Callable[[Impairment, str], Impairment]] = {
    "rate": lambda impairment, value: replace(impairment, rate_share=parse_share(value)),
    "delay": _delayed,
    "stopped": lambda impairment, value: replace(impairment, stopped_share=parse_share(value)),
}
