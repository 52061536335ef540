"""Builds the preload library of an MPI library: by its own compiler wrapper, linked without it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from leadline import native
from leadline.files import cache_directory
from leadline.mapping.library import SOURCES as MAPPING_SOURCES
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
from leadline.native.libraries import FLAGS, LIBRARIES

SOURCES = native.FOLDER / "preload"
PRELOADED = "leadline_map.so"
"""The library for LD_PRELOAD, which the program calls; it does nothing where no MPI is."""
CORE = "leadline_map_core.so"
"""The library beside it that maps; loaded when a program first asks to reorder ranks."""
LINK_FLAGS = ("-shared", "-fPIC", "-Wl,-Bsymbolic", "-Wl,-z,now")


def preload_library(compiler: Path, environment: Mapping[str, str]) -> Path:
    """The library for LD_PRELOAD with programs of one MPI library; built if it isn't cached.

    Args:
        compiler: The library's wrapper of the C compiler.
        environment: Variables that it needs, on top of this process's own.

    Raises:
        MachineError, BuildError: No compiler, or it fails.
    """
    wrapper, needed = str(compiler.resolve()), dict(environment)
    version = run([str(compiler), "--version"], needed)
    mapping = _mapping_objects()
    key = digest([sources_digest(SOURCES), mapping.name, str(compiler), wrapper, version, *FLAGS])

    def make(into: Path) -> None:
        made = {name: into / name for name in ("common", "interposed", "core")}
        for folder in made.values():
            folder.mkdir()
        saying = compile_all(c_compiler(), [SOURCES / "saying.c"], made["common"], _flags(), {})
        for room, file, more in (
            ("interposed", PRELOADED, ()),
            ("core", CORE, sorted(mapping.glob("*.o"))),
        ):
            sources = sorted((SOURCES / room).glob("*.c"))
            objects = compile_all(str(compiler), sources, made[room], _flags(), needed)
            # without the library, whose names are found in the program that this is loaded into
            names = [str(path) for path in (*saying, *objects, *more)]
            run([c_compiler(), *LINK_FLAGS, *names, *LIBRARIES, "-o", str(into / file)], {})

    return once(cache_directory() / "preload" / key, make) / PRELOADED


def _flags() -> list[str]:
    return [*FLAGS, f"-I{SOURCES}", f"-I{MAPPING_SOURCES}"]


def _mapping_objects() -> Path:
    """A folder with the objects of the mapping library; compiled if they aren't cached."""
    compiler = c_compiler()
    version = version_of(compiler)
    key = digest([sources_digest(MAPPING_SOURCES), compiler, version, *C_FLAGS, *FLAGS])

    def make(into: Path) -> None:
        sources = sorted(MAPPING_SOURCES.rglob("*.c"))
        compile_all(compiler, sources, into, [*FLAGS, f"-I{MAPPING_SOURCES}"], {})

    return once(cache_directory() / "mapping-objects" / key, make)
