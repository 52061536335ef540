"""Recognises a library by the text of its wrapper, and by what programs and launchers report.

A text may have the marks of several kinds: the last of them in the table of kinds counts.
"""

from __future__ import annotations

import re

from leadline.backends.kinds import KINDS, Kind, Standard
from leadline.backends.kinds.mpi import STANDARD as MPI
from leadline.hosts.schedulers import SCHEDULERS

STANDARDS = tuple(dict.fromkeys(kind.standard for kind in KINDS.values() if kind.standard))
"""Standards in the order in which their wrappers are looked for."""
LAUNCHERS = frozenset(
    {
        "mpirun",  # older than the standard's name
        *(scheduler.launcher for scheduler in SCHEDULERS),
        *(re.split(r"[.{]", name)[0] for standard in STANDARDS for name in standard.launchers),
    }
)
"""Names of launchers, without the parts by which those of several libraries differ."""
MOST_REPORTED = 60
"""Characters of an unknown library's report that are taken for its version."""


def compiler_names() -> tuple[str, ...]:
    """Names of compiler wrappers: those of each standard, then those of its implementations."""
    return tuple(
        name
        for standard in STANDARDS
        for names in (standard.compilers, *(kind.compilers for kind in _implementing(standard)))
        for name in names
    )


def standard_of(compiler: str) -> Standard:
    """The standard of a wrapper of this name; MPI for a name that is none of the standards' own."""
    return next((s for s in STANDARDS if compiler in s.compilers), MPI)


def kind_by_wrapper(standard: Standard, text: bytes) -> str:
    """The kind whose mark is in the `text` of a wrapper; the standard's name: none is."""
    for kind in reversed(_implementing(standard)):
        if kind.wrapper_mark is not None and kind.wrapper_mark in text:
            return kind.name
    return standard.name


def kind_by_report(standard: Standard, report: str) -> tuple[str, str]:
    """Kind and version in the `report` of a library at run time."""
    for kind in reversed(_implementing(standard)):
        if kind.report is not None and (match := re.search(kind.report, report)):
            return kind.name, match[1]
    return standard.name, report[:MOST_REPORTED].strip()


def is_launcher(name: str) -> bool:
    """Whether a program of this name starts ranks, e.g. mpiexec, mpiexec.hydra or srun."""
    return name.partition(".")[0] in LAUNCHERS


def kind_by_launcher(text: str) -> str | None:
    """The kind of a launcher that prints `text` when asked for its version; None: not known."""
    for kind in reversed(KINDS.values()):
        if kind.launcher_mark is not None and re.search(kind.launcher_mark, text):
            return kind.name
    return None


def _implementing(standard: Standard) -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.standard == standard]
