"""The machines that come with the project, and those that a user describes."""

from __future__ import annotations

from pathlib import Path

from leadline.errors import UsageError, unknown_name
from leadline.simulate.machine import MachineModel
from leadline.simulate.reading import parse_machine

FOLDER = Path(__file__).parent / "machines"
SUFFIX = ".toml"


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
    return parse_machine(_text(path), str(path))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not a text file") from None
