"""Shared objects for ctypes, and programs: compiled on first use, then taken from the cache."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.files import cache_directory
from leadline.native.compiler import (
    C_FLAGS,
    c_compiler,
    compile_all,
    digest,
    once,
    run,
    sources_digest,
    version_of,
)

FLAGS = ("-fPIC", "-fvisibility=hidden", "-ffp-contract=off")
"""No fused operations: what is computed must not depend on the processor."""
LIBRARIES = ("-lm", "-ldl")


def shared_library(sources: Path, flags: Sequence[str] = ()) -> Path:
    """Path of the shared object of all C files below `sources`, built if the cache lacks it.

    Args:
        sources: A folder; the library is named after it.
        flags: Added by tests to compile and link; part of the cache key.

    Raises:
        MachineError, BuildError: No compiler, or it fails.
    """
    return _linked(sources, f"{sources.name}.so", (*FLAGS, *flags), ("-shared", *flags), LIBRARIES)


def program(sources: Path, flags: Sequence[str] = ()) -> Path:
    """Path of the same as a program, named after the folder; raises the same."""
    return _linked(sources, sources.name, flags, flags, ())


def _linked(
    sources: Path,
    file: str,
    compiling: Sequence[str],
    linking: Sequence[str],
    libraries: Sequence[str],
) -> Path:
    """Path of `file` in the cache, compiled and linked with these flags."""
    compiler = c_compiler()
    version = version_of(compiler)
    flags = [*C_FLAGS, *compiling, *linking]
    key = digest([sources_digest(sources), compiler, version, *flags])

    def make(into: Path) -> None:
        files = sorted(sources.rglob("*.c"))
        objects = compile_all(compiler, files, into, [*compiling, f"-I{sources}"], {})
        command = [compiler, *linking, *map(str, objects), *libraries]
        run([*command, "-o", str(into / file)], {})

    return once(cache_directory() / sources.name / key, make) / file
