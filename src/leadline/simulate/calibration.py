"""A machine of measured runs: messages as ping-pong shows them, collectives as they fit best.

A part of what was measured is fitted, the rest held out: simulated on the fitted machine and
compared with what was measured. Ranks count as those of one node, unless each has a host of its
own. A run doesn't show where a message's time goes, so half of the time at no bytes is the
sender's; all else is the library's own limit, and links are none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.errors import UsageError
from leadline.patterns.programs.calls import SendMode
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.patterns.programs.patterns import MODES as SENT
from leadline.record.run import Run
from leadline.simulate.costs import MODES
from leadline.simulate.machine import Compute, Links, MachineModel, Mode, Nic, Profile, ProfilePiece
from leadline.simulate.measured_patterns import MeasuredPattern, measured_patterns
from leadline.simulate.message_costs import PatternTrial, SimulatedCell, message_costs

PINGPONG = "pingpong"
PING_PONGS = (PINGPONG, "pingpong_sync", "pingpong_nonblocking")
"""Each shows what messages of its mode cost."""
EXCHANGE = "exchange"
FEWEST_SIZES, FEWEST_FITTED = 3, 2
"""Sizes of ping-pong; one alone can't separate an overhead from a gap."""
UNLIMITED = 1e30
"""B/s, far above any library's rate."""
ONE_NODE = "nodes:1x"
BUS_SHOWS = 0.95
"""Share of twice the rate of one way; a faster bus can't be distinguished from none."""
ALIKE = 0.01
"""Mean errors that are equal when rounded to such steps are no reason to prefer one."""


@dataclass(frozen=True, slots=True)
class SimulatedTimes:
    """Simulated and measured times of one library's pattern."""

    variant: str
    pattern: str
    algorithm: str
    """The algorithm that carries it out; "": the pattern has none."""
    own_messages: bool
    """Whether its messages have costs of their own."""
    cells: tuple[SimulatedCell, ...]


@dataclass(frozen=True, slots=True)
class ErrorSpread:
    """Deviations of cells, |simulated / measured - 1|."""

    cells: int
    median: float | None
    """None: there are no cells."""
    p90: float | None
    """90th percentile."""


def spread_of(several: Iterable[SimulatedTimes]) -> ErrorSpread:
    """The deviations of all their cells together."""
    errors = [cell.error for times in several for cell in times.cells]
    if not errors:
        return ErrorSpread(0, None, None)
    median, p90 = np.quantile(errors, (0.5, 0.9)).tolist()
    return ErrorSpread(len(errors), median, p90)


def by_pattern(several: Iterable[SimulatedTimes]) -> dict[str, list[SimulatedTimes]]:
    """The times of all libraries by pattern."""
    patterns: dict[str, list[SimulatedTimes]] = {}
    for times in several:
        patterns.setdefault(times.pattern, []).append(times)
    return patterns


@dataclass(frozen=True, slots=True)
class Calibration:
    """A machine, and its deviation from what it wasn't fitted to."""

    machine: MachineModel
    held_out: tuple[SimulatedTimes, ...]
    """Patterns that are fitted, at sizes and numbers of ranks that aren't."""
    not_fitted: tuple[SimulatedTimes, ...]
    """Patterns of which nothing is fitted."""


def calibrated(analysis: Analysis, name: str, source: str) -> Calibration:
    """The machine called `name` that a run shows.

    Args:
        analysis: The analysis of the run.
        name: A word.
        source: The source of values that the file states, e.g. "calibrated from run-1".

    Raises:
        UsageError: No library's ping-pong was measured at three sizes, on ranks that have cores of
            their own.
        MachineError: There is no C compiler.
    """
    libraries = {
        variant: patterns
        for variant, patterns in measured_patterns(analysis).items()
        if PINGPONG in patterns
        and np.count_nonzero(patterns[PINGPONG].fitted.any(axis=0)) >= FEWEST_FITTED
    }
    if not libraries:
        raise UsageError(
            f"calibrate needs {PINGPONG} at {FEWEST_SIZES} sizes at least, on ranks with cores of "
            f"their own, and the run has none; measure it: leadline run --patterns {PINGPONG}"
        )
    most = max(
        pattern.ranks[-1] for patterns in libraries.values() for pattern in patterns.values()
    )
    bare = _bare_machine(analysis, name, most)
    fits = [_Fit(bare, analysis.run, *library) for library in libraries.items()]
    machine = _connected(bare, fits)
    for fit in fits:
        fit.take_collectives(machine)
    return Calibration(
        machine=_sourced(machine, fits, source),
        held_out=tuple(times for fit in fits for times in fit.held_out()),
        not_fitted=tuple(times for fit in fits for times in fit.not_fitted()),
    )


