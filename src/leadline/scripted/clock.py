"""Virtual time: nothing passes but what is waited for."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from selectors import EVENT_READ, EVENT_WRITE, BaseSelector, DefaultSelector, SelectorKey
from socket import socket


class VirtualClock:
    """A clock that goes on to the next event whenever somebody waits."""

    def __init__(self, now_s: float = 0.0) -> None:
        """Begins at `now_s`."""
        self.now_s = now_s
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._heard = DefaultSelector()

    def monotonic(self) -> float:
        """The time now; to ask takes no time."""
        return self.now_s

    def sleep(self, seconds: float) -> None:
        """Lets so many seconds pass, with all that happens in them."""
        until_s = self.now_s + max(seconds, 0.0)
        self._hear()
        while self._next(until_s):
            self._hear()
        self.now_s = max(self.now_s, until_s)

    def select(self, selector: BaseSelector, timeout_s: float) -> list[tuple[SelectorKey, int]]:
        """What is ready in `selector` after the fewest events; empty where the time has passed."""
        until_s = self.now_s + max(timeout_s, 0.0)
        self._hear()
        while not (ready := selector.select(0)):
            if not self._next(until_s):
                self.now_s = max(self.now_s, until_s)
                return []
            self._hear()
        return ready

    def after(self, seconds: float, happens: Callable[[], None]) -> None:
        """Lets `happens` be called in so many seconds; it may raise what ends the campaign."""
        event = (self.now_s + max(seconds, 0.0), next(self._numbers), happens)
        heapq.heappush(self._events, event)

    def jump(self, seconds: float) -> None:
        """Goes on by so many seconds in which nothing happens, as where a machine was suspended."""
        self.now_s += seconds
        self._events = [(at_s + seconds, number, one) for at_s, number, one in self._events]

    def listen(
        self, to: socket, heard: Callable[[], None], sends: Callable[[], None] | None = None
    ) -> None:
        """Lets `heard` be called, before anything else happens, where `to` can be read.

        And `sends`, if given, where `to` has room again. What was said of `to` before is over.
        """
        self.ignore(to)
        events = EVENT_READ | (EVENT_WRITE if sends else 0)
        self._heard.register(to, events, (heard, sends))

    def ignore(self, one: socket) -> None:
        """Stops listening to `one`, if it is listened to."""
        if one in self._heard.get_map():
            self._heard.unregister(one)

    def close(self) -> None:
        """Releases what it has open."""
        self._heard.close()

    def _hear(self) -> None:
        while ready := self._heard.select(0):
            for key, events in ready:
                heard, sends = key.data
                if events & EVENT_WRITE:
                    sends()
                if events & EVENT_READ:
                    heard()

    def _next(self, until_s: float) -> bool:
        """Whether there was an event until then, which has happened now."""
        if not self._events or self._events[0][0] > until_s:
            return False
        at_s, _, happens = heapq.heappop(self._events)
        self.now_s = max(self.now_s, at_s)
        happens()
        return True
