"""The same machine with a part of it changed: link=2x,latency=0.5x,dims=16x8x8."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from leadline.errors import UsageError, naming, unknown_name
from leadline.simulate.machine import (
    BarrierTime,
    Compute,
    Links,
    MachineModel,
    Nic,
    Profile,
    ProfilePiece,
)

_FACTOR = re.compile(r"(\d+(?:\.\d+)?)x")
_LENGTHS = re.compile(r"\d+(x\d+)*")
_DIMS = "dims"
MOST_FACTOR = 1e9
"""Neither more than this, nor less than one over it."""


def changed(machine: MachineModel, text: str) -> MachineModel:
    """`machine` with the changes that `text` lists: KEY=FACTORx,..., and dims=8x8x8.

    UsageError: an unknown key, one that comes twice, a factor that is none or too large, or dims
    that the network can't have.
    """
    for key, value in _changes(text).items():
        machine = _cut(machine, value) if key == _DIMS else _scaled(machine, key, value)
    return machine


def suffix_of(text: str) -> str:
    """What the name of a changed machine ends in: "+link2x+latency0.5x"."""
    return "".join(f"+{key}{_short(key, value)}" for key, value in _changes(text).items())


def _changes(text: str) -> dict[str, str]:
    """What each key is to become."""
    if not text.strip():
        raise UsageError("--what-if changes nothing; write e.g. link=2x,latency=0.5x")
    found: dict[str, str] = {}
    for word in text.split(","):
        key, _, value = word.strip().partition("=")
        if key not in (*_CHANGES, _DIMS):
            raise unknown_name("key of --what-if", key[:40], (*_CHANGES, _DIMS))
        if key in found:
            raise UsageError(f"--what-if {text!r} has {key} twice; give it once")
        found[key] = value
    return found


def _short(key: str, value: str) -> str:
    return value if key == _DIMS else f"{_factor(key, value):.9g}x"


def _factor(key: str, value: str) -> float:
    match = _FACTOR.fullmatch(value)
    seen = f"--what-if {key}={value[:40]}"
    if match is None or float(match[1]) == 0:
        raise UsageError(f"{seen} is no factor above 0; write e.g. {key}=2x")
    factor = float(match[1])
    if not 1 / MOST_FACTOR <= factor <= MOST_FACTOR:
        raise UsageError(f"{seen} must be from {1 / MOST_FACTOR:.9f}x to {MOST_FACTOR:.0f}x")
    return factor


def _scaled(machine: MachineModel, key: str, value: str) -> MachineModel:
    factor = _factor(key, value)
    other = _CHANGES[key](machine, factor)
    if other == machine:
        why = "a factor of 1" if factor == 1 else f"{machine.name} has none, or 0, or no limit"
        raise UsageError(f"--what-if {key}={value} changes nothing: {why}; leave it out")
    return other


def _cut(machine: MachineModel, dims: str) -> MachineModel:
    """The network with other lengths, as many as it has: of the same kind."""
    kind, _, body = machine.network.partition(":")
    seen = f"--what-if dims={dims[:40]}"
    if not _LENGTHS.fullmatch(dims) or not _LENGTHS.fullmatch(body):
        what = f"{seen} is no list of lengths in place of those of {machine.network}"
        raise UsageError(f"{what}; write e.g. dims=16x8x8")
    if dims.count("x") != body.count("x"):
        raise UsageError(
            f"{seen} has {dims.count('x') + 1} lengths, {machine.network} has "
            f"{body.count('x') + 1}; write as many{_MEANING.get(kind, '')}"
        )
    other = replace(machine, network=f"{kind}:{dims}")
    with naming(seen):
        other.allocate(1)
    return other


_MEANING = {
    "nodes": ": nodes, then cores of each",
    "tree": ": what is below each switch, from the top down, and last the cores of a node",
}
"""Of the lengths, where they aren't those of axes."""


# -- what a factor changes -------------------------------------------------------------------------


def _link(machine: MachineModel, factor: float) -> MachineModel:
    links: Links = replace(machine.links, bytes_per_s=machine.links.bytes_per_s * factor)
    return replace(machine, links=links)


def _latency(machine: MachineModel, factor: float) -> MachineModel:
    links = replace(machine.links, latency_s=machine.links.latency_s * factor)
    return replace(
        machine, links=links, nic=replace(machine.nic, latency_s=machine.nic.latency_s * factor)
    )


def _nic(machine: MachineModel, factor: float) -> MachineModel:
    nic: Nic = machine.nic
    return replace(
        machine,
        nic=replace(
            nic,
            in_bytes_per_s=nic.in_bytes_per_s * factor,
            out_bytes_per_s=nic.out_bytes_per_s * factor,
        ),
    )


def _bus(machine: MachineModel, factor: float) -> MachineModel:
    bus = machine.nic.bus_bytes_per_s
    if bus is None:
        return machine
    return replace(machine, nic=replace(machine.nic, bus_bytes_per_s=bus * factor))


def _compute(machine: MachineModel, factor: float) -> MachineModel:
    own = machine.compute
    return replace(machine, compute=Compute(own.flop_per_s * factor, own.bytes_per_s * factor))


def _overhead(machine: MachineModel, factor: float) -> MachineModel:
    return _repriced(machine, lambda one: _busier(one, factor))


def _gap(machine: MachineModel, factor: float) -> MachineModel:
    return _repriced(machine, lambda one: replace(one, gap_s_per_byte=one.gap_s_per_byte * factor))


def _copy(machine: MachineModel, factor: float) -> MachineModel:
    return _repriced(machine, lambda one: _copied(one, factor))


def _barrier(machine: MachineModel, factor: float) -> MachineModel:
    profiles = {name: _waiting(one, factor) for name, one in machine.profiles.items()}
    return replace(machine, profiles=profiles)


def _copied(piece: ProfilePiece, factor: float) -> ProfilePiece:
    rate = piece.copy_bytes_per_s
    return piece if rate is None else replace(piece, copy_bytes_per_s=rate * factor)


def _waiting(profile: Profile, factor: float) -> Profile:
    own = profile.barrier
    if own is None:
        return profile
    terms = (own.base_s, own.doubling_s, own.rank_s)
    return replace(profile, barrier=BarrierTime(*(factor * term for term in terms)))


def _busier(piece: ProfilePiece, factor: float) -> ProfilePiece:
    return replace(
        piece,
        send_overhead_s=piece.send_overhead_s * factor,
        receive_overhead_s=piece.receive_overhead_s * factor,
    )


def _repriced(
    machine: MachineModel, change: Callable[[ProfilePiece], ProfilePiece]
) -> MachineModel:
    """All messages of all libraries, those of collectives too."""
    profiles = {
        name: replace(
            one,
            pieces={mode: tuple(map(change, of)) for mode, of in one.pieces.items()},
            collective_pieces={
                key: tuple(map(change, of)) for key, of in one.collective_pieces.items()
            },
        )
        for name, one in machine.profiles.items()
    }
    return replace(machine, profiles=profiles)


_CHANGES: Mapping[str, Callable[[MachineModel, float], MachineModel]] = {
    "link": _link,
    "latency": _latency,
    "nic": _nic,
    "bus": _bus,
    "compute": _compute,
    "overhead": _overhead,
    "gap": _gap,
    "copy": _copy,
    "barrier": _barrier,
}
"""What each key's factor multiplies."""
