"""Identifies the library of a compiler wrapper: a small program is compiled, run, and launched."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import msgspec

from leadline import native
from leadline.backends.backend import UNKNOWN, Backend
from leadline.backends.discovery.wrappers import installed_prefixes
from leadline.backends.kinds import KINDS, Standard, launcher_for, title_of
from leadline.backends.kinds.mpi import MPI
from leadline.backends.launchers import Command, JobStep
from leadline.backends.preparation import prepare
from leadline.backends.recognition import (
    kind_by_launcher,
    kind_by_report,
    kind_by_wrapper,
    standard_of,
)
from leadline.errors import LaunchError
from leadline.files import cache_directory
from leadline.hosts.cleanup.notes import noted_folder
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.hosts.schedulers import BatchJob
from leadline.hosts.this_host import shared_memory_is_short
from leadline.processes import run

PATIENCE_S = 20.0
"""Timeout for one answer; a busy machine takes a few seconds, a hung wrapper for ever."""

LONGEST_TEXT = 16_000
"""Characters that are kept of what a library reports of itself."""

SCRATCH = "leadline-probe-"
SOURCES = native.FOLDER / "probe"
RANKS = 2
WRAPPER_FAILS = "its compiler wrapper fails: "
"""Begins a reason; what the wrapper printed follows."""


class UnusableError(Exception):
    """A library can't be used: the reason and the remedy. Never leaves this module."""

    def __init__(self, reason: str, remedy: str) -> None:
        """Keeps both."""
        self.reason, self.remedy = reason, remedy
        super().__init__(reason)


def identify(mpicc: Path) -> Backend:
    """The backend behind the compiler wrapper `mpicc`, usable or with the reason why not.

    The answer is kept in the user's cache until the wrapper changes. Refusals are not, since what
    is missing may be installed, nor are answers where shared memory is short, as that may change.
    """
    memory = _memory_of(mpicc)
    remembered = _recall(memory)
    if remembered is not None:
        return remembered
    prefix = WrapperPrefix(mpicc)
    kind = kind_by_wrapper(standard_of(mpicc.name), prefix.wrapper_text)
    backend = Backend(
        name=kind,
        kind=kind,
        version=None,
        usable=False,
        launcher=None,
        compiler=str(mpicc),
        environment=KINDS[kind].environment(prefix),
        reason=None,
        remedy=None,
        shared_memory=UNKNOWN,
    )
    try:
        with noted_folder(SCRATCH, beginnings=KINDS[kind].segments) as scratch:
            program = _compile(backend, scratch)
            backend = _by_own_report(backend, program)
            backend = replace(backend, launcher=_own_launcher(backend, mpicc))
            step = _step(program)
            _launch(backend, step)
            backend = replace(
                backend,
                usable=True,
                shared_memory=_transport(backend, step),
                configuration=_configuration(backend, mpicc),
            )
    except UnusableError as refusal:
        return replace(backend, reason=refusal.reason, remedy=refusal.remedy)
    if not shared_memory_is_short():
        _remember(memory, backend)
    return backend


def transport_used(
    backend: Backend,
    environment: Mapping[str, str],
    launcher_arguments: tuple[str, ...] = (),
    hosts: Hosts = THIS_HOST,
    job: BatchJob | None = None,
) -> str:
    """What carries messages between two ranks of this host, or of two hosts, under these settings.

    Determined by a launch of its own; "unknown" if the library doesn't report it, or the launch
    fails.

    Args:
        backend: A usable one.
        environment: A variant's variables.
        launcher_arguments: A variant's words for the launcher.
        hosts: Hosts of the ranks; others than this one must see the same cache directory.
        job: The job in whose allocation ranks are started; None: the backend's own launcher starts
            them.

    Raises:
        LaunchError: In the job's allocation no two ranks of the backend become one world.
    """
    route = KINDS[backend.kind].route
    if route is not None:
        return route(launcher_arguments, bool(hosts.names))
    if backend.launcher is None:
        return backend.kind if hosts.names else backend.shared_memory
    where = cache_directory() if hosts.names else None
    with noted_folder(SCRATCH, where, KINDS[backend.kind].segments) as scratch:
        try:
            program = _compile(backend, scratch)
        except UnusableError:
            return UNKNOWN
        step = replace(
            _step(program),
            environment=environment,
            launcher_arguments=launcher_arguments,
            hosts=hosts,
        )
        if job is not None:
            try:
                _launch(backend, step, job)
            except UnusableError as refusal:
                command = _command(backend, step, job)
                problem = f"{backend.name}: in {job} {refusal.reason}"
                raise LaunchError(problem, command.argv, None, "") from None
        return _transport(backend, step, job)


