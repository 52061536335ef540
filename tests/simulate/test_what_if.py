"""Machines with a part changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.support.simulated import LATENCY_S, PLAIN, RATE, machine, profile

from leadline.errors import UsageError
from leadline.simulate.machine import Compute, MachineModel
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
    ],
)
def test_each_factor_multiplies_its_value(key: str, value: Callable[[MachineModel], float]) -> None:
    piece = replace(PLAIN, gap_s_per_byte=1e-9)
    library = replace(profile(piece), collective_pieces={"bcast": (piece,)})
    before = machine(bus=RATE, of=library, compute=Compute(1e9, 1e9))
    assert value(changed(before, f"{key}=3x")) == pytest.approx(3 * value(before))


def test_dims_keep_the_kind_of_network() -> None:
    assert changed(machine(4), "dims=4x2").network == "mesh:4x2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lnk=2x", "did you mean 'link'"),
        ("link=2", "no factor above 0"),
        ("link=0x", "no factor above 0"),
        ("link=2x,link=3x", "has link twice"),
        ("bus=2x", "has no bus"),
        ("dims=", "no list of lengths"),
        ("dims=8xx", "no list of lengths"),
    ],
)
def test_what_cannot_be_is_named(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        changed(machine(), text)


def test_suffix_names_the_changes() -> None:
    assert suffix_of("link=2x, dims=8x8x8") == "+link2x+dims8x8x8"
