"""A file that a command is to write: whole or not at all, and never over another."""

from __future__ import annotations

import os
from pathlib import Path

from leadline.errors import UsageError


def check_new(path: str, option: str) -> None:
    """UsageError where something is at `path`, or no folder for it; before anything is computed."""
    if os.path.lexists(path):
        raise UsageError(f"{option} {path} exists; remove it or give another name")
    check_directory(path, option)


def check_directory(path: str, option: str) -> None:
    """UsageError unless the directory that `path` is to be in is there."""
    if not Path(path).parent.is_dir():
        raise UsageError(
            f"{option} {path}: there is no directory {Path(path).parent}; make it first"
        )


def write_new(path: str, text: str, option: str) -> None:
    """Writes `text` into the new file `path`; UsageError where that can't be."""
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        try:
            with temporary.open("x", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.link(temporary, target)  # unlike a rename it takes no other file's place
        finally:
            temporary.unlink(missing_ok=True)
    except FileExistsError:
        check_new(path, option)
        raise
    except OSError as error:
        raise UsageError(f"{option} {path}: {error.strerror or error}") from None
