"""The same machine with a part of it changed: link=2x,latency=0.5x,dims=16x8x8."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from leadline.errors import UsageError, unknown_name
from leadline.simulate.machine import Compute, Links, MachineModel, Nic, ProfilePiece

_FACTOR = re.compile(r"(\d+(?:\.\d+)?)x")
_LENGTHS = re.compile(r"\d+(x\d+)*")
_DIMS = "dims"


def changed(machine: MachineModel, text: str) -> MachineModel:
    """`machine` with the changes that `text` lists: KEY=FACTORx,..., and dims=8x8x8.

    UsageError: an unknown key, one that comes twice, a factor that is none, or not above 0.
    """
    seen = set[str]()
    for word in text.split(","):
        key, _, value = word.strip().partition("=")
        if key not in (*_CHANGES, _DIMS):
            raise unknown_name("key of --what-if", key, (*_CHANGES, _DIMS))
        if key in seen:
            raise UsageError(f"--what-if {text!r} has {key} twice; give it once")
        seen.add(key)
        if key == _DIMS:
            machine = _cut(machine, value)
        else:
            machine = _CHANGES[key](machine, _factor(word, value))
    return machine


def suffix_of(text: str) -> str:
    """What the name of a changed machine ends in: "+link2x+latency0.5x"."""
    return "".join("+" + word.strip().replace("=", "") for word in text.split(","))


def _factor(word: str, value: str) -> float:
    match = _FACTOR.fullmatch(value)
    if match is None or float(match[1]) == 0:
        raise UsageError(f"--what-if {word!r} is no factor above 0; write e.g. link=2x")
    return float(match[1])


def _cut(machine: MachineModel, dims: str) -> MachineModel:
    """The network with other dims: the same kind in the words of `leadline map`."""
    if not _LENGTHS.fullmatch(dims):
        raise UsageError(f"--what-if dims={dims} is no list of lengths; write e.g. dims=16x8x8")
    kind = machine.network.partition(":")[0]
    return replace(machine, network=f"{kind}:{dims}")


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
        raise UsageError(f"--what-if bus={factor:g}x: {machine.name} has no bus; leave it out")
    return replace(machine, nic=replace(machine.nic, bus_bytes_per_s=bus * factor))


def _compute(machine: MachineModel, factor: float) -> MachineModel:
    own = machine.compute
    return replace(machine, compute=Compute(own.flop_per_s * factor, own.bytes_per_s * factor))


def _overhead(machine: MachineModel, factor: float) -> MachineModel:
    return _repriced(machine, lambda one: _busier(one, factor))


def _gap(machine: MachineModel, factor: float) -> MachineModel:
    return _repriced(machine, lambda one: replace(one, gap_s_per_byte=one.gap_s_per_byte * factor))


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
}
"""What each key's factor multiplies."""
