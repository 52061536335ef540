"""A machine of measured runs: messages as ping-pong shows them, collectives as they fit best.

A part of what was measured is fitted, the rest held out: simulated on the machine that was found,
and held to what was measured. Ranks count as those of one node; a run can't tell where a message's
time goes, so that a half of what is there at no bytes is the sender's; all else is the library's
own limit, and links are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.errors import UsageError
from leadline.simulate.costs import MODES
from leadline.simulate.machine import Compute, Links, MachineModel, Mode, Nic, Profile, ProfilePiece
from leadline.simulate.measured_patterns import MeasuredPattern, measured_patterns
from leadline.simulate.message_costs import PatternTrial, SimulatedCell, message_costs
from leadline.simulate.programs.calls import SendMode
from leadline.simulate.programs.collectives import ALGORITHMS
from leadline.simulate.programs.patterns import MODES as SENT

PINGPONG = "pingpong"
PING_PONGS = (PINGPONG, "pingpong_sync", "pingpong_nonblocking")
"""Each tells what messages of its mode cost."""
FEWEST_SIZES = 3
"""Of ping-pong: two are fitted."""
ALIKE = 0.01
"""Errors whose mean is the same in such steps are no reason to prefer one."""


@dataclass(frozen=True, slots=True)
class SimulatedTimes:
    """How far what is simulated is from what was measured, of one library's pattern."""

    variant: str
    pattern: str
    algorithm: str
    """That it is carried out by; "": the pattern has none."""
    own_messages: bool
    """Whether its messages have costs of their own."""
    cells: tuple[SimulatedCell, ...]


@dataclass(frozen=True, slots=True)
class ErrorSpread:
    """How far off cells are, |simulated / measured - 1|."""

    cells: int
    median: float | None
    """None: there are no cells."""
    p90: float | None
    """Nine of ten are off by at most this."""


def spread_of(several: Iterable[SimulatedTimes]) -> ErrorSpread:
    """Of all their cells together."""
    errors = [cell.error for one in several for cell in one.cells]
    if not errors:
        return ErrorSpread(0, None, None)
    median, p90 = np.quantile(errors, (0.5, 0.9)).tolist()
    return ErrorSpread(len(errors), median, p90)


def by_pattern(several: Iterable[SimulatedTimes]) -> dict[str, list[SimulatedTimes]]:
    """Those of all libraries by pattern."""
    found: dict[str, list[SimulatedTimes]] = {}
    for one in several:
        found.setdefault(one.pattern, []).append(one)
    return found


@dataclass(frozen=True, slots=True)
class Calibration:
    """A machine, and how far it is from what it wasn't fitted to."""

    machine: MachineModel
    held_out: tuple[SimulatedTimes, ...]
    """Of patterns that are fitted, at sizes and numbers of ranks that aren't."""
    not_fitted: tuple[SimulatedTimes, ...]
    """Of patterns of which nothing is fitted."""


def calibrated(analysis: Analysis, name: str) -> Calibration:
    """The machine called `name` that a run shows.

    Raises:
        UsageError: No library's ping-pong was measured at three sizes, on ranks that have cores of
            their own.
        MachineError: There is no C compiler.
    """
    every = measured_patterns(analysis)
    every = {key: of for key, of in every.items() if _tells_messages(of.get(PINGPONG))}
    if not every:
        raise UsageError(
            f"calibrate needs {PINGPONG} at {FEWEST_SIZES} sizes at least, on ranks with cores of "
            f"their own, and the run has none; measure it: leadline run --patterns {PINGPONG}"
        )
    most = max(one.ranks[-1] for patterns in every.values() for one in patterns.values())
    bare = _machine(name, most, {})
    fits = [_Fit(bare, *each) for each in every.items()]
    return Calibration(
        machine=_machine(name, most, {fit.profile.name: fit.profile for fit in fits}),
        held_out=tuple(one for fit in fits for one in fit.held_out()),
        not_fitted=tuple(one for fit in fits for one in fit.not_fitted()),
    )


def _tells_messages(pingpong: MeasuredPattern | None) -> bool:
    return pingpong is not None and len(pingpong.sizes_bytes) >= FEWEST_SIZES


