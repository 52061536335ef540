"""Makes a compiler wrapper say what it is: a small program is compiled, run, and launched."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from leadline import native
from leadline.backends.backend import UNKNOWN, Backend
from leadline.backends.discovery.wrappers import is_shmem
from leadline.backends.kinds import INSTALLABLE, KINDS, launcher_for, title_of
from leadline.backends.launchers import JobStep
from leadline.backends.preparation import prepare
from leadline.directories import cache_directory
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.processes import run

PATIENCE_S = 20.0
"""For one answer; a busy machine takes a few seconds, a hung wrapper for ever."""

SOURCES = native.FOLDER / "probe"
RANKS = 2

WRAPPER_MARKS = {"impi": b"I_MPI_", "openmpi": b"opal", "mpich": b"MPICH"}
"""What the wrapper's own text says; Intel's speaks of MPICH too, so the order matters."""
REPORTS = {
    "impi": r"Intel\(R\) MPI Library (\d[\w.]*)",
    "openmpi": r"Open MPI v(\d[\w.]*)",
    "mpich": r"^MPICH Version:\s*(\d[\w.]*)",
}
"""What MPI_Get_library_version says, with the version."""
LAUNCHER_MARKS = {
    "impi": r"Intel\(R\) MPI Library",
    "openmpi": r"\(Open MPI\)|OpenRTE|PRRTE",
    "mpich": r"HYDRA build details",
}
"""What `mpiexec --version` says."""
LAUNCHERS_FOR = {"mpi": ("mpich", "mpi"), "shmem": (*REPORTS, "mpi")}
"""Kinds of mpiexec that may start a kind's programs, where that isn't only its own."""
SHMEM_LAUNCHERS = ("oshrun", "shmemrun")


class UnusableError(Exception):
    """What was found can't be used: the reason and the remedy; never leaves this module."""

    def __init__(self, reason: str, remedy: str) -> None:
        """Keeps both."""
        self.reason, self.remedy = reason, remedy
        super().__init__(reason)


def identify(mpicc: Path) -> Backend:
    """The backend behind the compiler wrapper `mpicc`, usable or with the reason why not.

    The answer is remembered in the user's cache until the wrapper changes; refusals are not, since
    what is missing may come.
    """
    memory = _memory_of(mpicc)
    remembered = _recall(memory)
    if remembered is not None:
        return remembered
    backend = _probe(mpicc)
    if backend.usable:
        _remember(memory, backend)
    return backend


def transport_used(
    backend: Backend,
    environment: Mapping[str, str],
    launcher_arguments: tuple[str, ...] = (),
    hosts: Hosts = THIS_HOST,
) -> str:
    """What carries messages between two ranks of this host, or of two hosts, under these settings.

    Found by a launch of its own; "unknown" if the library doesn't say, or the launch fails.

    Args:
        backend: A usable one.
        environment: A variant's variables.
        launcher_arguments: A variant's words for the launcher.
        hosts: Where the ranks are; others than this one must see the same cache directory.
    """
    route = KINDS[backend.kind].route
    if route is not None:
        return route(launcher_arguments)
    if backend.launcher is None:
        return backend.kind if hosts.names else backend.shared_memory
    where = cache_directory() if hosts.names else None
    with tempfile.TemporaryDirectory(prefix="leadline-", dir=where) as scratch:
        try:
            program = _compile(backend, Path(scratch))
        except UnusableError:
            return UNKNOWN
        return _transport(backend, program, environment, launcher_arguments, hosts)


def _probe(mpicc: Path) -> Backend:
    kind = _kind_by_text(mpicc)
    backend = Backend(
        name=kind,
        kind=kind,
        version=None,
        usable=False,
        launcher=None,
        compiler=str(mpicc),
        environment=_environment(kind, mpicc),
        reason=None,
        remedy=None,
        shared_memory=UNKNOWN,
    )
    try:
        with tempfile.TemporaryDirectory(prefix="leadline-") as scratch:
            program = _compile(backend, Path(scratch))
            backend = _by_own_report(backend, program)
            backend = replace(backend, launcher=_own_launcher(backend, mpicc))
            _launch(backend, program, {})
            return replace(backend, usable=True, shared_memory=_transport(backend, program, {}))
    except UnusableError as refusal:
        return replace(backend, reason=refusal.reason, remedy=refusal.remedy)


