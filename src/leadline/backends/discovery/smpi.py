"""SimGrid's SMPI: its compiler wrapper and its launcher, of a version that was tested."""

from __future__ import annotations

import functools
import re
import shutil
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.kinds.mpi import SIMGRID_TESTED, SMPI
from leadline.files import FileState, file_state
from leadline.processes import run

PATIENCE_S = 20.0
_VERSION = re.compile(r"SimGrid version (\d+(?:\.\d+)+)")


def find_smpi() -> Backend:
    """The backend smpi, usable or with the reason why not.

    It isn't launched here: a launch needs a machine, which a run names.
    """
    compiler, launcher = shutil.which("smpicc"), shutil.which("smpirun")
    version = _version(compiler, file_state(Path(compiler))) if compiler else None
    install = f"{SMPI.remedy} (pip install simgrid gives no smpicc)"
    tested = " or ".join(SIMGRID_TESTED)
    reason: str | None = None
    remedy: str | None = None
    if compiler is None and launcher is None:
        reason, remedy = "not installed", install
    elif compiler is None or launcher is None:
        reason, remedy = f"no {'smpirun' if compiler else 'smpicc'} on PATH", install
    elif version not in SIMGRID_TESTED:
        seen = f"SimGrid {version}" if version else "a SimGrid that doesn't say its version"
        reason = f"{seen} was never tested, {tested} was"
        remedy = f"install SimGrid {tested}: {SMPI.remedy}"
    return Backend(
        name=SMPI.name,
        kind=SMPI.name,
        version=version,
        usable=reason is None,
        launcher=launcher,
        compiler=compiler,
        environment={},
        reason=reason,
        remedy=remedy,
        shared_memory=str(SMPI.transport),
    )


@functools.cache
def _version(compiler: str, _: FileState) -> str | None:
    """SimGrid's version; None where smpicc reports none.

    Asked once in a process, and again where the compiler's file has changed since.
    """
    match = _VERSION.search(run([compiler, "--version"], PATIENCE_S).output)
    return match[1] if match else None