class _Fit:
    """One library's profile, and the trials that it came from."""

    def __init__(
        self, machine: MachineModel, variant: str, patterns: Mapping[str, MeasuredPattern]
    ) -> None:
        self.machine = machine
        self.patterns = patterns
        self.trials: dict[str, PatternTrial] = {}
        nothing = {Mode.STANDARD: (ProfilePiece(0, 0.0, 0.0, 0.0),)}
        self.profile = Profile(variant, f"{variant}, as measured", nothing, {})
        for pattern in PING_PONGS:
            if pattern in patterns:
                self._take_messages(pattern)
        for pattern in patterns:
            if pattern in ALGORITHMS:
                self._take_collective(pattern)

    def held_out(self) -> Iterator[SimulatedTimes]:
        """Of each pattern that was fitted."""
        for trial in self.trials.values():
            yield self._times(trial, trial.cells(self.profile, trial.measured.held_out))

    def not_fitted(self) -> Iterator[SimulatedTimes]:
        """Of each that wasn't."""
        for pattern, measured in self.patterns.items():
            if pattern not in self.trials:
                trial = PatternTrial(self.machine, measured)
                every = measured.fitted | measured.held_out
                yield self._times(trial, trial.cells(self.profile, every))

    def _times(self, trial: PatternTrial, cells: tuple[SimulatedCell, ...]) -> SimulatedTimes:
        pattern, profile = trial.measured.pattern, self.profile
        own = pattern in profile.collective_pieces
        return SimulatedTimes(profile.name, pattern, trial.algorithm, own, cells)

    def _take_messages(self, pattern: str) -> None:
        mode = MODES.get(SENT.get(pattern, SendMode.STANDARD), Mode.STANDARD)

        def priced(pieces: tuple[ProfilePiece, ...]) -> Profile:
            return replace(self.profile, pieces={**self.profile.pieces, mode: pieces})

        trial = self.trials[pattern] = PatternTrial(self.machine, self.patterns[pattern])
        self.profile = priced(message_costs(trial, trial.measured.lines(), priced))

    def _take_collective(self, pattern: str) -> None:
        """The algorithm that is nearest, with the messages of all or where that helps its own."""
        measured = self.patterns[pattern]
        known = [measured.algorithm] if measured.algorithm else ALGORITHMS[pattern]
        trials = [PatternTrial(self.machine, measured, name) for name in known]
        best = min((one for trial in trials for one in self._ways(trial)), key=lambda one: one.rank)
        self.profile, self.trials[pattern] = best.profile, best.trial

    def _ways(self, trial: PatternTrial) -> Iterator[_Way]:
        """By the messages of all, and by its own."""
        pattern = trial.measured.pattern
        collectives = {**self.profile.collectives, pattern: trial.algorithm}
        usual = replace(self.profile, collectives=collectives)

        def priced(pieces: tuple[ProfilePiece, ...]) -> Profile:
            return replace(usual, collective_pieces={**usual.collective_pieces, pattern: pieces})

        of_all = _error(trial, usual)
        yield _Way(trial, usual, (round(of_all / ALIKE), False, of_all))
        own = priced(message_costs(trial, trial.measured.lines(), priced))
        yield _Way(trial, own, (round(_error(trial, own) / ALIKE), True, of_all))


@dataclass(frozen=True, slots=True)
class _Way:
    """How a collective may be carried out."""

    trial: PatternTrial
    profile: Profile
    rank: tuple[int, bool, float]
    """The lower the better: how far off it is, whether it needs messages of its own, and how far
    off it is without them."""


def _error(trial: PatternTrial, profile: Profile) -> float:
    """The mean of what is fitted."""
    return float(np.mean([cell.error for cell in trial.cells(profile, trial.measured.fitted)]))


def _machine(name: str, ranks: int, profiles: Mapping[str, Profile]) -> MachineModel:
    """One node; its links and interface carry nothing, and are as fast as the fastest library."""
    gaps = [
        piece.gap_s_per_byte for one in profiles.values() for piece in one.pieces_of(Mode.STANDARD)
    ]
    rate = 1.0 / min((gap for gap in gaps if gap > 0), default=1.0)
    return MachineModel(
        name=name,
        summary=f"{ranks} ranks of one node, as measured",
        network=f"nodes:1x{ranks}",
        allocation="first",
        cores_per_node=1,
        split_ties=False,
        links=Links(rate, 0.0),
        nic=Nic(0.0, rate, rate),
        compute=Compute(),
        profiles=profiles,
        sources={},
        fitted_to={},
        text="",
    )
