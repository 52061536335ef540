"""The machines that come with the project, and those that a user describes."""

from __future__ import annotations

from pathlib import Path

from leadline.errors import unknown_name
from leadline.files import read_text
from leadline.simulate.machine import MachineModel
from leadline.simulate.reading import parse_machine

FOLDER = Path(__file__).parent / "machines"
SUFFIX = ".toml"
MOST_BYTES = 2**20
"""Of a machine's file."""


def shipped_names() -> tuple[str, ...]:
    """The names of all machines that come along."""
    return tuple(sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}")))


def machine_named(name: str) -> MachineModel:
    """A machine that comes along, or the one that the file `name` describes.

    Args:
        name: E.g. "cray-t3e-900", or a path: something with a slash or the suffix .toml.

    Raises:
        UsageError: There is neither.
        FileError: The file isn't a machine's.
    """
    if name in shipped_names():
        path = FOLDER / f"{name}{SUFFIX}"
    elif "/" in name or name.endswith(SUFFIX):
        path = Path(name)
    else:
        raise unknown_name("machine", name, shipped_names())
    return parse_machine(read_text(path, MOST_BYTES), str(path))
