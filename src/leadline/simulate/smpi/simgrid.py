"""SimGrid on this machine: smpirun, its version, and the platform plug-in built for it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from leadline.directories import cache_directory
from leadline.errors import BuildError, MachineError
from leadline.native import FOLDER
from leadline.native.compiler import digest, once, run

SOURCE = FOLDER / "smpi" / "platform.cpp"
TESTED = ("3.32",)
"""Versions that simulated times were held to; a plug-in is for one."""
REMEDY = "apt-get install libsimgrid-dev g++ (pip install simgrid gives neither smpicc nor smpirun)"
FLAGS = ("-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
_VERSION = re.compile(r"version (\d+\.\d+)")


def smpirun() -> str:
    """Its path; MachineError where there is none."""
    found = shutil.which("smpirun")
    if found is None:
        raise MachineError(f"no smpirun on PATH; remedy: {REMEDY}")
    return found


def simgrid_version() -> str:
    """E.g. "3.32"; MachineError where SimGrid is missing or of a version that wasn't tested."""
    found = _VERSION.search(run([smpirun(), "-version"], {}))
    version = found[1] if found else "unknown"
    if version not in TESTED:
        raise MachineError(
            f"smpirun is of SimGrid {version}, tested with {', '.join(TESTED)} alone; "
            f"put that one's smpirun on PATH: Debian 12's is, {REMEDY}"
        )
    return version


def plug_in() -> Path:
    """The platform plug-in, compiled if the cache hasn't got it.

    Raises:
        MachineError: SimGrid, its headers or a C++ compiler are missing.
    """
    version, compiler = simgrid_version(), _compiler()
    text = run([compiler, "--version"], {})
    key = digest([SOURCE.read_bytes(), compiler, text, version, *FLAGS])

    def make(into: Path) -> None:
        output = str(into / "platform.so")
        try:
            run([compiler, *FLAGS, str(SOURCE), "-o", output, "-lsimgrid"], {})
        except BuildError as error:
            raise MachineError(
                f"SimGrid's platform plug-in didn't compile: {_complaint(error.output)}; "
                f"remedy: {REMEDY}"
            ) from None

    return once(cache_directory() / "smpi" / key, make) / "platform.so"


def _complaint(output: str) -> str:
    """The first line that tells of an error, or the last."""
    lines = output.splitlines() or ["no output"]
    return next((line for line in lines if "error" in line), lines[-1])


def _compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    if found is None:
        raise MachineError(f"no C++ compiler on PATH (looked for c++); remedy: {REMEDY}")
    return found
