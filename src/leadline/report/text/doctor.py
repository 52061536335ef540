"""The machine and its backends, as `leadline doctor` prints them."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from leadline.backends.backend import Backend
from leadline.errors import printable
from leadline.hosts.cleanup.sweep import Swept
from leadline.record.machine import HostFacts
from leadline.record.warnings import RunWarning
from leadline.report.text.catalogue import DoctorWords

PLAIN_WIDTH = 10_000
"""Away from a terminal nothing is wrapped or cut."""


def print_report(
    machine: HostFacts,
    backends: Sequence[Backend],
    warnings: Sequence[RunWarning],
    swept: Swept | None = None,
) -> None:
    """Prints the machine, the backends, and the warnings with their remedies, on stdout.

    Args:
        machine: Facts of this host.
        backends: All that are known, usable or not.
        warnings: The warnings.
        swept: What was removed before, which comes first; None: nothing was to be removed.
    """
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    width = console.width
    for label, text in (*swept_lines(swept), *machine_lines(machine)):
        console.print(within(f"{label:<10} {text}", width, 11), soft_wrap=True)
    console.print()
    with console.capture() as table:
        console.print(backend_table(backends, width))
    for line in table.get().splitlines():
        console.out(line.rstrip(), highlight=False)
    for warning in warnings:
        cause = within(f"warning ({warning.code}): {warning.cause}", width, 4)
        console.print(cause, style="yellow", soft_wrap=True)
        console.print(within(f"    {warning.remedy}", width, 4), soft_wrap=True)


def within(text: str, width: int, indent: int) -> str:
    """`text` broken between words at `width`, later lines indented; a long word stays whole."""
    return "\n".join(
        textwrap.wrap(
            printable(text), width, subsequent_indent=" " * indent, break_long_words=False,
            break_on_hyphens=False, drop_whitespace=True, replace_whitespace=False,
        )
    )  # fmt: skip


def folded_path(path: str, room: int) -> str:
    """`path` in lines of `room` characters, broken after slashes alone; below the home by ~."""
    home = os.path.expanduser("~")  # noqa: PTH111  # "~" where it isn't known
    shown = f"~{path.removeprefix(home)}" if path.startswith(f"{home}/") else path
    lines = [""]
    for part in re.split(r"(?<=/)(?=.)", shown):
        if lines[-1] and len(lines[-1] + part) > room:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def swept_lines(swept: Swept | None) -> list[tuple[str, str]]:
    """Label and text of what was removed, a line each; none where it wasn't asked for."""
    if swept is None:
        return []
    ended = [DoctorWords.ENDED(processes=swept.processes)] if swept.processes else []
    lines = [*swept.folders, *swept.segments, *ended] or [DoctorWords.NOTHING_SWEPT()]
    return [("removed", line) for line in lines]


def machine_lines(machine: HostFacts) -> list[tuple[str, str]]:
    """Label and text of each fact, "unknown" where it is not known."""
    shown = machine.shown
    binding = DoctorWords.BOUND() if machine.pinning else DoctorWords.UNBOUND()
    places = (("container", machine.container), ("virtual machine", machine.virtual_machine))
    kind = " in a ".join(name for name, inside in places if inside) or DoctorWords.BARE()
    return [
        ("host", f"{shown('host')}, {shown('kernel')}, {shown('architecture')}, {kind}"),
        ("processor", shown("cpu")),
        (
            "cores",
            DoctorWords.CORES(
                allowed=len(machine.allowed_cpus or ()), cores=shown("cores"), binding=binding
            ),
        ),
        (
            "layout",
            DoctorWords.LAYOUT(
                sockets=shown("sockets"),
                numa_nodes=shown("numa_nodes"),
                threads_per_core=shown("threads_per_core"),
            ),
        ),
        ("network", machine.network or DoctorWords.NO_NETWORK()),
        (
            "clock",
            DoctorWords.CLOCK(clock=shown("clock_source"), reading=shown("clock_read_at_most_ns")),
        ),
        ("governor", machine.governor or DoctorWords.NO_GOVERNOR()),
        ("load", shown("load_1min")),
        (
            "memory",
            DoctorWords.MEMORY(
                available=shown("memory_available_bytes"),
                total=shown("memory_total_bytes"),
                shared=shown("shared_memory_free_bytes"),
                cache=shown("last_level_cache_bytes"),
            ),
        ),
    ]


COLUMNS = ("backend", "version", "usable", "shared memory", "launcher")


def backend_table(backends: Sequence[Backend], width: int = PLAIN_WIDTH) -> Table:
    """One row a backend, without boxes; launchers are folded where `width` is too small."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in COLUMNS:
        table.add_column(column, overflow="fold")
    rows = [
        [
            printable(cell, "")
            for cell in (
                backend.name,
                backend.version or "-",
                "yes" if backend.usable else "no",
                backend.shared_memory,
                backend.launcher or "-",
            )
        ]
        for backend in backends
    ]
    used = sum(2 + max(map(len, column)) for column in zip(COLUMNS[:-1], *rows, strict=False))
    for backend, (*cells, launcher) in zip(backends, rows, strict=True):
        shown = folded_path(launcher, width - used)
        table.add_row(*cells, shown, style=None if backend.usable else "dim")
    return table


def print_details(backends: Sequence[Backend]) -> None:
    """Prints what is known besides of each of `backends`, on stdout."""
    for line in detail_lines(backends):
        print(printable(line))


def detail_lines(backends: Sequence[Backend]) -> Iterator[str]:
    """Compiler, variables, and the library's own report on how it was built, of usable backends.

    Backends without a library have none of these.
    """
    for backend in backends:
        if not backend.usable or not (backend.configuration or backend.environment):
            continue
        yield from ("", f"{backend.name}: {backend.compiler}")
        yield from (f"    {key}={value}" for key, value in backend.environment.items())
        yield from (f"    {line}".rstrip() for line in backend.configuration.splitlines())
