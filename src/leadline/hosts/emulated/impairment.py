"""What can be wrong with an emulated host or its link, on purpose: for practice and for tests."""

from __future__ import annotations

from dataclasses import dataclass, replace

from leadline.errors import UsageError, unknown_name
from leadline.hosts.emulated.link import LONGEST_DELAY_S
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
    told: dict[str, str] = {}
    for word in words:
        name = word.partition("=")[0]
        if name in told:
            raise UsageError(f"{told[name]!r} and {word!r}: give one {name}")
        told[name] = word
        found = _with(found, word)
    return found


def _with(found: Impairment, word: str) -> Impairment:
    match word.partition("="):
        case (name, "", "") if name == NONE:
            return HEALTHY
        case (name, "", "") if name == CUT:
            return replace(found, cut=True)
        case ("rate" as name, "=", value):
            return replace(found, rate_share=_share(name, value))
        case ("delay", "=", value):
            return replace(found, extra_delay_s=_delay(value))
        case ("stopped" as name, "=", value):
            return replace(found, stopped_share=_share(name, value))
    raise unknown_name("impairment", word, _WORDS)


def _share(name: str, text: str) -> float:
    try:
        return parse_share(text)
    except UsageError as error:
        raise UsageError(f"{name}={text}: {error}") from None


def _delay(text: str) -> float:
    try:
        delay_s = parse_duration(text)
    except UsageError as error:
        raise UsageError(f"delay={text}: {error}") from None
    if delay_s > LONGEST_DELAY_S:
        raise UsageError(f"delay={text}: give a delay of at most {LONGEST_DELAY_S:g} s")
    return delay_s
