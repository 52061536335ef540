"""What `leadline doctor` prints."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from leadline.backends.backend import Backend
from leadline.errors import printable
from leadline.hosts.remains import Swept
from leadline.record.caveats import Caveat
from leadline.record.machine import HostFacts

PLAIN_WIDTH = 10_000
"""Away from a terminal nothing is wrapped or cut."""


def print_report(
    machine: HostFacts,
    backends: Sequence[Backend],
    caveats: Sequence[Caveat],
    swept: Swept | None = None,
) -> None:
    """Prints the machine, the backends, and the warnings with their remedies, on stdout.

    First what was `swept`; None: nobody asked.
    """
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    for label, text in (*swept_lines(swept), *machine_lines(machine)):
        console.print(f"{label:<10} {printable(text)}", soft_wrap=True)
    console.print()
    console.print(backend_table(backends))
    for caveat in caveats:
        cause, remedy = printable(caveat.cause), printable(caveat.remedy)
        console.print(f"warning ({caveat.code}): {cause}", style="yellow", soft_wrap=True)
        console.print(f"    {remedy}", soft_wrap=True)


def swept_lines(swept: Swept | None) -> list[tuple[str, str]]:
    """What was removed, a line each; that there was nothing, where somebody asked."""
    if swept is None:
        return []
    ended = [f"{swept.processes} processes, ended"] if swept.processes else []
    lines = [*swept.folders, *swept.segments, *ended] or ["nothing: no killed front-end left any"]
    return [("removed", line) for line in lines]


def machine_lines(machine: HostFacts) -> list[tuple[str, str]]:
    """Label and text of each fact; "unknown" where it is."""
    shown = machine.shown
    binding = "ranks can be bound" if machine.pinning else "ranks can't be bound"
    places = (("container", machine.container), ("virtual machine", machine.virtual_machine))
    kind = " in a ".join(name for name, inside in places if inside) or "neither container nor VM"
    return [
        ("host", f"{shown('host')}, {shown('kernel')}, {shown('architecture')}, {kind}"),
        ("processor", shown("cpu")),
        ("cores", f"{len(machine.allowed_cpus or ())} of {shown('cores')} allowed, {binding}"),
        (
            "layout",
            f"sockets {shown('sockets')}, NUMA nodes {shown('numa_nodes')}, "
            f"threads per core {shown('threads_per_core')}",
        ),
        ("network", machine.network or "no device visible"),
        ("clock", f"{shown('clock_source')}, at most {shown('clock_read_at_most_ns')} a reading"),
        ("governor", machine.governor or "not visible"),
        ("load", shown("load_1min")),
        (
            "memory",
            f"{shown('memory_available_bytes')} of {shown('memory_total_bytes')} available, "
            f"/dev/shm {shown('shared_memory_free_bytes')}, "
            f"last-level cache {shown('last_level_cache_bytes')}",
        ),
    ]


def backend_table(backends: Sequence[Backend]) -> Table:
    """One line a backend, without boxes, so that it can be read by machines too."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("backend", "version", "usable", "shared memory", "launcher"):
        table.add_column(column, overflow="fold")
    for backend in backends:
        cells = (
            backend.name,
            backend.version or "-",
            "yes" if backend.usable else "no",
            backend.shared_memory,
            backend.launcher or "-",
        )
        shown = (printable(cell, "") for cell in cells)
        table.add_row(*shown, style=None if backend.usable else "dim")
    return table
