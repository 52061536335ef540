"""The clock for waiting on ranks: the system's, or a virtual one where ranks are scripted."""

from __future__ import annotations

import time
from selectors import BaseSelector, SelectorKey
from typing import Protocol


class Clock(Protocol):
    """A monotonic clock, and waiting by it."""

    def monotonic(self) -> float:
        """Seconds since an arbitrary moment; never goes back."""

    def sleep(self, seconds: float) -> None:
        """Waits for so many seconds."""

    def select(self, selector: BaseSelector, timeout_s: float) -> list[tuple[SelectorKey, int]]:
        """The keys of `selector` that are ready, at the latest after `timeout_s`; empty: none."""


class SystemClock:
    """The operating system's monotonic clock."""

    def monotonic(self) -> float:
        """As time.monotonic."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """As time.sleep."""
        time.sleep(seconds)

    def select(self, selector: BaseSelector, timeout_s: float) -> list[tuple[SelectorKey, int]]:
        """As the selector's own method."""
        return selector.select(timeout_s)


SYSTEM_CLOCK: Clock = SystemClock()
