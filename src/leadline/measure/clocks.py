"""The clocks of several hosts: fitted to rank 0's before isolated slices, and after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.messages import Result
from leadline.measure.cells import PlannedSlice
from leadline.measure.launch import Launch, SliceError
from leadline.measure.slices import contends
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Cadence, Cell, ClockFit

BASELINE_S = 0.1
"""Time between a launch's first two fits: an error of 1 us in a reading then shows as a drift of
1e-5."""

Silent = list[tuple[Launch, SliceError]]
"""Launches that didn't answer, and what is known of why."""


class CommonClocks:
    """The clocks of a campaign's launches: ranks know rank 0's in each visit that needs it.

    A launch is fitted where its ranks read several clocks: first when it is up, for the drift is
    seen over time; before its first slice of a visit that needs a common clock; and after the
    visit, which tells what the model of its beginning then missed. Every fit is recorded.
    """

    def __init__(
        self, record: Callable[[ClockFit], None], patience_s: float, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        """`record` is called with every fit; a launch may take `patience_s` for one, by `clock`."""
        self._record, self._patience_s, self._clock = record, patience_s, clock
        self._first_s: dict[int, float] = {}
        """When each launch was first fitted, by its number."""
        self._common: dict[int, Launch] = {}
        """Launches that were fitted in this visit, by number."""
        self._contending: set[Cell] = set()

    def meet(self, launches: Iterable[Launch], block: int) -> Silent:
        """First fit of those `launches` that have several clocks; returns who didn't answer."""
        return self._each(lambda launch: self._meet(launch, block), launches)

    def begin_slice(self, launch: Launch, wanted: PlannedSlice) -> None:
        """Sees to it that the ranks of `launch` know the common clock, if the slice needs one.

        Raises SliceError where they don't answer.
        """
        cell = wanted.planned.cell
        needed = cell.cadence is Cadence.ISOLATED or cell in self._contending
        if not needed or launch.number in self._common:
            return
        if launch.number not in self._first_s:
            self._meet(launch, wanted.block)
        if launch.number in self._first_s:
            due_s = self._first_s[launch.number] + BASELINE_S
            self._clock.sleep(max(0.0, due_s - self._clock.monotonic()))
            self._fit(launch, wanted.block, wanted.visit)
            self._common[launch.number] = launch

    def contend(self, results: Sequence[Result], launch: Launch, wanted: PlannedSlice) -> bool:
        """Whether batches are to overlap, and clocks tell whether they do.

        Where hosts have several clocks, that takes a fit, which later slices of the cell have.
        """
        if results[0].contends:
            self._contending.add(wanted.planned.cell)
        return contends(results, launch.hellos, launch.number in self._common)

    def end_visit(self, block: int, visit: int) -> Silent:
        """Records the residuals of the fits that began `visit`; returns who didn't answer."""
        launches = [*self._common.values()]
        self._common.clear()
        return self._each(lambda launch: self._fit(launch, block, visit, ends=True), launches)

    def _meet(self, launch: Launch, block: int) -> None:
        if len({hello.clock for hello in launch.hellos.values()}) > 1:
            self._fit(launch, block, 0)
            self._first_s[launch.number] = self._clock.monotonic()

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

    def _fit(self, launch: Launch, block: int, visit: int, ends: bool = False) -> None:
        """Fits the clocks of `launch`, and records one fit a clock; `ends`: also its residual."""
        for fitted in launch.fit_clocks(self._patience_s):
            if not fitted.fits or fitted.rank != fitted.leader:
                continue
            self._record(
                ClockFit(
                    host=launch.hellos[fitted.rank].host,
                    block=block,
                    offset_ns=float(fitted.offset_ns),
                    drift=fitted.drift,
                    residual_ns=float(abs(fitted.missed_ns) if ends else UNKNOWN),
                    visit=visit,
                    launch=launch.number,
                    here_ns=fitted.here_ns,
                    error_ns=fitted.error_ns,
                    round_trip_ns=fitted.round_trip_ns,
                )
            )
