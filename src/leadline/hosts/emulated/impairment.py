"""What can be wrong with an emulated host or its link, on purpose: for practice and for tests."""

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
    """By how much a host, or its link, is worse than the others."""

    rate_share: float = 1.0
    """Of the link's rate, both ways."""
    extra_delay_s: float = 0.0
    """Of each frame that the host sends or receives."""
    cut: bool = False
    """Whether the link carries nothing."""
    stopped_share: float = 0.0
    """For so much of each 100 ms the host's processes are stopped."""

    @property
    def words(self) -> str:
        """As `parse_impairment` reads it: "rate=0.5 delay=1ms"; "none" of a healthy host."""
        delay = compact_time(round(self.extra_delay_s * 1e9))
        said = (
            (self.rate_share != 1, f"rate={self.rate_share:g}"),
            (self.extra_delay_s != 0, f"delay={delay}"),
            (self.cut, CUT),
            (self.stopped_share != 0, f"stopped={self.stopped_share:g}"),
        )
        return " ".join(word for differs, word in said if differs) or NONE


HEALTHY = Impairment()


def parse_impairment(words: list[str]) -> Impairment:
    """The Impairment in "rate=0.5 delay=1ms cut stopped=0.9", or "none"; UsageError."""
    if not words:
        raise UsageError(f"what is to be wrong? give any of {', '.join(_WORDS[1:])}, or {NONE}")
    if NONE in words and len(words) > 1:
        raise UsageError(f"{NONE!r} stands alone: it makes a host healthy")
    found = HEALTHY
    for word in words:
        found = _with(found, word)
    check_each_once(words, name_of)
    return found


def _with(found: Impairment, word: str) -> Impairment:
    name, separator, value = word.partition("=")
    if word == NONE:
        return HEALTHY
    if word == CUT:
        return replace(found, cut=True)
    if not separator or name not in _SETTINGS:
        raise unknown_name("impairment", word, _WORDS)
    with naming(word):
        return _SETTINGS[name](found, value)


def _delayed(found: Impairment, value: str) -> Impairment:
    delay_s = parse_duration(value)
    if delay_s > LONGEST_DELAY_S:
        raise UsageError(f"give a delay of at most {LONGEST_DELAY_S:g} s")
    return replace(found, extra_delay_s=delay_s)


_SETTINGS: Mapping[str, Callable[[Impairment, str], Impairment]] = {
    "rate": lambda found, value: replace(found, rate_share=parse_share(value)),
    "delay": _delayed,
    "stopped": lambda found, value: replace(found, stopped_share=parse_share(value)),
}
