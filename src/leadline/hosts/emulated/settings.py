"""Words that set something, as "delay=1ms": each thing once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from leadline.errors import UsageError


def check_each_once(words: Iterable[str], kind_of: Callable[[str], str]) -> None:
    """UsageError where two of `words` set the same thing, which `kind_of` names."""
    told: dict[str, str] = {}
    for word in words:
        kind = kind_of(word)
        if kind in told:
            raise UsageError(f"{told[kind]!r} and {word!r}: give one {kind}")
        told[kind] = word


def name_of(word: str) -> str:
    """E.g. "delay" of "delay=1ms", "cut" of "cut"."""
    return word.partition("=")[0]