class _Fit:
    """One library's profile, and the trials that it came from."""

    def __init__(
        self,
        machine: MachineModel,
        run: Run,
        variant: str,
        patterns: Mapping[str, MeasuredPattern],
    ) -> None:
        of = next(
            configuration
            for configuration in run.configurations
            if configuration.variant == variant
        )
        summary = f"{of.backend} {of.version}, as {of.origin}"
        self.machine = machine
        self.profile = Profile(
            variant, summary, {Mode.STANDARD: (ProfilePiece(0, 0.0, 0.0, 0.0),)}, {}
        )
        self.patterns = patterns
        self.trials: dict[str, PatternTrial] = {}
        for pattern in PING_PONGS:
            if pattern in patterns:
                self._take_messages(pattern)

    @property
    def exchange(self) -> PatternTrial | None:
        """Messages both ways at once; None: they weren't measured."""
        measured = self.patterns.get(EXCHANGE)
        return None if measured is None else PatternTrial(self.machine, measured)

    def take_collectives(self, machine: MachineModel) -> None:
        """Takes for each collective the algorithm that deviates least on `machine`.

        With the messages of all collectives, or its own where that helps. Exchanges count as fitted
        if the machine has a bus, which is fitted to them.
        """
        self.machine = machine
        if self.exchange and machine.nic.bus_bytes_per_s is not None:
            self.trials[EXCHANGE] = self.exchange
        self.trials = {name: replace(of, machine=machine) for name, of in self.trials.items()}
        for pattern, measured in self.patterns.items():
            if pattern in ALGORITHMS:
                known = [measured.algorithm] if measured.algorithm else ALGORITHMS[pattern]
                trials = [PatternTrial(self.machine, measured, name) for name in known]
                ways = [way for trial in trials if trial.can_be for way in self._ways(trial)]
                best = min(ways, key=lambda way: way.rank)
                self.profile, self.trials[pattern] = best.profile, best.trial

    def held_out(self) -> Iterator[SimulatedTimes]:
        """The times of each pattern that was fitted."""
        for trial in self.trials.values():
            yield self._times(trial, trial.cells(self.profile, trial.measured.held_out))

    def not_fitted(self) -> Iterator[SimulatedTimes]:
        """The times of each other pattern, without those whose cells cost nothing (no messages)."""
        for pattern, measured in self.patterns.items():
            trial = PatternTrial(self.machine, measured)
            if pattern not in self.trials and trial.can_be:
                cells = trial.cells(self.profile, measured.fitted | measured.held_out)
                if any(cell.simulated_s for cell in cells):
                    yield self._times(trial, cells)

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

    def _ways(self, trial: PatternTrial) -> Iterator[_Way]:
        """The collective by the messages of all collectives, and by its own."""
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
    """The lower the better: its deviation, whether it needs messages of its own, and the deviation
    without them."""


def _error(trial: PatternTrial, profile: Profile) -> float:
    """The mean deviation of what is fitted."""
    return float(np.mean([cell.error for cell in trial.cells(profile, trial.measured.fitted)]))


# -- the machine -----------------------------------------------------------------------------------