def _kind_by_text(mpicc: Path) -> str:
    return "shmem" if is_shmem(mpicc) else _mpi_by_text(mpicc)


def _mpi_by_text(wrapper: Path) -> str:
    try:
        text = wrapper.read_bytes()
    except OSError:
        return "mpi"
    return next((kind for kind, mark in WRAPPER_MARKS.items() if mark in text), "mpi")


def _source(kind: str) -> Path:
    return SOURCES / ("openshmem.c" if kind == "shmem" else "probe.c")


def _environment(kind: str, mpicc: Path) -> dict[str, str]:
    """What a library's programs need.

    Intel MPI needs its root, and finds the libfabric it brings along only through variables. Open
    MPI's OpenSHMEM crashes in shmem_finalize where it watches memory by patching functions (4.1.4).
    """
    if kind == "shmem":
        return {"OMPI_MCA_memory": "^patcher"} if _mpi_by_text(mpicc) == "openmpi" else {}
    if kind != "impi":
        return {}
    root = mpicc.resolve().parent.parent
    folders = (root / "lib/libfabric", root / "opt/mpi/libfabric/lib", root / "lib")
    environment = {"I_MPI_ROOT": str(root)}
    for folder in folders:
        if (folder / "libfabric.so.1").exists():
            path = [str(folder), os.environ.get("LD_LIBRARY_PATH", "")]
            environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, path))
            if (folder / "prov").is_dir():
                environment["FI_PROVIDER_PATH"] = str(folder / "prov")
            break
    return environment


def _compile(backend: Backend, scratch: Path) -> Path:
    compiler, program = str(backend.compiler), scratch / "probe"
    if not os.access(compiler, os.X_OK):
        raise UnusableError("its compiler wrapper is not executable", f"chmod +x {compiler}")
    source = str(_source(backend.kind))
    ending = run([compiler, source, "-o", str(program)], PATIENCE_S, backend.environment)
    if ending.status == 0 and program.exists():
        return program
    remedy = f"see what it says: {compiler} {source} -o /dev/null"
    if backend.kind == "shmem" and "shmem.h" in ending.output:
        remedy = f"install its header too: {KINDS[backend.kind].remedy}"
    if re.search(r"\s", str(Path(compiler).parent)):
        remedy = "its path has a space, which compiler wrappers may not survive; link to it"
    raise UnusableError(f"its compiler wrapper fails: {ending.first_complaint()}", remedy)


def _by_own_report(backend: Backend, program: Path) -> Backend:
    """`backend` with the kind and version that the library reports when the program runs."""
    ending = run([str(program)], PATIENCE_S, backend.environment)
    found = re.search(r"^leadline-probe header=(\w+) library=(.*)$", ending.output, re.MULTILINE)
    if ending.status != 0 or found is None:
        raise UnusableError(
            f"its programs don't start: {ending.first_complaint()}",
            "load the library's environment first (module load, LD_LIBRARY_PATH)",
        )
    header, report = found[1], found[2].strip()
    kind, version = _read_report(header, report)
    if {header, kind} <= REPORTS.keys() and header != kind:
        raise UnusableError(
            f"its mpi.h is {title_of(header)}'s, but its programs load {title_of(kind)} {version}",
            "keep each library in a prefix of its own, and LD_LIBRARY_PATH free of the other",
        )
    return replace(backend, name=kind, kind=kind, version=version)


def _read_report(header: str, report: str) -> tuple[str, str]:
    if header == "shmem":
        number = re.search(r"\d[\w.]*", report)
        return "shmem", number[0] if number else report[:60].strip()
    for kind, pattern in REPORTS.items():
        if found := re.search(pattern, report):
            return kind, found[1]
    return "mpi", report[:60].strip()


