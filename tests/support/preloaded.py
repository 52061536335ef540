"""Programs of an MPI library with its preload library, on nodes of which one host has several."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.neighbours import Printed, build_c, start
from tests.support.texts import lines_from, numbers

from leadline.backends.backend import Backend
from leadline.mapping.preload.build import preload_library

THREE_NODES = "leadline-machine 1;torus 3 periodic 0;host n0 0;host n1 1;host n2 2"
"""Three nodes in a row."""
NAMING = """#!/bin/sh
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
SLURMD_NODENAME=n$(((rank + rank / 3) % 3)) exec "$@"
"""
"""Gives ranks of one host names of three nodes, so that no two neighbours of a 3x3 share one."""


def preloading(backend: Backend) -> dict[str, str]:
    """What puts its preload library into the backend's programs."""
    return {"LD_PRELOAD": str(preload_library(Path(str(backend.compiler)), backend.environment))}


def run_named(
    backend: Backend,
    folder: Path,
    source: str,
    environment: Mapping[str, str],
    arguments: tuple[str, ...] = (),
) -> Printed:
    """The program of `source` on 9 ranks named by NAMING."""
    program, naming = build_c(backend, folder, source), folder / "naming.sh"
    naming.write_text(NAMING)
    naming.chmod(0o755)
    return start(backend, naming, 9, environment, arguments=(str(program), *arguments))


def messages_of(done: Printed) -> list[str]:
    """The lines of the preload library."""
    return [line for line in done.errors.splitlines() if line.startswith("leadline")]


def gain(done: Printed, call: str) -> list[str]:
    """The numbers in the first line of the preload library on `call`."""
    (line, *_) = lines_from(f"leadline: {call}: ", done.errors)
    return numbers(line)
