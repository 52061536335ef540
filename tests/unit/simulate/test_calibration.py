"""Machines of measured runs: message costs are found again, by what is fitted alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.calibrated import NODE, OWN, found, simulated

from leadline.compare.analysis import Analysis
from leadline.errors import UsageError
from leadline.record.run import Run
from leadline.simulate.calibration import SimulatedTimes, calibrated
from leadline.simulate.machine import Mode, Profile, ProfilePiece
from leadline.simulate.machine_files import machine_text, parse_machine
from leadline.simulate.measured_patterns import MeasuredPattern, SizeLine, measured_patterns
from leadline.simulate.message_costs import PatternTrial, message_costs
from leadline.statistics.intervals import Floats
from leadline.store import load


def median(times: SimulatedTimes) -> float:
    return float(np.median([one.error for one in times.cells]))


def of_pattern(times: tuple[SimulatedTimes, ...], pattern: str) -> SimulatedTimes:
    (one,) = [one for one in times if one.pattern == pattern]
    return one


def test_messages_of_their_own_cost_are_found_where_a_collective_has_them(tmp_path: Path) -> None:
    calibration = found(simulated(tmp_path, NODE, "2", "pingpong,bcast,gather"))
    (library,) = calibration.machine.profiles.values()
    assert library.collective_pieces.keys() == {"bcast"}
    small, large = library.collective_pieces["bcast"]
    assert small.gap_s_per_byte == pytest.approx(1e-9, rel=1e-3)
    assert 1024 < large.least_bytes <= 8192
    assert large.send_overhead_s == pytest.approx(5e-6, rel=1e-3)
    bcast = of_pattern(calibration.held_out, "bcast")
    assert bcast.own_messages
    assert median(bcast) < 1e-3


def test_without_them_what_is_held_out_is_far_off(tmp_path: Path) -> None:
    """The fault that they mend."""
    run = simulated(tmp_path, NODE, "2", "pingpong,bcast")
    machine = found(run).machine
    (library,) = machine.profiles.values()
    bare = replace(library, collective_pieces={})
    (patterns,) = measured_patterns(Analysis(load(str(run)))).values()
    trial = PatternTrial(machine, patterns["bcast"], "linear")
    errors = [one.error for one in trial.cells(bare, patterns["bcast"].held_out)]
    assert np.median(errors) > 0.2


@pytest.mark.parametrize("known", [None, "native"])
def test_the_algorithm_is_the_one_that_the_run_names_or_else_the_nearest(
    tmp_path: Path, known: str | None
) -> None:
    run = simulated(tmp_path, NODE, "2,4,8,16", "pingpong,bcast,gather")
    calibration = found(run, known)
    (library,) = calibration.machine.profiles.values()
    assert library.collectives == {"bcast": "linear", "gather": "binomial"}
    assert max(median(one) for one in calibration.held_out) < 1e-3


def test_on_two_ranks_a_named_algorithm_is_taken_though_others_send_the_same(
    tmp_path: Path,
) -> None:
    run = simulated(tmp_path, NODE, "2", "pingpong,gather")
    named, unnamed = (found(run, known).machine.profiles for known in (None, "native"))
    assert [one.collectives["gather"] for one in named.values()] == ["binomial"]
    assert [one.collectives["gather"] for one in unnamed.values()] == ["linear"]


def test_an_algorithm_that_isnt_for_the_number_of_ranks_is_left_out(tmp_path: Path) -> None:
    """Doubling takes a power of two of ranks, and neighbours' exchange an even number."""
    run = simulated(tmp_path, NODE, "2,3", "pingpong,allgather")
    (library,) = found(run, "native").machine.profiles.values()
    assert library.collectives["allgather"] in ("ring", "Bruck")


def test_of_three_numbers_of_ranks_the_second_is_held_out(tmp_path: Path) -> None:
    run = simulated(tmp_path, NODE, "2,4,8", "pingpong,bcast")
    (patterns,) = measured_patterns(Analysis(load(str(run)))).values()
    fitted = patterns["bcast"].fitted
    assert fitted.any(axis=1).tolist() == [True, False, True]
    assert fitted[0].tolist() == [True, False] * 6 + [True]
    assert patterns["bcast"].held_out[1].all()
    two = simulated(tmp_path / "two", NODE, "2,4", "pingpong,bcast")
    (patterns,) = measured_patterns(Analysis(load(str(two)))).values()
    assert patterns["bcast"].fitted.any(axis=1).tolist() == [True, True]


