"""A machine that was measured as the text of a machine file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from leadline.simulate.machine import MachineModel, Profile, ProfilePiece


def machine_text(machine: MachineModel, source: str) -> str:
    """TOML that `parse_machine` reads, for machines that are one node.

    Args:
        machine: Without a bus, a hardware barrier or rates of computing.
        source: Where its profiles come from, e.g. "calibrated from run-1, measured 2026-01-02".
    """
    return "\n".join(_lines(machine, source)) + "\n"


def _lines(machine: MachineModel, source: str) -> Iterator[str]:
    unused = "no message inside one node passes it; the fastest rate that was measured stands in"
    yield from (
        f"name = {_text(machine.name)}",
        f"summary = {_text(machine.summary)}",
        f"network = {_text(machine.network)}",
        f"allocation = {_text(machine.allocation)}",
        f"cores_per_node = {machine.cores_per_node}",
        f"ties = {_text('split' if machine.split_ties else 'one way')}",
        "\n[links]",
        f"bytes_per_s = {machine.links.bytes_per_s!r}",
        f"latency_s = {machine.links.latency_s!r}",
        "\n[nic]",
        f"latency_s = {machine.nic.latency_s!r}",
        f"in_bytes_per_s = {machine.nic.in_bytes_per_s!r}",
        f"out_bytes_per_s = {machine.nic.out_bytes_per_s!r}",
    )
    for profile in machine.profiles.values():
        yield from _profile(profile)
    yield "\n[sources]"
    for key in ("network", "allocation", "cores_per_node"):
        yield f"{key} = {_text('the ranks of the run, as if on one node')}"
    yield f"ties = {_text('there is one way only')}"
    yield f"links = {_text(unused)}"
    yield f"nic = {_text(unused)}"
    yield f"profiles = {_text(source)}"
    yield "\n[fitted]"
    yield f"profiles = [{_text(source)}]"


def _profile(profile: Profile) -> Iterator[str]:
    path = f"profiles.{_text(profile.name)}"
    yield from (f"\n[{path}]", f"summary = {_text(profile.summary)}")
    if profile.collectives:
        yield f"\n[{path}.collectives]"
        yield from (f"{key} = {_text(word)}" for key, word in profile.collectives.items())
    for mode, pieces in profile.pieces.items():
        yield from _pieces(f"{path}.{mode}", pieces)
    for collective, pieces in profile.collective_pieces.items():
        yield from _pieces(f"{path}.collective.{collective}", pieces)


def _pieces(path: str, pieces: Sequence[ProfilePiece]) -> Iterator[str]:
    for piece in pieces:
        yield from (
            f"\n[[{path}]]",
            f"least_bytes = {piece.least_bytes}",
            f"send_overhead_s = {piece.send_overhead_s!r}",
            f"receive_overhead_s = {piece.receive_overhead_s!r}",
            f"gap_s_per_byte = {piece.gap_s_per_byte!r}",
        )


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
