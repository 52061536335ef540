"""What is carried out once: a pattern with its options, by so many ranks, at a size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from leadline.simulate.programs.calls import CallStep


@dataclass(frozen=True, slots=True)
class Repetition:
    """One repetition of a pattern."""

    pattern: str
    """Its name, without options."""
    options: Mapping[str, str]
    """By key, those that differ from their defaults."""
    dims: tuple[int, ...]
    """Of the grid that was asked for; (): none was."""
    ranks: int
    size_bytes: int
    """Of the cell."""
    root: int
    """Of this repetition."""
    number: int
    """From 0."""
    algorithms: Mapping[str, str]
    """Which does each collective; others are done as the kernel's fallbacks do them."""

    def chose(self, key: str, word: str) -> bool:
        """Whether the option `key` is `word`, which isn't its default."""
        return self.options.get(key) == word


Program = Callable[[Repetition], Iterator[CallStep]]
"""The steps of a repetition."""
