"""Shared objects for ctypes: compiled on first use, then taken from the user's cache."""

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
)

FLAGS = ("-fPIC", "-fvisibility=hidden", "-ffp-contract=off")
"""No fused operations: what is computed must not depend on the processor."""
LIBRARIES = ("-lm", "-ldl")


def shared_library(sources: Path, flags: Sequence[str] = ()) -> Path:
    """The shared object of all C files below `sources`, built if the cache hasn't got it.

    Args:
        sources: A folder; its name is the library's.
        flags: What a test adds for compiling and linking; part of the cache's key.

    Raises:
        MachineError, BuildError: No compiler, or it fails.
    """
    name, compiler = sources.name, c_compiler()
    version = run([compiler, "--version"], {})
    key = digest([sources_digest(sources), compiler, version, *C_FLAGS, *FLAGS, *flags])

    def make(into: Path) -> None:
        files = sorted(sources.rglob("*.c"))
        objects = compile_all(compiler, files, into, [*FLAGS, f"-I{sources}", *flags], {})
        command = [compiler, "-shared", *flags, *map(str, objects), *LIBRARIES]
        run([*command, "-o", str(into / f"{name}.so")], {})

    return once(cache_directory() / name / key, make) / f"{name}.so"
