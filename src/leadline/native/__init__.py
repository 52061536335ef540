"""The C sources, and what compiles them; nothing in C knows of Python.

Public:
    here: FOLDER
    compiler: c_compiler, C_FLAGS, compile_all, digest, once, run, sources_digest

For: backends, kernels, mapping, measure.
Never: runs, campaigns, what a kernel is asked to measure.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Holds a folder for each program or library."""
