"""Builds kernels: one executable per backend, from the C sources in the package, kept in a cache.

The parts that depend on no library (engine, patterns, fallbacks) are compiled once with the C
compiler; only the backend's own file, and the link, use the library's compiler wrapper.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from leadline import native
from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS
from leadline.files import FileState, cache_directory, file_state
from leadline.kernels.description import Capability, parse_description
from leadline.native.compiler import (
    C_FLAGS,
    answer,
    c_compiler,
    compile_all,
    digest,
    once,
    run,
    sources_digest,
    version_of,
)

SOURCES = native.FOLDER / "kernels"
COMMON_ROOMS = ("applications", "channel", "engine", "patterns", "relay")
"""Folders whose files every kernel has; beside them only main.c and describe.c."""
FALLBACK = SOURCES / "fallback"
FALLBACK_GROUP = re.compile(r"^#ifdef (GROUP_\w+)$", re.MULTILINE)
"""Begins what becomes an archive member of its own; absent.c there says why."""
COMPUTING_ROOM = SOURCES / "applications"
COMPUTING_FLAGS = ("-O3", "-ffp-contract=off")
"""Loops over fields become vectors; no fused operations: results are the same to the last bit."""
LIBRARIES = ("-lm", "-lpthread", "-lrt")
SIMULATED_FLAGS = ("-fPIC", "-DLEADLINE_SIMULATED")
"""Flags for all files of a kernel whose ranks and time are simulated."""
DESCRIBING = "description"
"""File beside a kernel that is a shared object: the same kernel as a program, which can describe
itself."""


@dataclass(frozen=True, slots=True)
class Additions:
    """Sources and flags, to compile and to link, that tests and benchmarks add to a kernel."""

    sources: tuple[Path, ...] = ()
    compile_flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()


def kind_sources(kind: str) -> list[Path]:
    """C files that depend on the library: backends/NAME.c, backends/NAME/*.c and shared folders."""
    folder, names = SOURCES / "backends", KINDS[kind].sources
    left_out = {folder / name for name in KINDS[kind].left_out}
    paths = sorted({f for n in names for f in (folder / n).glob("*.c")} - left_out)
    return [*(folder / f"{name}.c" for name in names[:1]), *paths]


def _include() -> str:
    return f"-I{SOURCES}"


def common_sources() -> list[Path]:
    """C files of every kernel: those that depend on no library."""
    rooms = [path for room in COMMON_ROOMS for path in (SOURCES / room).rglob("*.c")]
    return sorted([*SOURCES.glob("*.c"), *rooms])


def _common_folder(flags: Sequence[str]) -> Path:
    """Folder of common_objects with these flags; its name is a digest of what they depend on."""
    compiler = c_compiler()
    version = version_of(compiler)
    key = digest([sources_digest(SOURCES), compiler, version, *C_FLAGS, *COMPUTING_FLAGS, *flags])
    return cache_directory() / "objects" / key


def common_objects(flags: Sequence[str] = ()) -> Path:
    """A directory with the objects every kernel shares and libfallback.a; compiled if missing."""
    compiler = c_compiler()

    def make(into: Path) -> None:
        computing = [path for path in common_sources() if path.is_relative_to(COMPUTING_ROOM)]
        others = [path for path in common_sources() if path not in computing]
        compile_all(compiler, others, into, [_include(), *flags], {})
        compile_all(compiler, computing, into, [_include(), *COMPUTING_FLAGS, *flags], {})
        members = _fallback_members(compiler, into / "fallback", [_include(), *flags])
        archiver = os.environ.get("AR", "ar")
        run([archiver, "qcs", str(into / "libfallback.a"), *map(str, members)], {})

    return once(_common_folder(flags), make)


def _fallback_members(compiler: str, into: Path, flags: Sequence[str]) -> list[Path]:
    """The objects of libfallback.a, made below `into`: one a group of a file, or a file without.

    Those of groups have one name, so that the archive must be appended to.
    """
    members = [
        (path, group)
        for path in sorted(FALLBACK.glob("*.c"))
        for group in FALLBACK_GROUP.findall(path.read_text()) or [""]
    ]

    def compiled(member: tuple[Path, str]) -> list[Path]:
        path, group = member
        folder = into / (group or path.stem)
        folder.mkdir(parents=True)
        defined = [f"-D{group}"] if group else []
        return compile_all(compiler, [path], folder, [*defined, *flags], {})

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return [made for paths in pool.map(compiled, members) for made in paths]


def is_built(backend: Backend) -> bool:
    """Whether the cache has the kernel for `backend`, so that nothing would be compiled."""
    flags = _compile_flags(backend, Additions())
    return _kernel_folder(backend, Additions(), _common_folder(flags)).exists()


def _compile_flags(backend: Backend, extra: Additions) -> tuple[str, ...]:
    return (*SIMULATED_FLAGS * KINDS[backend.kind].simulated, *extra.compile_flags)


def _kernel_folder(backend: Backend, extra: Additions, common: Path) -> Path:
    """Folder of the kernel for `backend`, built with the objects in the folder `common`."""
    key = digest(
        [
            common.name,
            os.path.realpath(backend.compiler or c_compiler()),
            backend.version or "",
            backend.kind,
            *map(str, extra.sources),
            *(path.read_bytes() for path in extra.sources),
            *extra.link_flags,
        ]
    )
    return cache_directory() / "kernels" / key


def build_kernel(backend: Backend, additions: Additions | None = None) -> Path:
    """The kernel for `backend`, built if the cache hasn't got it. BuildError says why it can't be.

    Args:
        backend: A usable backend; its compiler wrapper compiles its file and links.
        additions: What tests and benchmarks add; part of the cache's key.
    """
    extra = additions or Additions()
    compiler = backend.compiler or c_compiler()
    environment, kind = dict(backend.environment), KINDS[backend.kind]
    compile_flags = _compile_flags(backend, extra)
    common = common_objects(compile_flags)

    def make(into: Path) -> None:
        sources = [*kind_sources(backend.kind), *extra.sources]
        objects = compile_all(compiler, sources, into, [_include(), *compile_flags], environment)
        parts = [*map(str, objects), *map(str, sorted(common.glob("*.o")))]
        flags = [*compile_flags, *extra.link_flags]
        libraries = [*kind.link_flags, *LIBRARIES]
        command = [compiler, *parts, str(common / "libfallback.a"), *flags, *libraries]
        run([*command, "-o", str(into / "kernel")], environment)
        if kind.program_environment:
            as_program = environment | dict(kind.program_environment)
            run([*command, "-o", str(into / DESCRIBING)], as_program)

    return once(_kernel_folder(backend, extra, common), make) / "kernel"


def describe(kernel: Path, environment: Mapping[str, str] | None = None) -> Capability:
    """The patterns that `kernel` can measure; `environment` lets the loader find its library.

    The library isn't started for it. A process asks a kernel once, and again where its file has
    changed since.
    """
    beside = kernel.with_name(DESCRIBING)
    program = beside if beside.exists() else kernel
    needed = tuple(sorted((environment or {}).items()))
    return parse_description(_description(str(program), file_state(program), needed))


@functools.cache
def _description(program: str, _: FileState, environment: tuple[tuple[str, str], ...]) -> str:
    return answer([program, "--describe"], dict(environment))
