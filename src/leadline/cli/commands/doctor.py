"""`leadline doctor`: what is on this machine, what is missing, and how to get it."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline doctor`."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--mpicc",
        action="append",
        default=[],
        metavar="PATH",
        help="one more MPI, by the path of its compiler wrapper (repeatable)",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true",
        help="also each library's compiler, variables and build configuration",
    )  # fmt: skip
    parser.add_argument(
        "--clean", action="store_true",
        help="first remove what killed front-ends of yours left: folders, shared memory, processes",
    )  # fmt: skip


def execute(arguments: argparse.Namespace) -> int:
    """Prints the report; 0, also where something is missing, which it is there to report."""
    from leadline.backends.discovery import find_backends
    from leadline.hosts.this_host import describe_machine, machine_warnings
    from leadline.measure.system import OPERATING_SYSTEM
    from leadline.record.warnings import WarningKind, warning_of

    swept = OPERATING_SYSTEM.sweep() if arguments.clean else None
    machine, backends = describe_machine(), find_backends(arguments.mpicc)
    warnings = machine_warnings(machine) + [
        warning_of(
            WarningKind.BACKEND,
            backend=backend.name,
            reason=backend.reason,
            install=backend.remedy,
        )
        for backend in backends
        if not backend.usable
    ]
    if arguments.json:
        from leadline.report.formats.json_text import document_text
        from leadline.report.programs.hosts import DoctorContent

        content: DoctorContent = {
            "machine": machine, "backends": backends, "warnings": warnings, "removed": swept,
        }  # fmt: skip
        print(document_text(content))
    else:
        from leadline.report.text.doctor import print_details, print_report

        print_report(machine, backends, warnings, swept)
        print_details(backends if arguments.verbose else ())
    return 0
