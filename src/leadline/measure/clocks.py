"""The clocks of several hosts: fitted to rank 0's before isolated slices, and after them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from leadline.kernels.messages import FittedClock
from leadline.measure.launch import Launch, SliceError
from leadline.record.run import ClockFit
from leadline.record.slices import UNKNOWN

BASELINE_S = 0.1
"""Between a launch's first two fits: readings a microsecond off then feign a drift of 1e-5."""

Silent = list[tuple[Launch, SliceError]]
"""Launches that didn't answer, and what is known of why."""


class CommonClocks:
    """One for all launches of a block: ranks know rank 0's clock in each visit that needs it.

    A launch is fitted where its ranks read several clocks: first when it is up, for the drift is
    seen over time; before its first isolated slice of a visit; and after the visit, which tells
    what the model of its beginning then missed. Every fit is recorded.
    """

    def __init__(self, record: Callable[[ClockFit], None], block: int, patience_s: float) -> None:
        """`record` is told of every fit; a launch may take `patience_s` for one."""
        self._record, self._block, self._patience_s = record, block, patience_s
        self._first_s: dict[int, float] = {}
        """When each launch was first fitted, by its number."""
        self._common: dict[int, Launch] = {}
        """Those with a fit of this visit."""

    def meet(self, launches: Iterable[Launch]) -> Silent:
        """Fits those of `launches` for the first time that have to be; who didn't answer."""
        return self._each(self._meet, launches)

    def begin_slice(self, launch: Launch, visit: int) -> None:
        """Sees to it that the ranks of `launch` know the common clock.

        Raises SliceError where they don't answer.
        """
        if launch.number in self._common:
            return
        if launch.number not in self._first_s:
            self._meet(launch)
        if launch.number in self._first_s:
            time.sleep(max(0.0, self._first_s[launch.number] + BASELINE_S - time.monotonic()))
            self._fit(launch, visit)
            self._common[launch.number] = launch

    def end_visit(self, visit: int) -> Silent:
        """Records what the fits at the beginning of `visit` miss now; who didn't answer."""
        launches = [*self._common.values()]
        self._common.clear()
        return self._each(lambda launch: self._fit(launch, visit, ends=True), launches)

    def _meet(self, launch: Launch) -> None:
        if len({hello.clock for hello in launch.hellos.values()}) > 1:
            self._fit(launch, 0)
            self._first_s[launch.number] = time.monotonic()

    def _each(self, act: Callable[[Launch], None], launches: Iterable[Launch]) -> Silent:
        silent = []
        for launch in launches:
            try:
                act(launch)
            except SliceError as error:
                silent.append((launch, error))
        return silent

    def forget(self, launch: Launch) -> None:
        """Takes out a launch that is over."""
        self._common.pop(launch.number, None)

    def _fit(self, launch: Launch, visit: int, ends: bool = False) -> None:
        for one in launch.fit_clocks(self._patience_s):
            if one.fits and one.rank == one.leader:
                self._record(self._fit_of(one, launch, visit, ends))

    def _fit_of(self, found: FittedClock, launch: Launch, visit: int, ends: bool) -> ClockFit:
        return ClockFit(
            host=launch.hellos[found.rank].host,
            block=self._block,
            offset_ns=float(found.offset_ns),
            drift=found.drift,
            residual_ns=float(abs(found.missed_ns) if ends else UNKNOWN),
            visit=visit,
            launch=launch.number,
            here_ns=found.here_ns,
            error_ns=found.error_ns,
            round_trip_ns=found.round_trip_ns,
        )