def _bare_machine(analysis: Analysis, name: str, ranks: int) -> MachineModel:
    """Nodes whose links and interfaces hold nothing up; one node, or one for each rank.

    The summary says how times are known, and the state of the cores, where it was measured.
    """
    configurations = analysis.run.configurations
    one_a_host = all(
        len(configuration.hosts) == configuration.ranks for configuration in configurations
    )
    nodes = ranks if one_a_host else 1
    origins = " and ".join(sorted({configuration.origin for configuration in configurations}))
    core_latency_ns = analysis.visits.states.counted.core_latency_ns
    cores = (
        ""
        if core_latency_ns is None
        else f"; a cache line there and back in {core_latency_ns:.0f} ns"
    )
    return MachineModel(
        name=name,
        summary=f"{ranks} ranks of {nodes} node{'s' * (nodes > 1)}, as {origins}{cores}",
        network=f"nodes:{nodes}x{ranks // nodes}",
        allocation="first",
        cores_per_node=1,
        ties="one way",
        links=Links(UNLIMITED, 0.0),
        nic=Nic(0.0, UNLIMITED, UNLIMITED),
        compute=Compute(),
        profiles={},
        sources={},
        fitted={},
        text="",
    )


def _connected(bare: MachineModel, fits: Sequence[_Fit]) -> MachineModel:
    """Links and interfaces as fast as the fastest library, with the bus that exchanges show."""
    gaps = [piece.gap_s_per_byte for fit in fits for piece in fit.profile.pieces_of(Mode.STANDARD)]
    rate = 1.0 / min((gap for gap in gaps if gap > 0), default=1.0)
    machine = replace(bare, links=Links(rate, 0.0), nic=Nic(0.0, rate, rate))
    if machine.network.startswith(ONE_NODE):
        return machine
    shown = [_bus(machine, fit.exchange, fit.profile) for fit in fits if fit.exchange]
    fastest = max(shown, default=math.inf)
    if fastest > BUS_SHOWS * 2 * rate:
        return machine
    return replace(machine, nic=replace(machine.nic, bus_bytes_per_s=fastest))


def _bus(machine: MachineModel, exchange: PatternTrial, profile: Profile) -> float:
    """The rate of the bus with which the largest exchange that is fitted takes what was measured.

    What a bus adds is as much the longer as it is slower: with the rate of one way, all that the
    bytes take without it.
    """
    own, rate = exchange.measured, machine.nic.out_bytes_per_s
    row, column = np.argwhere(own.fitted)[-1].tolist()
    free_s, bound_s = (
        replace(exchange, machine=replace(machine, nic=Nic(0.0, rate, rate, bus))).seconds(
            profile, own.ranks[row], own.sizes_bytes[column]
        )
        for bus in (None, rate)
    )
    one_way_s = bound_s - free_s
    both_ways_s = float(own.seconds[row, column]) - free_s + one_way_s
    return 2 * rate * one_way_s / both_ways_s if both_ways_s > 0 else math.inf


def _sourced(machine: MachineModel, fits: Sequence[_Fit], source: str) -> MachineModel:
    """`machine` with its profiles, and the source of each value."""
    patterns = dict.fromkeys(name for fit in fits for name in fit.trials if name != EXCHANGE)
    profiles = f"{source}: {', '.join(patterns)}"
    one_node = machine.network.startswith(ONE_NODE)
    ranks = "the ranks of the run, " + ("as if on one node" if one_node else "a host each")
    passed = "no message inside one node passes it; " if one_node else ""
    fastest = f"{passed}the fastest rate of a message that was measured"
    fitted = {"profiles": (profiles,)}
    if machine.nic.bus_bytes_per_s is not None:
        fitted["nic.bus_bytes_per_s"] = (f"{source}: {EXCHANGE}, the largest fitted",)
    return replace(
        machine,
        profiles={fit.profile.name: fit.profile for fit in fits},
        sources={
            **dict.fromkeys(("network", "allocation", "cores_per_node"), ranks),
            "ties": "there is one way only",
            **dict.fromkeys(("links", "nic"), fastest),
            **{key: figures for key, (figures,) in fitted.items()},
        },
        fitted=fitted,
    )
