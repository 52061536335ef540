"""SimGrid on this machine: smpirun, its version, and the platform plug-in built for it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.discovery.smpi import find_smpi
from leadline.errors import BuildError, MachineError
from leadline.files import cache_directory
from leadline.native import FOLDER
from leadline.native.compiler import digest, once, run, version_of

SOURCE = FOLDER / "smpi" / "platform.cpp"
REMEDY = "apt-get install libsimgrid-dev g++"
FLAGS = ("-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


def smpirun() -> str:
    """The path of smpirun; MachineError where SimGrid is missing, or its version not tested."""
    return str(_simgrid().launcher)


def simgrid_version() -> str:
    """E.g. "3.32"; MachineError as smpirun."""
    return str(_simgrid().version)


def _simgrid() -> Backend:
    backend = find_smpi()
    if not backend.usable:
        raise MachineError(f"SimGrid: {backend.reason}; remedy: {backend.remedy}")
    return backend


def plug_in() -> Path:
    """The platform plug-in, compiled if the cache hasn't got it.

    Raises:
        MachineError: SimGrid, its headers or a C++ compiler are missing.
    """
    version, compiler = simgrid_version(), shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        raise MachineError(f"no C++ compiler on PATH (looked for c++); remedy: {REMEDY}")
    text = version_of(compiler)
    key = digest([SOURCE.read_bytes(), compiler, text, version, *FLAGS])

    def make(into: Path) -> None:
        output = str(into / "platform.so")
        try:
            run([compiler, *FLAGS, str(SOURCE), "-o", output, "-lsimgrid"], {})
        except BuildError as error:
            lines = error.output.splitlines() or ["no output"]
            complaint = next((line for line in lines if "error" in line), lines[-1])
            raise MachineError(
                f"SimGrid's platform plug-in didn't compile: {complaint}; remedy: {REMEDY}"
            ) from None

    return once(cache_directory() / "smpi" / key, make) / "platform.so"
