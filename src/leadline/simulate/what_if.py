"""The same machine with a part of it changed: link=2x,latency=0.5x,dims=16x8x8."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from leadline.errors import UsageError, naming, unknown_name
from leadline.simulate.machine import (
    BarrierTime,
    Compute,
    Links,
    MachineModel,
    Nic,
    ProfilePiece,
)

_FACTOR = re.compile(r"(\d+(?:\.\d+)?)x")
_LENGTHS = re.compile(r"\d+(x\d+)*")
_DIMS = "dims"
MOST_FACTOR = 1e9
"""Largest factor; the smallest is one over it."""


def changed(machine: MachineModel, text: str) -> MachineModel:
    """`machine` with the changes that `text` lists: KEY=FACTORx,..., and dims=8x8x8.

    UsageError: an unknown key, one that comes twice, an invalid or too large factor, or dims that
    the network can't have.
    """
    for key, value in _changes(text).items():
        if key == _DIMS:
            machine = _with_dims(machine, value)
            continue
        factor = _factor(key, value)
        other = _FACTORS[key](machine, factor)
        if other == machine:
            why = "a factor of 1" if factor == 1 else f"{machine.name} has none, or 0, or no limit"
            raise UsageError(f"--what-if {key}={value} changes nothing: {why}; leave it out")
        machine = other
    return machine


def suffix_of(text: str) -> str:
    """The end of a changed machine's name: "+link2x+latency0.5x"."""
    return "".join(
        f"+{key}{value}" if key == _DIMS else f"+{key}{_factor(key, value):.9g}x"
        for key, value in _changes(text).items()
    )


def _changes(text: str) -> dict[str, str]:
    """The new value of each key."""
    if not text.strip():
        raise UsageError("--what-if changes nothing; write e.g. link=2x,latency=0.5x")
    values: dict[str, str] = {}
    for word in text.split(","):
        key, _, value = word.strip().partition("=")
        if key not in (*_FACTORS, _DIMS):
            raise unknown_name("key of --what-if", key[:40], (*_FACTORS, _DIMS))
        if key in values:
            raise UsageError(f"--what-if {text!r} has {key} twice; give it once")
        values[key] = value
    return values


def _factor(key: str, value: str) -> float:
    match = _FACTOR.fullmatch(value)
    seen = f"--what-if {key}={value[:40]}"
    if match is None or float(match[1]) == 0:
        raise UsageError(f"{seen} is no factor above 0; write e.g. {key}=2x")
    factor = float(match[1])
    if not 1 / MOST_FACTOR <= factor <= MOST_FACTOR:
        raise UsageError(f"{seen} must be from {1 / MOST_FACTOR:.9f}x to {MOST_FACTOR:.0f}x")
    return factor


def _with_dims(machine: MachineModel, dims: str) -> MachineModel:
    """The machine with a network of the same kind that has other lengths, as many as before."""
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
"""What lengths mean where they aren't those of axes, by kind of network."""


# -- what a factor changes -------------------------------------------------------------------------


_Record = TypeVar("_Record", Links, Nic, Compute, ProfilePiece, BarrierTime)


def _times(record: _Record, factor: float, *names: str) -> _Record:
    """`record` with these fields multiplied by `factor`, those that aren't None."""
    values = {name: getattr(record, name) for name in names}
    return replace(record, **{k: factor * v for k, v in values.items() if v is not None})


def _repriced(machine: MachineModel, factor: float, names: Sequence[str]) -> MachineModel:
    """The machine with these costs multiplied in all messages of all libraries and collectives."""

    def priced(pieces: tuple[ProfilePiece, ...]) -> tuple[ProfilePiece, ...]:
        return tuple(_times(piece, factor, *names) for piece in pieces)

    profiles = {
        name: replace(
            profile,
            pieces={mode: priced(pieces) for mode, pieces in profile.pieces.items()},
            collective_pieces={key: priced(of) for key, of in profile.collective_pieces.items()},
        )
        for name, profile in machine.profiles.items()
    }
    return replace(machine, profiles=profiles)


def _barrier(machine: MachineModel, factor: float) -> MachineModel:
    """The machine with slower or faster barriers of its hardware."""
    profiles = dict(machine.profiles)
    for name, profile in profiles.items():
        if profile.barrier is not None:
            barrier = _times(profile.barrier, factor, "base_s", "doubling_s", "rank_s")
            profiles[name] = replace(profile, barrier=barrier)
    return replace(machine, profiles=profiles)


_FACTORS: Mapping[str, Callable[[MachineModel, float], MachineModel]] = {
    "link": lambda machine, factor: replace(
        machine, links=_times(machine.links, factor, "bytes_per_s")
    ),
    "latency": lambda machine, factor: replace(
        machine,
        links=_times(machine.links, factor, "latency_s"),
        nic=_times(machine.nic, factor, "latency_s"),
    ),
    "nic": lambda machine, factor: replace(
        machine, nic=_times(machine.nic, factor, "in_bytes_per_s", "out_bytes_per_s")
    ),
    "bus": lambda machine, factor: replace(
        machine, nic=_times(machine.nic, factor, "bus_bytes_per_s")
    ),
    "compute": lambda machine, factor: replace(
        machine, compute=_times(machine.compute, factor, "flop_per_s", "bytes_per_s")
    ),
    "overhead": partial(_repriced, names=("send_overhead_s", "receive_overhead_s")),
    "gap": partial(_repriced, names=("gap_s_per_byte",)),
    "copy": partial(_repriced, names=("copy_bytes_per_s",)),
    "barrier": _barrier,
}
"""The changes by key: what its factor multiplies."""
