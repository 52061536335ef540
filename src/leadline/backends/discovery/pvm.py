"""PVM: its header, its daemon and its group server; where Debian puts them, or below PVM_ROOT."""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.kinds.pvm import PVM
from leadline.backends.launchers.pvm import route_of
from leadline.files import FileState, file_state
from leadline.processes import run

PATIENCE_S = 20.0
USUAL_ROOTS = ("/usr/lib/pvm3", "/usr/share/pvm3", "/usr/local/pvm3")


def find_pvm() -> Backend:
    """The backend pvm, usable or with the reason why not.

    PVM_ROOT and PVM_ARCH are the user's, if they are set. The version is that of the header; ranks
    report at run time which library they loaded.
    """
    root = Path(os.environ.get("PVM_ROOT") or next(filter(os.path.isdir, USUAL_ROOTS), ""))
    architecture = os.environ.get("PVM_ARCH")
    if not architecture:  # PVM's configuration files are named after the kinds of machines
        known = sorted(path.stem for path in root.glob("conf/LINUX*.def"))
        architecture = known[0] if len(known) == 1 else "LINUX64"
    own = root / "lib" / architecture
    on_path = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders = [own, root / "lib", root / "bin" / architecture, *on_path]
    daemon = _executable(folders, ("pvmd3", "pvmd"))
    server = _executable(folders, ("pvmgs",))
    compiler = shutil.which(os.environ.get("CC", "cc"))
    environment = {
        "PVM_ROOT": str(root),
        "PVM_ARCH": architecture,
        "PVM_ALLOW_ROOT": "1",
        "PVM_PATH": str(Path(server).parent) if server else "",
    }
    if (own / "libpvm3.a").exists():  # PVM has a prefix of its own
        environment |= {"CPATH": str(root / "include"), "LIBRARY_PATH": str(own)}
    version = _version(compiler, environment) if compiler else None
    reason, remedy = _lack(compiler, version, daemon, server)
    return Backend(
        name=PVM.name,
        kind=PVM.name,
        version=version,
        usable=reason is None,
        launcher=daemon,
        compiler=compiler,
        environment=environment if reason is None else {},
        reason=reason,
        remedy=remedy,
        shared_memory=route_of(()),
    )


def _executable(folders: Iterable[Path], names: tuple[str, ...]) -> str | None:
    paths = (folder / name for folder in folders for name in names)
    return next((str(path) for path in paths if os.access(path, os.X_OK)), None)


def _version(compiler: str, environment: dict[str, str]) -> str | None:
    """The version in pvm3.h; None where the compiler finds no such header.

    Asked once in a process, and again where files or folders that it depends on have changed.
    """
    folders = (os.environ.get(name, "") for name in ("CPATH", "C_INCLUDE_PATH"))
    headers = Path(environment["PVM_ROOT"]) / "include"
    places = (Path(compiler), headers, headers / "pvm3.h", Path("/usr/include"))
    states = tuple(file_state(place) for place in places)
    return _said(compiler, tuple(environment.items()), tuple(folders), states)


@functools.cache
def _said(
    compiler: str,
    environment: tuple[tuple[str, str], ...],
    _folders: tuple[str, ...],
    _states: tuple[FileState, ...],
) -> str | None:
    argv = [compiler, "-E", "-dM", "-include", "pvm3.h", "-x", "c", "/dev/null"]
    ending = run(argv, PATIENCE_S, dict(environment))
    match = re.search(r'^#define\s+PVM_VER\s+"([\w.]+)"', ending.output, re.MULTILINE)
    return match[1] if ending.status == 0 and match else None


def _lack(
    compiler: str | None, version: str | None, daemon: str | None, server: str | None
) -> tuple[str | None, str | None]:
    """The first thing that is missing, and how to get it."""
    lacks = (
        (compiler is None, "no C compiler on PATH", "apt-get install gcc libc6-dev"),
        (version is None and daemon is None, "not installed", PVM.remedy),
        (version is None, "the compiler finds no pvm3.h", PVM.remedy),
        (daemon is None, "no daemon (pvmd) on PATH or below PVM_ROOT", PVM.remedy),
        (server is None, "no group server (pvmgs) on PATH or below PVM_ROOT", PVM.remedy),
        (
            shutil.which("setpriv") is None,
            "no setpriv, which ends its daemon when leadline is killed",
            "apt-get install util-linux",
        ),
    )
    return next(((reason, remedy) for lacks_it, reason, remedy in lacks if lacks_it), (None, None))
