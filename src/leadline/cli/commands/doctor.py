"""`leadline doctor`: what is on this machine, what is missing, and how to get it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.machine import HostFacts

if TYPE_CHECKING:
    from leadline.backends.backend import Backend
    from leadline.hosts.cleanup.sweep import Swept


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline doctor`."""
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    parser.add_argument(
        "--mpicc", action="append", default=[], metavar="PATH", help="one more MPI (repeatable)"
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true",
        help="also each library's compiler, variables, and what it says of how it was built",
    )  # fmt: skip
    parser.add_argument(
        "--clean", action="store_true",
        help="first remove what front-ends of yours that were killed left: folders, shared memory, "
        "processes",
    )  # fmt: skip


def execute(arguments: argparse.Namespace) -> int:
    """Prints the report; 0 also where something is missing, which is what it is there to say."""
    from leadline.backends.discovery import find_backends
    from leadline.hosts.this_host import describe_machine, machine_caveats
    from leadline.measure.system import OPERATING_SYSTEM

    swept = OPERATING_SYSTEM.sweep() if arguments.clean else None
    machine, backends = describe_machine(), find_backends(arguments.mpicc)
    caveats = [*machine_caveats(machine), *backend_caveats(backends)]
    if arguments.json:
        _print_json(machine, backends, caveats, swept)
    else:
        from leadline.report.text.doctor import print_details, print_report

        print_report(machine, backends, caveats, swept)
        print_details(backends if arguments.verbose else ())
    return 0


def backend_caveats(backends: Sequence[Backend]) -> list[Caveat]:
    """One warning for each backend that is there, or could be, and can't be used."""
    return [
        CaveatKind.BACKEND.because(f"{backend.name}: {backend.reason}", install=backend.remedy)
        for backend in backends
        if not backend.usable
    ]


def _print_json(
    machine: HostFacts,
    backends: Sequence[Backend],
    caveats: Sequence[Caveat],
    swept: Swept | None,
) -> None:
    from leadline.report.formats.json_text import document_text
    from leadline.report.programs.hosts import DoctorContent

    content: DoctorContent = {
        "machine": machine, "backends": backends, "warnings": caveats, "removed": swept,
    }  # fmt: skip
    print(document_text(content))
