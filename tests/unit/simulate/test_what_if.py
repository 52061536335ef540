"""Machines with a part changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from harness.simulated import LATENCY_S, PLAIN, RATE, machine, profile
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.measure.spec import Request
from leadline.measure.tracing import described_cells
from leadline.simulate.campaign import Setup, simulated
from leadline.simulate.machine import BarrierTime, Compute, MachineModel
from leadline.simulate.machine_files import machine_named
from leadline.simulate.what_if import changed, suffix_of


def test_factors_multiply_what_they_name_and_nothing_else() -> None:
    before = machine(bus=RATE)
    after = changed(before, "link=2x, latency=0.5x")
    assert after.links.bytes_per_s == 2 * before.links.bytes_per_s
    assert after.nic.latency_s == LATENCY_S / 2
    assert (after.nic.bus_bytes_per_s, after.profiles) == (RATE, before.profiles)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("link", lambda one: one.links.bytes_per_s),
        ("nic", lambda one: one.nic.in_bytes_per_s),
        ("nic", lambda one: one.nic.out_bytes_per_s),
        ("bus", lambda one: one.nic.bus_bytes_per_s),
        ("latency", lambda one: one.links.latency_s),
        ("compute", lambda one: one.compute.flop_per_s),
        ("overhead", lambda one: one.profiles["plain"].pieces["standard"][0].send_overhead_s),
        ("gap", lambda one: one.profiles["plain"].pieces["standard"][0].gap_s_per_byte),
        ("gap", lambda one: one.profiles["plain"].collective_pieces["bcast"][0].gap_s_per_byte),
        ("copy", lambda one: one.profiles["plain"].pieces["standard"][0].copy_bytes_per_s),
        ("barrier", lambda one: one.profiles["plain"].barrier.base_s),
        ("barrier", lambda one: one.profiles["plain"].barrier.doubling_s),
        ("barrier", lambda one: one.profiles["plain"].barrier.rank_s),
    ],
)
def test_each_factor_multiplies_its_value(key: str, value: Callable[[MachineModel], float]) -> None:
    piece = replace(PLAIN, gap_s_per_byte=1e-9, copy_bytes_per_s=RATE)
    library = replace(
        profile(piece), collective_pieces={"bcast": (piece,)}, barrier=BarrierTime(1e-6, 2e-6, 3e-6)
    )
    before = machine(bus=RATE, of=library, compute=Compute(1e9, 1e9))
    assert value(changed(before, f"{key}=3x")) == pytest.approx(3 * value(before))


def test_dims_keep_the_kind_of_network() -> None:
    before = replace(machine(4), network="mesh:2x2")
    assert changed(before, "dims=4x2").network == "mesh:4x2"


def test_what_cannot_be_is_named(snapshot: SnapshotAssertion) -> None:
    given = [
        "lnk=2x",
        "link=2",
        "link=0x",
        "link=2x,link=3x",
        "bus=2x",
        "compute=2x",
        "gap=2x",
        "copy=2x",
        "barrier=2x",
        "link=1x",
        "dims=",
        "dims=8xx",
        "",
        "latency=" + "9" * 320 + "x",
        "link=0." + "0" * 320 + "1x",
        "link=0.0000000001x",
        "dims=4",
        "dims=0x4",
        "dims=9999999x9999999",
    ]
    told = refusals(
        lambda text: changed(replace(machine(), network="mesh:2x2"), text), given, UsageError
    )
    assert told == snapshot


def test_dims_are_as_many_as_the_machine_has(snapshot: SnapshotAssertion) -> None:
    given = [
        ("tree:40x66x1", "8x8"),
        ("nodes:16x1", "32"),
        ("nodes:8,8,4", "16"),
    ]
    told = refusals(
        lambda pair: changed(replace(machine(), network=pair[0]), f"dims={pair[1]}"),
        given,
        UsageError,
    )
    assert told == snapshot


def test_suffix_names_the_changes() -> None:
    assert suffix_of("link=2x, dims=8x8x8") == "+link2x+dims8x8x8"
    assert suffix_of(f"link=2.{'0' * 300}x") == "+link2x"


EVERYTHING = "link=2x,nic=2x,bus=2x,compute=2x,copy=2x,latency=0.5x,overhead=0.5x,gap=0.5x"


@pytest.mark.parametrize("library", ["mpich", "cray-mpi"])
def test_all_rates_doubled_and_all_times_halved_take_half_as_long(library: str) -> None:
    t3e = machine_named("cray-t3e-900")
    patterns = ("pair", "halo", "stream", "pingpong_buffered", "allreduce", "alltoall")
    cells = described_cells(Request(patterns=patterns, sizes=(8, 65536), ranks=(12,)))
    of_each = [
        simulated(Setup("", one, one.profiles[library]), cells, lambda _: None).ranks[0].seconds
        for one in (t3e, changed(t3e, EVERYTHING))
    ]
    assert of_each[1] == pytest.approx([seconds / 2 for seconds in of_each[0]], rel=1e-9)
