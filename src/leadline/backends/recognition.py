"""Which library speaks, in what a wrapper, a program or a launcher says of itself.

A text may bear the marks of several: that of the last in the table of kinds tells.
"""

from __future__ import annotations

import re

from leadline.backends.kinds import KINDS, Kind, Standard
from leadline.backends.kinds.mpi import STANDARD as MPI
from leadline.hosts.schedulers import SCHEDULERS

STANDARDS = tuple(dict.fromkeys(kind.standard for kind in KINDS.values() if kind.standard))
"""In the order in which they are looked for."""
LAUNCHERS = frozenset(
    {
        "mpirun",  # older than the standard's name
        *(scheduler.launcher for scheduler in SCHEDULERS),
        *(re.split(r"[.{]", name)[0] for standard in STANDARDS for name in standard.launchers),
    }
)
"""What launchers are called, without what distinguishes those of several libraries."""
MOST_REPORTED = 60
"""Characters of an unknown library's report that are its version."""


def compiler_names() -> tuple[str, ...]:
    """What compiler wrappers are called, by each standard and by those that implement it."""
    return tuple(
        name
        for standard in STANDARDS
        for names in (standard.compilers, *(kind.compilers for kind in _implementing(standard)))
        for name in names
    )


def standard_of(compiler: str) -> Standard:
    """What a wrapper of this name compiles; under any other name than the standards' own, MPI."""
    return next((s for s in STANDARDS if compiler in s.compilers), MPI)


def kind_by_wrapper(standard: Standard, text: bytes) -> str:
    """The kind whose mark the wrapper's own `text` bears."""
    for kind in reversed(_implementing(standard)):
        if kind.wrapper_mark is not None and kind.wrapper_mark in text:
            return kind.name
    return standard.name


def kind_by_report(standard: Standard, report: str) -> tuple[str, str]:
    """Kind and version in what the library reports at run time."""
    for kind in reversed(_implementing(standard)):
        if kind.report is not None and (found := re.search(kind.report, report)):
            return kind.name, found[1]
    return standard.name, report[:MOST_REPORTED].strip()


def is_launcher(name: str) -> bool:
    """Whether a program called so starts others: mpiexec, mpiexec.hydra, srun."""
    return name.partition(".")[0] in LAUNCHERS


def kind_by_launcher(text: str) -> str | None:
    """The kind of launcher that says `text` when asked for its version; None: nothing known."""
    for kind in reversed(KINDS.values()):
        if kind.launcher_mark is not None and re.search(kind.launcher_mark, text):
            return kind.name
    return None


def _implementing(standard: Standard) -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.standard == standard]
