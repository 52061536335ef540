"""The C sources and their compilation; nothing in C depends on Python.

`kernels`, `mapping`, `flow`, `preload`, `switch`, `smpi` and `probe` are C; the comment at the head
of each main header says what it is. `compiler` compiles sources into the user's cache under a key
of their contents, the compiler and the library; `libraries` does so for what Python loads or
starts; `structures` passes numpy arrays to C.

Public:
    compiler: answer, c_compiler, C_FLAGS, compile_all, digest, once, run, sources_digest,
        version_of
    libraries: FLAGS, LIBRARIES, program, shared_library
    structures: ArraysStruct, DOUBLES, doubles, INT64S, int64s, point
    here: FOLDER

For: backends, hosts, kernels, mapping, measure, simulate.
Never: runs, campaigns, what a kernel is to measure.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Holds a folder for each program or library."""
