"""A library that only pretends: a compiler wrapper that writes a script, and an mpiexec for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from leadline.backends.backend import Backend

MARKS = {"mpich": "MPICH", "openmpi": "opal", "impi": "I_MPI_"}
REPORTS = {
    "mpich": "MPICH Version: {}",
    "openmpi": "Open MPI v{}, package: x",
    "impi": "Intel(R) MPI Library {} for Linux* OS",
    "mpi": "Brand New Library {}",
}
LAUNCHERS = {
    "mpich": "HYDRA build details:",
    "openmpi": "mpiexec (Open MPI) 5.0",
    "impi": "Intel(R) MPI Library for Linux* OS, Version 2021",
    "mpi": "a launcher",
}

WRAPPER = """#!/bin/sh
# {mark}
echo compiled >> "$0.log"
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
#!/bin/sh
if [ "$1" = exchange ]; then echo "leadline-probe size=${{WORLD:-1}}"; exit; fi
echo 'leadline-probe header={header} library={report}'
END
chmod +x "$2"
"""
MPIEXEC = """#!/bin/bash
if [ "$1" = --version ]; then echo '{text}'; exit; fi
for world in {worlds}; do WORLD=$world "${{@: -2:1}}" exchange; done
"""

OSHCC = """#!/bin/sh
# {mark}
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
#!/bin/sh
if [ "$1" = exchange ]; then echo "leadline-probe size=2"; exit; fi
echo 'leadline-probe header=shmem library={report}'
END
chmod +x "$2"
"""
LAUNCHER = """#!/bin/bash
if [ "$1" = --version ]; then echo '{text}'; exit; fi
"${{@: -2:1}}" exchange
"""
OPEN_MPI, SANDIA = "Open MPI v4.9.9 (OpenSHMEM 1.4)", "Sandia OpenSHMEM (OpenSHMEM 1.5)"


def make_bare(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """No MPI: XDG folders and a home below `folder`, a PATH with the system's tools only."""
    for name in ("CACHE", "CONFIG", "DATA"):
        patch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
    patch.setenv("HOME", str(folder / "home"))
    patch.setenv("PATH", os.pathsep.join(["/usr/bin", "/bin"]))
    for name in ("SPACK_ROOT", "MODULEPATH", "LD_LIBRARY_PATH", "CC"):
        patch.delenv(name, raising=False)


def script(path: Path, text: str) -> Path:
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def wrapper(path: Path, kind: str = "mpich", version: str = "9.9", header: str = "") -> Path:
    """A compiler wrapper whose programs report `kind` and `version`; `header`: its mpi.h's kind."""
    report = REPORTS[kind].format(version)
    mark = MARKS.get(kind, "")
    return script(path, WRAPPER.format(mark=mark, header=header or kind, report=report))


def mpiexec(path: Path, kind: str = "mpich", worlds: str = "2") -> Path:
    """An mpiexec that makes worlds of these sizes."""
    return script(path, MPIEXEC.format(text=LAUNCHERS[kind], worlds=worlds))


def library(prefix: Path, kind: str = "mpich", version: str = "9.9") -> Path:
    """A whole library; returns its mpicc."""
    mpiexec(prefix / "bin" / "mpiexec", kind)
    return wrapper(prefix / "bin" / "mpicc", kind, version)


def oshcc(path: Path, report: str = SANDIA, mark: str = "") -> Path:
    """A compiler wrapper of OpenSHMEM whose programs report `report`."""
    return script(path, OSHCC.format(report=report, mark=mark))


def oshrun(path: Path, text: str) -> Path:
    """A launcher of two PEs that says `text` of its version."""
    return script(path, LAUNCHER.format(text=text))


def tools(folder: Path) -> Path:
    """A folder for PATH with what these scripts call, and no scheduler's launcher."""
    folder.mkdir()
    for name in ("sh", "bash", "cat", "chmod"):
        (folder / name).symlink_to(str(shutil.which(name)))
    return folder


def times_asked(mpicc: Path) -> int:
    """How often `mpicc` has compiled something."""
    log = mpicc.with_name(f"{mpicc.name}.log")
    return len(log.read_text().splitlines()) if log.exists() else 0


def below(folder: Path, backends: list[Backend]) -> list[Backend]:
    """Those found in `folder`; this machine's own don't matter."""
    return [b for b in backends if b.compiler and Path(b.compiler).is_relative_to(folder)]


def on_path(monkeypatch: pytest.MonkeyPatch, wrappers: Sequence[Path]) -> None:
    """Before all that this machine has."""
    folders = [*(str(path.parent) for path in wrappers), "/usr/bin"]
    monkeypatch.setenv("PATH", ":".join(folders))