@dataclass(frozen=True, slots=True)
class WrapperPrefix:
    """The Prefix that the library of a compiler wrapper is installed in."""

    wrapper: Path

    @property
    def root(self) -> str:
        """The folder above the wrapper's, links resolved."""
        return str(self.wrapper.resolve().parent.parent)

    @property
    def wrapper_text(self) -> bytes:
        """Contents of the wrapper's file; empty where it can't be read."""
        try:
            return self.wrapper.read_bytes()
        except OSError:
            return b""

    def has(self, path: str) -> bool:
        """Whether there is such a file or folder below the root."""
        return Path(self.root, path).exists()

    def variable(self, name: str) -> str:
        """The user's environment variable; empty where it isn't set."""
        return os.environ.get(name, "")


def _standard(kind: str) -> Standard:
    """The standard that libraries of `kind` implement, which have a compiler wrapper."""
    standard = KINDS[kind].standard
    assert standard is not None
    return standard


def _source(standard: Standard) -> Path:
    return SOURCES / standard.probe


def _compile(backend: Backend, scratch: Path) -> Path:
    compiler, program = str(backend.compiler), scratch / "probe"
    if not os.access(compiler, os.X_OK):
        raise UnusableError("its compiler wrapper is not executable", f"chmod +x {compiler}")
    standard = _standard(backend.kind)
    source = str(_source(standard))
    ending = run([compiler, source, "-o", str(program)], PATIENCE_S, backend.environment)
    if ending.status == 0 and program.exists():
        return program
    remedy = f"see what it says: {compiler} {source} -o /dev/null"
    if KINDS[backend.kind].debian and standard.header in ending.output:
        remedy = f"install its header too: {KINDS[backend.kind].remedy}"
    if re.search(r"\s", str(Path(compiler).parent)):
        remedy = "its path has a space, which compiler wrappers may not survive; link to it"
    raise UnusableError(WRAPPER_FAILS + ending.first_complaint(), remedy)


def _by_own_report(backend: Backend, program: Path) -> Backend:
    """`backend` with the kind and version that the library reports when the program runs."""
    ending = run([str(program)], PATIENCE_S, backend.environment)
    match = re.search(r"^leadline-probe header=(\w+) library=(.*)$", ending.output, re.MULTILINE)
    if ending.status != 0 or match is None:
        raise UnusableError(
            f"its programs don't start: {ending.first_complaint()}",
            "load the library's environment first (module load, LD_LIBRARY_PATH)",
        )
    header, report = match[1], match[2].strip()
    kind, version = kind_by_report(_standard(backend.kind), report)
    if header != kind and _is_known(header) and _is_known(kind):
        raise UnusableError(
            f"its mpi.h is {title_of(header)}'s, but its programs load {title_of(kind)} {version}",
            "keep each library in a prefix of its own, and LD_LIBRARY_PATH free of the other",
        )
    return replace(backend, name=kind, kind=kind, version=version, configuration=report)


def _is_known(kind: str) -> bool:
    """Whether a library of this kind can be recognised by its report."""
    return kind in KINDS and KINDS[kind].report is not None


def _own_launcher(backend: Backend, mpicc: Path) -> str:
    """The launcher beside `mpicc`, or beside what it links to, if it is the same library's."""
    kind, standard = KINDS[backend.kind], _standard(backend.kind)
    names = [name.format(suffix=mpicc.suffix, kind=kind.name) for name in standard.launchers]
    seen = []
    for folder in dict.fromkeys((mpicc.parent, mpicc.resolve().parent)):
        for path in (folder / name for name in dict.fromkeys(names)):
            if not os.access(path, os.X_OK):
                continue
            ending = run([str(path), "--version"], PATIENCE_S, backend.environment)
            # an mpiexec that works but prints nothing known is one of "mpi", a broken one of ""
            starter = kind_by_launcher(ending.output) or (MPI.name if ending.status == 0 else "")
            if starter in (kind.started_by or (kind.name,)):
                return str(path)
            seen.append(f"; {path} is that of {title_of(starter) or 'nothing known'}")
    found = standard.launcher_on_path and shutil.which(standard.launcher_on_path)
    if found:
        return found
    remedy = f"install {kind.title}'s {standard.launcher} into {mpicc.parent}"
    if kind.wheels:
        remedy += f", or use: {kind.remedy}"
    raise UnusableError(f"no {standard.launcher} of its own beside {mpicc}{''.join(seen)}", remedy)


