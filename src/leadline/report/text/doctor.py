"""What `leadline doctor` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from leadline.backends.backend import Backend
from leadline.record.caveats import Caveat

PLAIN_WIDTH = 10_000
"""Away from a terminal nothing is wrapped or cut."""


def print_report(
    machine: Mapping[str, Any], backends: Sequence[Backend], caveats: Sequence[Caveat]
) -> None:
    """Prints the machine, the backends, and the warnings with their remedies, on stdout."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    for label, text in machine_lines(machine):
        console.print(f"{label:<10} {text}", soft_wrap=True)
    console.print()
    console.print(backend_table(backends))
    for caveat in caveats:
        console.print(f"warning ({caveat.code}): {caveat.cause}", style="yellow", soft_wrap=True)
        console.print(f"    {caveat.remedy}", soft_wrap=True)


def machine_lines(machine: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Label and text of each fact; "unknown" where it is."""
    allowed = machine["allowed_cpus"]
    binding = "ranks can be bound" if machine["pinning"] else "ranks can't be bound"
    places = [name for name in ("container", "virtual_machine") if machine[name]]
    kind = " in a ".join(place.replace("_", " ") for place in places) or "neither container nor VM"
    return [
        ("host", f"{machine['host']}, {machine['kernel']}, {machine['architecture']}, {kind}"),
        ("processor", machine["cpu"] or "unknown"),
        ("cores", f"{len(allowed)} of {machine['cores']} allowed, {binding}"),
        (
            "clock",
            f"{machine['clock_source'] or 'unknown'}, "
            f"at most {machine['clock_read_at_most_ns']:g} ns a reading",
        ),
        ("governor", machine["governor"] or "not visible"),
        ("load", f"{machine['load_1min']:g}"),
        (
            "memory",
            f"{_mebibytes(machine['memory_available_bytes'])} of "
            f"{_mebibytes(machine['memory_total_bytes'])} available, "
            f"/dev/shm {_mebibytes(machine['shared_memory_free_bytes'])}, "
            f"last-level cache {_mebibytes(machine['last_level_cache_bytes'])}",
        ),
    ]


def backend_table(backends: Sequence[Backend]) -> Table:
    """One line a backend, without boxes, so that it can be read by machines too."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("backend", "version", "usable", "shared memory", "launcher"):
        table.add_column(column, overflow="fold")
    for backend in backends:
        table.add_row(
            backend.name,
            backend.version or "-",
            "yes" if backend.usable else "no",
            backend.shared_memory,
            backend.launcher or "-",
            style=None if backend.usable else "dim",
        )
    return table


def _mebibytes(size_bytes: int | None) -> str:
    return "unknown" if size_bytes is None else f"{size_bytes / 2**20:,.0f} MiB"
