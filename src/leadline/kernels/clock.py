"""The clock that waiting for ranks goes by; who waits is given one, real or virtual."""

from __future__ import annotations

import time
from selectors import BaseSelector, SelectorKey
from typing import Protocol


class Clock(Protocol):
    """What tells the time, and lets it pass."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""

    def sleep(self, seconds: float) -> None:
        """Returns when so many seconds have passed."""

    def select(self, selector: BaseSelector, timeout_s: float) -> list[tuple[SelectorKey, int]]:
        """What of `selector` is ready, at the latest after `timeout_s`; empty: nothing."""


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