def _step(program: Path) -> JobStep:
    """Two ranks that exchange a message, so that the library chooses what carries it."""
    crowded = len(os.sched_getaffinity(0)) < RANKS
    return JobStep(str(program), ("exchange",), RANKS, {}, oversubscribed=crowded)


def _configuration(backend: Backend, mpicc: Path) -> str:
    """What the library's own command prints of how it was built, or else its programs' report."""
    for folder in dict.fromkeys((mpicc.parent, mpicc.resolve().parent)):
        name, *words = KINDS[backend.kind].informant or ("",)
        if name and os.access(folder / name, os.X_OK):
            ending = run([str(folder / name), *words], PATIENCE_S, backend.environment)
            if ending.status == 0 and ending.output.strip():
                return ending.output[:LONGEST_TEXT].strip()
    return backend.configuration[:LONGEST_TEXT]


def _command(backend: Backend, step: JobStep, job: BatchJob | None) -> Command:
    command = launcher_for(backend, job).commands(prepare(backend, step))[0]
    return command.keeping_in(str(Path(step.executable).parent), step, job is not None)


def _launch(backend: Backend, step: JobStep, job: BatchJob | None = None) -> str:
    """Output of a launch of two ranks; UnusableError if they didn't become one world."""
    command = _command(backend, step, job)
    ending = run(command.argv, PATIENCE_S, command.environment)
    sizes = re.findall(r"leadline-probe size=(\d+)", ending.output)
    if ending.status == 0 and sizes == [str(RANKS)]:
        return ending.output
    if sizes and ending.status == 0:
        raise UnusableError(
            f"{command.argv[0]} starts {len(sizes)} worlds of {sizes[0]} rank instead of one",
            "its mpiexec and its library don't belong together; reinstall both",
        )
    remedy = f"look at what its launcher says: {backend.launcher} -n 1 true"
    if KINDS[backend.kind].wheels:
        by_get = [prefix.resolve() for prefix in installed_prefixes("*")]
        if Path(str(backend.compiler)).resolve().parent.parent in by_get:  # else the user's to fix
            remedy = f"use another version: {KINDS[backend.kind].remedy}==VERSION"
    raise UnusableError(f"launching {RANKS} ranks fails: {ending.first_complaint()}", remedy)


def _transport(backend: Backend, step: JobStep, job: BatchJob | None = None) -> str:
    """What carried messages in a launch with diagnostics, which may also break a library."""
    diagnostic = KINDS[backend.kind].diagnostic
    verbose = dict(step.environment) | dict(diagnostic.environment)
    try:
        return diagnostic.transport(_launch(backend, replace(step, environment=verbose), job))
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
        " ".join(field.name for field in fields(Backend)),
        _source(standard_of(mpicc.name)).read_text(),
    )
    digest = hashlib.sha256("\0".join(key).encode()).hexdigest()[:20]
    return cache_directory() / "backends" / f"{digest}.json"


def _recall(memory: Path) -> Backend | None:
    """The backend in the cache file `memory`; None: it is missing, damaged, or without launcher."""
    try:
        backend = msgspec.json.decode(memory.read_bytes(), type=Backend)
    except (OSError, msgspec.DecodeError, UnicodeError):
        return None
    return backend if os.access(str(backend.launcher), os.X_OK) else None


def _remember(memory: Path, backend: Backend) -> None:
    """Writes `backend` to the cache; one that can't be written costs time, not results."""
    with contextlib.suppress(OSError, UnicodeError):  # a path may be no UTF-8
        text = msgspec.json.encode(backend)
        memory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=memory.parent, delete=False) as file:
            file.write(text)
        Path(file.name).replace(memory)