def _own_launcher(backend: Backend, mpicc: Path) -> str:
    """The mpiexec beside `mpicc`, or beside what it links to, if it is the same library's."""
    seen = []
    for folder in dict.fromkeys((mpicc.parent, mpicc.resolve().parent)):
        for path in (folder / name for name in _launcher_names(backend.kind, mpicc)):
            if not os.access(path, os.X_OK):
                continue
            kind = _launcher_kind(path, backend.environment)
            if kind in LAUNCHERS_FOR.get(backend.kind, (backend.kind,)):
                return str(path)
            seen.append(f"; {path} is that of {title_of(kind) or 'nothing known'}")
    srun = shutil.which("srun") if backend.kind == "shmem" else None
    if srun is not None:
        return srun
    name = "oshrun" if backend.kind == "shmem" else "mpiexec"
    remedy = f"install {title_of(backend.kind)}'s {name} into {mpicc.parent}"
    if backend.kind in INSTALLABLE:
        remedy += f", or use: leadline get {backend.kind}"
    raise UnusableError(f"no {name} of its own beside {mpicc}{''.join(seen)}", remedy)


def _launcher_names(kind: str, mpicc: Path) -> tuple[str, ...]:
    if kind == "shmem":
        return SHMEM_LAUNCHERS
    names = (f"mpiexec{mpicc.suffix}", "mpiexec", f"mpiexec.{kind}", "mpiexec.hydra")
    return tuple(dict.fromkeys(names))


def _launcher_kind(mpiexec: Path, environment: Mapping[str, str]) -> str:
    """A kind; "mpi" for an mpiexec that works but says nothing known, "" for one that doesn't."""
    ending = run([str(mpiexec), "--version"], PATIENCE_S, environment)
    for kind, mark in LAUNCHER_MARKS.items():
        if re.search(mark, ending.output):
            return kind
    return "mpi" if ending.status == 0 else ""


def _launch(
    backend: Backend,
    program: Path,
    environment: Mapping[str, str],
    launcher_arguments: tuple[str, ...] = (),
    hosts: Hosts = THIS_HOST,
) -> str:
    """What two ranks printed; UnusableError if they didn't become one world."""
    cores = len(os.sched_getaffinity(0))
    step = JobStep(
        str(program), ("exchange",), RANKS, cores, environment, launcher_arguments, hosts
    )
    command = launcher_for(backend).commands(prepare(backend, step))[0]
    ending = run(command.argv, PATIENCE_S, command.environment)
    sizes = re.findall(r"leadline-probe size=(\d+)", ending.output)
    if ending.status == 0 and sizes == [str(RANKS)]:
        return ending.output
    if sizes and ending.status == 0:
        raise UnusableError(
            f"{backend.launcher} starts {len(sizes)} worlds of {sizes[0]} rank instead of one",
            "its mpiexec and its library don't belong together; install both anew",
        )
    raise UnusableError(
        f"launching {RANKS} ranks fails: {ending.first_complaint()}",
        f"use another version: leadline get {backend.kind}==VERSION"
        if backend.kind in INSTALLABLE
        else f"make {backend.launcher} start {RANKS} ranks of any program first",
    )


def _transport(
    backend: Backend,
    program: Path,
    environment: Mapping[str, str],
    launcher_arguments: tuple[str, ...] = (),
    hosts: Hosts = THIS_HOST,
) -> str:
    """What the ranks of a talkative launch used; making a library talk may also break it."""
    diagnostic = KINDS[backend.kind].diagnostic
    settings = dict(environment) | dict(diagnostic.environment)
    try:
        return diagnostic.transport(_launch(backend, program, settings, launcher_arguments, hosts))
    except UnusableError:
        return UNKNOWN


def _memory_of(mpicc: Path) -> Path:
    """The cache file for `mpicc` as it is now; the loader's path decides which library it loads."""
    status = mpicc.stat()
    key = (
        str(mpicc),
        str(mpicc.resolve()),
        str(status.st_mtime_ns),
        str(status.st_size),
        os.environ.get("LD_LIBRARY_PATH", ""),
        _source(_kind_by_text(mpicc)).read_text(),
    )
    digest = hashlib.sha256("\0".join(key).encode()).hexdigest()[:20]
    return cache_directory() / "backends" / f"{digest}.json"


def _recall(memory: Path) -> Backend | None:
    """None also where the file is damaged, or the launcher is gone."""
    try:
        backend = Backend(**json.loads(memory.read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return backend if os.access(str(backend.launcher), os.X_OK) else None


def _remember(memory: Path, backend: Backend) -> None:
    """A cache that can't be written costs time, not results."""
    with contextlib.suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=memory.parent, delete=False) as file:
            json.dump(asdict(backend), file)
        Path(file.name).replace(memory)
