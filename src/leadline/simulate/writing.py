"""A machine that was measured as the text of a machine file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from leadline.simulate.machine import MachineModel, Profile, ProfilePiece


def machine_text(machine: MachineModel) -> str:
    """TOML that `parse_machine` reads, for machines that a run shows.

    Args:
        machine: Without a crowd, a hardware barrier or rates of computing, and with sources.
    """
    return "\n".join(_lines(machine)) + "\n"


def _lines(machine: MachineModel) -> Iterator[str]:
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
    if machine.nic.bus_bytes_per_s is not None:
        yield f"bus_bytes_per_s = {machine.nic.bus_bytes_per_s!r}"
    for profile in machine.profiles.values():
        yield from _profile(profile)
    yield "\n[sources]"
    yield from (f"{_text(key)} = {_text(said)}" for key, said in machine.sources.items())
    yield "\n[fitted]"
    for key, figures in machine.fitted_to.items():
        yield f"{_text(key)} = [{', '.join(map(_text, figures))}]"


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
    """As TOML has it: DEL is a control, and bytes of a path that are no text are escaped."""
    readable = value.encode("utf-8", "backslashreplace").decode("utf-8")
    return json.dumps(readable, ensure_ascii=False).replace("\x7f", "\\u007f")
