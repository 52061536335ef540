"""The C sources and their compilation; nothing in C depends on Python.

Public:
    here: FOLDER
    compiler: answer, c_compiler, C_FLAGS, compile_all, digest, once, run, sources_digest,
        version_of
    libraries: FLAGS, LIBRARIES, program, shared_library
    structures: ArraysStruct, DOUBLES, doubles, INT64S, int64s, point

For: backends, hosts, kernels, mapping, measure, simulate.
Never: runs, campaigns, what a kernel is to measure.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Holds a folder for each program or library."""
