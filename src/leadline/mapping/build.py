"""Builds the mapping library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline import native
from leadline.directories import cache_directory
from leadline.native.compiler import (
    C_FLAGS,
    c_compiler,
    compile_all,
    digest,
    once,
    run,
    sources_digest,
)

SOURCES = native.FOLDER / "mapping"
FLAGS = ("-fPIC", "-fvisibility=hidden", "-ffp-contract=off")
"""No fused operations: what is mapped must not depend on the processor."""


def mapping_library(flags: Sequence[str] = ()) -> Path:
    """The mapping library as a shared object, built if the cache hasn't got it.

    Args:
        flags: What a test adds for compiling and linking; part of the cache's key.
    """
    compiler = c_compiler()
    version = run([compiler, "--version"], {})
    known = sources_digest(SOURCES)
    key = digest([known, compiler, version, *C_FLAGS, *FLAGS, *flags])

    def make(into: Path) -> None:
        sources = sorted(SOURCES.rglob("*.c"))
        objects = compile_all(compiler, sources, into, [*FLAGS, f"-I{SOURCES}", *flags], {})
        command = [compiler, "-shared", *flags, *map(str, objects), "-lm", "-ldl"]
        run([*command, "-o", str(into / "mapping.so")], {})

    return once(cache_directory() / "mapping" / key, make) / "mapping.so"
