"""What a pattern can be asked for besides its size: a word, a grid, a number or a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from leadline.errors import UsageError
from leadline.units import compact_time, parse_duration

_DIMS = re.compile(r"[1-9]\d{0,8}(x[1-9]\d{0,8})*")
_NUMBER = re.compile(r"\d{1,18}")


class OptionKind(StrEnum):
    """What an option's values are."""

    WORD = "word"
    DIMS = "dims"
    """The lengths of a grid, whose product is the number of ranks."""
    NUMBER = "number"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A value other than the default, or an application's class."""

    key: str
    value: str
    """As the kernel reads it: "max", "8x4x4", or "20000", a time in ns."""
    label: str
    """As a pattern's label has it: "max", "8x4x4", or "work=20us", for a key's value."""


@dataclass(frozen=True, slots=True)
class PatternOption:
    """One option. A pattern has at most one of dims or a number, which so needs no key."""

    key: str
    kind: OptionKind
    words: tuple[str, ...] = ()
    """The default first; empty: it has no words."""
    least: int = 0
    """Of a number; of a time, in ns; axes of a grid."""
    most: int = 0
    default: int = 0
    """Of a number; a grid or a time that isn't given is of the pattern's choice."""
    needs: str = ""
    """The option whose default leaves this one without effect; "": none."""

    def stands_bare(self, text: str) -> bool:
        """Whether `text`, which has no key, is meant for this option."""
        return text in self.words or bool(_BEGINS[self.kind].match(text))

    def read(self, text: str) -> Chosen | None:
        """The value in `text`; None: that is the default. ValueError: it isn't allowed."""
        return _READERS[self.kind](self, text)

    @property
    def allowed(self) -> str:
        """The values that it takes, e.g. "1 to 1024"."""
        match self.kind:
            case OptionKind.WORD:
                return f"{', '.join(self.words[:-1])} or {self.words[-1]}"
            case OptionKind.DIMS:
                return f"{self.least} to {self.most} lengths from 1 up, e.g. 4x2"
            case OptionKind.NUMBER:
                return f"{self.least} to {self.most}"
            case OptionKind.TIME:
                return f"{compact_time(self.least)} to {compact_time(self.most)}"

    def _within(self, value: int) -> int:
        if not self.least <= value <= self.most:
            raise ValueError(f"{value} is not within {self.least} and {self.most}")
        return value


def _read_word(option: PatternOption, text: str) -> Chosen | None:
    return Chosen(option.key, text, text) if option.words.index(text) else None


def _read_dims(option: PatternOption, text: str) -> Chosen:
    option._within(len(_matching(_DIMS, text).split("x")))
    return Chosen(option.key, text, text)


def _read_number(option: PatternOption, text: str) -> Chosen | None:
    number = option._within(int(_matching(_NUMBER, text)))
    return Chosen(option.key, str(number), str(number)) if number != option.default else None


def _read_time(option: PatternOption, text: str) -> Chosen:
    try:
        time_ns = option._within(round(parse_duration(text) * 1e9))
    except UsageError as error:
        raise ValueError(text) from error
    return Chosen(option.key, str(time_ns), f"{option.key}={compact_time(time_ns)}")


def _matching(form: re.Pattern[str], text: str) -> str:
    if not form.fullmatch(text):
        raise ValueError(text)
    return text


_READERS: Mapping[OptionKind, Callable[[PatternOption, str], Chosen | None]] = {
    OptionKind.WORD: _read_word,
    OptionKind.DIMS: _read_dims,
    OptionKind.NUMBER: _read_number,
    OptionKind.TIME: _read_time,
}
_NEVER = re.compile(r"(?!)")
_BEGINS = {
    OptionKind.WORD: _NEVER,
    OptionKind.DIMS: re.compile(r"\d"),
    OptionKind.NUMBER: re.compile(r"[-+\d]"),
    OptionKind.TIME: _NEVER,
}
"""How a value without its key begins."""


def parse_option(key: str, described: Mapping[str, Any]) -> PatternOption:
    """The option `key` as `kernel --describe` says it: {"kind": "number", "least": 1, ...}."""
    kind, words = OptionKind(described["kind"]), tuple(described.get("words", ()))
    return PatternOption(**dict(described) | {"key": key, "kind": kind, "words": words})
