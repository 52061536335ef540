"""Calls of patterns, as ranks over the backend trace write them down."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from harness.kernels import kernel
from harness.scripts import obey

from leadline.kernels.build import Additions
from leadline.kernels.messages import Fault, Traced
from leadline.topology.phases import Call, parse_calls

Logs = list[dict[int, list[Call]]]
"""Of each rank, by the number of the slice."""


def trace(
    lines: tuple[str, ...],
    ranks: int,
    folder: Path,
    additions: Additions | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Logs, list[Fault]]:
    """What ranks did for each of `lines`, and found wrong."""
    commands = tuple(f"trace {line}" for line in lines)
    output = obey(kernel("trace", additions), commands, folder, ranks, environment=environment)
    logs = [
        {one.id: list(parse_calls(one.text)) for one in rank if isinstance(one, Traced)}
        for rank in output
    ]
    return logs, [message for rank in output for message in rank if isinstance(message, Fault)]


def trace_one(words: str, ranks: int, folder: Path) -> list[list[Call]]:
    """What each rank did for one cell, which nothing is wrong with."""
    logs, faults = trace((f"id=1 {words}",), ranks, folder)
    assert faults == []
    return [log[1] for log in logs]