def measured_at(run: Path, pattern: str, sizes_of: dict[int, tuple[int, ...]]) -> Run:
    """The run, had the pattern been measured at these sizes alone; by numbers of ranks."""
    read, kept = load(str(run)), []
    for stated in read.stated:
        sizes = sizes_of[read.configurations[stated.configuration].ranks]
        pairs = zip(stated.cells, stated.seconds, strict=True)
        left = [
            (place, seconds)
            for place, seconds in pairs
            if read.cells[place].pattern != pattern or read.cells[place].size_bytes in sizes
        ]
        cells, seconds = zip(*left, strict=True)
        kept.append(replace(stated, cells=cells, seconds=seconds, lines=()))
    return replace(read, stated=tuple(kept))


def test_something_is_fitted_though_each_number_of_ranks_has_other_sizes(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """Every other size of all might have been held out ranks' alone, and nothing was fitted."""
    run = simulated(tmp_path, NODE, "2,4,8", "pingpong,bcast")
    sizes: dict[int, tuple[int, ...]] = {2: (64,), 4: (8, 512), 8: (64,)}
    calibration = calibrated(Analysis(measured_at(run, "bcast", sizes)), "again", "a test")
    bcast = of_pattern(calibration.held_out, "bcast")
    assert [(one.ranks, one.size_bytes) for one in bcast.cells] == [(4, 8), (4, 512)]
    with pytest.raises(UsageError) as caught:
        calibrated(Analysis(measured_at(run, "pingpong", sizes)), "again", "a test")
    assert str(caught.value) == snapshot


def test_a_mode_of_sending_costs_what_its_ping_pong_shows(tmp_path: Path) -> None:
    text = NODE.replace(OWN, OWN.replace("collective.bcast", "nonblocking"))
    run = simulated(tmp_path, text, "2", "pingpong,pingpong_nonblocking,stream")
    calibration = found(run)
    (library,) = calibration.machine.profiles.values()
    assert library.pieces_of(Mode.NONBLOCKING)[0].gap_s_per_byte == pytest.approx(1e-9, rel=1e-3)
    assert library.pieces_of(Mode.STANDARD)[0].gap_s_per_byte == pytest.approx(1e-8, rel=1e-3)
    assert [one.pattern for one in calibration.not_fitted] == ["stream"]
    assert median(of_pattern(calibration.not_fitted, "stream")) < 0.01


def test_what_sends_nothing_is_no_error_of_the_machine(tmp_path: Path) -> None:
    """Packing was simulated as free, and so 100 % off; `simulate` leaves it out, too."""
    read = load(str(simulated(tmp_path, NODE, "2", "pingpong,stream,exchange")))
    packing = [
        replace(one, pattern="pack") if one.pattern == "stream" else one for one in read.cells
    ]
    calibration = calibrated(Analysis(replace(read, cells=tuple(packing))), "again", "a test")
    assert [one.pattern for one in calibration.not_fitted] == ["exchange"]


HOSTS = (
    NODE.replace("nodes:1x16", "nodes:16x1")
    .replace("out_bytes_per_s = 1e9", "out_bytes_per_s = 1e9\nbus_bytes_per_s = 1.2e8")
    .replace('collectives]\nbcast = "linear"', "collectives]")
    .replace(OWN, "")
)


def spread(run: Path) -> Run:
    """The run, as of ranks on a host each."""
    read = load(str(run))
    apart = [
        replace(one, hosts=tuple(f"node{rank}" for rank in range(one.ranks)))
        for one in read.configurations
    ]
    return replace(read, configurations=tuple(apart))


def test_a_bus_is_found_where_ranks_that_exchange_have_hosts_of_their_own(tmp_path: Path) -> None:
    run = simulated(tmp_path, HOSTS, "2,4", "pingpong,exchange,bcast")
    calibration = calibrated(Analysis(spread(run)), "again", "a test")
    machine = calibration.machine
    assert machine.network == "nodes:4x1"
    assert machine.nic.bus_bytes_per_s == pytest.approx(1.2e8, rel=1e-3)
    assert machine.nic.out_bytes_per_s == pytest.approx(1e8, rel=1e-3)
    assert median(of_pattern(calibration.held_out, "exchange")) < 1e-3
    assert median(of_pattern(calibration.held_out, "bcast")) < 1e-3
    assert "exchange" in machine.fitted["nic.bus_bytes_per_s"][0]
    assert parse_machine(machine_text(machine), "again.toml").nic == machine.nic


def test_there_is_no_bus_where_both_ways_are_as_fast_as_one(tmp_path: Path) -> None:
    free = HOSTS.replace("bus_bytes_per_s = 1.2e8\n", "")
    run = simulated(tmp_path, free, "2", "pingpong,exchange")
    calibration = calibrated(Analysis(spread(run)), "again", "a test")
    assert calibration.machine.nic.bus_bytes_per_s is None
    assert [one.pattern for one in calibration.not_fitted] == ["exchange"]


def test_times_that_fall_with_the_size_cost_no_less_than_nothing_a_byte(tmp_path: Path) -> None:
    run = simulated(tmp_path, NODE, "2", "pingpong")
    (patterns,) = measured_patterns(Analysis(load(str(run)))).values()
    trial = PatternTrial(found(run).machine, patterns["pingpong"])
    (library,) = trial.machine.profiles.values()

    def priced(pieces: tuple[ProfilePiece, ...]) -> Profile:
        return replace(library, pieces={Mode.STANDARD: pieces})

    (piece,) = message_costs(trial, {2: (SizeLine((8, 512), (4e-6, 1e-6)),)}, priced)
    assert piece.gap_s_per_byte == 0.0
    assert 1e-6 < piece.send_overhead_s + piece.receive_overhead_s < 4e-6


def taking(run: Path, sizes: tuple[int, ...], seconds: Floats) -> MeasuredPattern:
    """The run's ping-pong, had it taken so long; shape (sizes,) or (sizes, blocks)."""
    (patterns,) = measured_patterns(Analysis(load(str(run)))).values()
    (cell, *_) = patterns["pingpong"].cells.values()
    observations = replace(
        patterns["pingpong"].observations,
        sizes_bytes=sizes,
        seconds=seconds.reshape(1, len(sizes), -1),
    )
    cells = {size: replace(cell, size_bytes=size) for size in sizes}
    return replace(patterns["pingpong"], observations=observations, cells=cells)


def test_a_line_from_below_nought_becomes_several_of_rates_that_fall(tmp_path: Path) -> None:
    run = simulated(tmp_path, NODE, "2", "pingpong")
    sizes = tuple(2**16 * (2 + i) for i in range(16))
    falling = taking(run, sizes, 1e-9 * (np.array(sizes) - 120_000.0))
    trial = PatternTrial(found(run).machine, falling)
    (library,) = trial.machine.profiles.values()

    def priced(pieces: tuple[ProfilePiece, ...]) -> Profile:
        return replace(library, pieces={Mode.STANDARD: pieces})

    pieces = message_costs(trial, falling.lines(), priced)
    assert len(pieces) == 7
    assert all(one.gap_s_per_byte < 1e-9 for one in pieces)
    errors = [one.error for one in trial.cells(priced(pieces), falling.held_out)]
    assert np.median(errors) < 0.05


def test_lines_lie_between_predictions_where_the_form_lacks_what_these_add(tmp_path: Path) -> None:
    """A curve that bends all along, and blocks that are too few and noisy for many pieces."""
    run = simulated(tmp_path, NODE, "2", "pingpong")
    sizes = tuple(8 * 2**i for i in range(20))
    bent = 1e-6 * (1 + 0.01 * np.array(sizes) ** 0.6)
    noise = np.exp(np.random.default_rng(0).normal(0, 0.1, (len(sizes), 6)))
    (lines,) = taking(run, sizes, bent[:, None] * noise).lines().values()
    assert [one.sizes_bytes[0] for one in lines] == list(sizes[:-2:2])
    straight = 1e-6 * (1 + 0.001 * np.array(sizes))
    (lines,) = taking(run, sizes, straight[:, None] * noise).lines().values()
    assert len(lines) == 1
