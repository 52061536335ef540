"""The C sources, and what compiles them; nothing in C knows of Python."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Holds a folder for each program or library."""
