"""Builds kernels: one executable per backend, from the C sources in the package, kept in a cache.

The parts that know no library (engine, patterns, fallbacks) are compiled once with the C compiler;
only the backend's own file, and the link, go through the library's compiler wrapper.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from leadline.backend import Backend
from leadline.capability import Capability, parse_description
from leadline.directories import cache_directory
from leadline.errors import BuildError, MachineError

SOURCES = Path(__file__).parent / "native" / "kernels"
MAPPING_SOURCES = Path(__file__).parent / "native" / "mapping"
MAPPING_FLAGS = ("-fPIC", "-fvisibility=hidden", "-ffp-contract=off")
"""No fused operations: what is mapped must not depend on the processor."""
C_FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Wconversion", "-Werror")
LIBRARIES = ("-lpthread", "-lrt")
OWN_LIBRARIES = {"pvm": ("-lgpvm3", "-lpvm3")}
"""Kinds whose compiler is the C compiler, which doesn't know what to link."""
MATCHED = ("shm", "tcp")
"""Kinds whose messages the kernel itself matches with their receives."""
TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class Additions:
    """What a test adds to a kernel: sources of its own, and flags for compiling and linking."""

    sources: tuple[Path, ...] = ()
    compile_flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()


def backend_sources(backend: Backend) -> list[Path]:
    """The C files that know the backend's library: backends/NAME.c and backends/NAME/*.c."""
    name = backend.kind if (SOURCES / "backends" / f"{backend.kind}.c").exists() else "mpi"
    return kind_sources(name)


def kind_sources(name: str) -> list[Path]:
    """backends/NAME.c, backends/NAME/*.c and what `name` needs besides."""
    folders = [name, *["matching"] * (name in MATCHED)]
    files = [path for folder in folders for path in (SOURCES / "backends" / folder).glob("*.c")]
    return [SOURCES / "backends" / f"{name}.c", *sorted(files)]


def _digest(parts: Sequence[str | bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\0")
    return digest.hexdigest()[:20]


@functools.cache
def _sources_digest(folder: Path) -> str:
    files = sorted([*folder.rglob("*.c"), *folder.rglob("*.h")])
    return _digest([item for path in files for item in (path.name, path.read_bytes())])


def _run(argv: Sequence[str], environment: dict[str, str]) -> str:
    try:
        done = subprocess.run(
            argv,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(argv, str(error)) from error
    if done.returncode:
        raise BuildError(argv, done.stdout)
    return done.stdout


def _compile(
    compiler: str, sources: Sequence[Path], into: Path, flags: Sequence[str], env: dict[str, str]
) -> list[Path]:
    objects = [into / f"{path.parent.name}-{path.stem}.o" for path in sources]

    def one(source: Path, target: Path) -> None:
        command = [compiler, *C_FLAGS, *flags, f"-I{SOURCES}", "-c", str(source), "-o", str(target)]
        _run(command, env)

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        list(pool.map(one, sources, objects))
    return objects


def _once(target: Path, make: Callable[[Path], None]) -> Path:
    """`target`, made by `make(temporary directory)` and moved into place, if it isn't there yet."""
    if target.exists():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
    except OSError as error:
        raise MachineError(
            f"the cache {target.parent} can't be written: {error.strerror}; set XDG_CACHE_HOME"
        ) from error
    try:
        make(temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not target.exists():  # else another process was first, with the same contents
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target


def c_compiler() -> str:
    """The C compiler's path, or a MachineError that says how to get one."""
    found = shutil.which(os.environ.get("CC", "cc"))
    if found is None:
        raise MachineError(
            "no C compiler on PATH (looked for cc); install one: apt-get install gcc"
        )
    return found


def common_objects(flags: Sequence[str] = ()) -> Path:
    """A directory with the objects every kernel shares and libfallback.a; compiled if missing."""
    compiler = c_compiler()
    version = _run([compiler, "--version"], {})
    key = _digest([_sources_digest(SOURCES), compiler, version, *C_FLAGS, *flags])

    def make(into: Path) -> None:
        sources = sorted([*SOURCES.glob("*.c"), *(SOURCES / "patterns").glob("*.c")])
        _compile(compiler, sources, into, flags, {})
        (into / "fallback").mkdir()
        fallback = sorted((SOURCES / "fallback").glob("*.c"))
        members = _compile(compiler, fallback, into / "fallback", flags, {})
        _run(["ar", "rcs", str(into / "libfallback.a"), *map(str, members)], {})

    return _once(cache_directory() / "objects" / key, make)


def build_kernel(backend: Backend, additions: Additions | None = None) -> Path:
    """The kernel for `backend`, built if the cache hasn't got it. BuildError says why it can't be.

    Args:
        backend: A usable backend; its compiler wrapper compiles its file and links.
        additions: What a test adds; part of the cache's key.
    """
    extra = additions or Additions()
    compiler = backend.compiler or c_compiler()
    environment = dict(backend.environment)
    common = common_objects(extra.compile_flags)
    key = _digest(
        [
            common.name,
            os.path.realpath(compiler),
            backend.version or "",
            backend.kind,
            *map(str, extra.sources),
            *(path.read_bytes() for path in extra.sources),
            *extra.link_flags,
        ]
    )

    def make(into: Path) -> None:
        sources = [*backend_sources(backend), *extra.sources]
        objects = _compile(compiler, sources, into, extra.compile_flags, environment)
        parts = [*map(str, objects), *map(str, sorted(common.glob("*.o")))]
        flags = [*extra.compile_flags, *extra.link_flags]
        libraries = [*OWN_LIBRARIES.get(backend.kind, ()), *LIBRARIES]
        command = [compiler, *parts, str(common / "libfallback.a"), *flags, *libraries]
        _run([*command, "-o", str(into / "kernel")], environment)

    return _once(cache_directory() / "kernels" / key, make) / "kernel"


def mapping_library(flags: Sequence[str] = ()) -> Path:
    """The mapping library as a shared object, built if the cache hasn't got it.

    Args:
        flags: What a test adds for compiling and linking; part of the cache's key.
    """
    compiler = c_compiler()
    version = _run([compiler, "--version"], {})
    known = _sources_digest(MAPPING_SOURCES)
    key = _digest([known, compiler, version, *C_FLAGS, *MAPPING_FLAGS, *flags])

    def make(into: Path) -> None:
        sources = sorted([*MAPPING_SOURCES.glob("*.c"), *MAPPING_SOURCES.glob("methods/*.c")])
        objects = _compile(compiler, sources, into, [*MAPPING_FLAGS, *flags], {})
        command = [compiler, "-shared", *flags, *map(str, objects), "-lm", "-ldl"]
        _run([*command, "-o", str(into / "mapping.so")], {})

    return _once(cache_directory() / "mapping" / key, make) / "mapping.so"


def describe(kernel: Path, environment: Mapping[str, str] | None = None) -> Capability:
    """What `kernel` can measure; no library is started for it, but `environment` may find it."""
    return parse_description(_run([str(kernel), "--describe"], dict(environment or {})))
