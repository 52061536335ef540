"""Writes a command's files: completely or not at all, never over a run's; pictures, too."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import say
from leadline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leadline.papers.layout import StudyFigure

DEVICES = (Path("/dev"), Path("/dev/fd"), Path("/proc/self/fd"))


def check_new(path: str, option: str) -> None:
    """UsageError where `path` exists or its directory doesn't; called before any computation."""
    if os.path.lexists(path):
        raise UsageError(f"{option} {path} exists; remove it or give another name")
    check_directory(path, option)


def check_directory(path: str, option: str) -> None:
    """UsageError unless the directory of `path` exists, and `path` is no file of a run."""
    if not Path(path).parent.is_dir():
        raise UsageError(
            f"{option} {path}: there is no directory {Path(path).parent}; make it first"
        )
    check_no_runs(path, option)


def check_no_runs(path: str, option: str) -> None:
    """UsageError where `path` is a file of a run, whose journal can't be made again."""
    from leadline.store import is_own

    if is_own(Path(path)):
        raise UsageError(f"{option} {path}: that is a file of a run; give another name")


def write_new(path: str, text: str, option: str) -> None:
    """Writes `text` into the new file `path`; UsageError where that fails."""
    try:
        with _refused(path, option), _beside(Path(path), text.encode()) as temporary:
            os.link(temporary, path)  # unlike a rename it takes no other file's place
    except FileExistsError:
        check_new(path, option)
        raise


def replace(path: str, content: bytes, option: str) -> None:
    """Replaces the file `path` by one with `content`; UsageError where that fails.

    The old file stays as it was until all of the new one is on the disk. A link is replaced, not
    its target; what is no regular file, such as a pipe or /dev/stdout, is written to.
    """
    check_no_runs(path, option)
    target = Path(path)
    with _refused(path, option):
        if _is_written_to(target):
            target.write_bytes(content)
            return
        with _beside(target, content) as temporary:
            _keep_rights(target, temporary)
            temporary.replace(target)


@contextlib.contextmanager
def _refused(path: str, option: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise UsageError(f"{option} {path}: {error.strerror or error}") from None


@contextlib.contextmanager
def _beside(target: Path, content: bytes) -> Iterator[Path]:
    """A context: a new file beside `target` with `content` on the disk, removed at the end.

    Its name is short: that of `target` may be as long as names can be.
    """
    temporary = target.with_name(f".{os.getpid()}-{secrets.token_hex(4)}.new")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _is_written_to(target: Path) -> bool:
    """Whether `target` is no regular file, or the system's name of an open file."""
    if target.absolute().parent in DEVICES:
        return True
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except OSError:
        return False


def _keep_rights(target: Path, temporary: Path) -> None:
    """Gives the new file the old one's rights, so that what was private stays private."""
    with contextlib.suppress(FileNotFoundError):
        mode = target.lstat().st_mode
        if stat.S_ISREG(mode):
            temporary.chmod(stat.S_IMODE(mode))


def write(out: str, content: bytes, option: str = "--out") -> None:
    """Replaces the file `out` by one with `content`, or writes to stdout where `out` is "-".

    `option` is the one that named the file, for messages.
    """
    if out == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    replace(out, content, option)
    say(f"wrote {out}")


PICTURES = (".svg", ".pdf", ".png")


def form_of(path: str, option: str = "--plot") -> str:
    """The picture's kind by the end of its name, "svg", "pdf" or "png"; UsageError for others."""
    end = Path(path).suffix.lower()
    if end not in PICTURES:
        raise UsageError(f"{option} {path}: end the name in .svg, .pdf or .png")
    return end.removeprefix(".")


def check_picture(path: str) -> None:
    """UsageError unless `path` is named as a picture, in a directory that exists."""
    form_of(path)
    check_directory(path, "--plot")


SIZE_IN = (5.0, 3.6)
"""Width and height of a study's figure in inches."""


def check_folder(folder: str, option: str) -> None:
    """Makes `folder` where it is missing; UsageError where that fails, before any computation."""
    if Path(folder).is_file():
        raise UsageError(f"{option} {folder} is a file; name a folder")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{option} {folder}: {error.strerror or error}") from None


def draw_each(figures: Iterable[StudyFigure], folder: str, option: str) -> None:
    """Draws each figure that has a curve into `folder` and replaces files of the same name."""
    from leadline.report.figures.figure import drawn
    from leadline.report.figures.plots import studied_figure

    for figure in figures:
        path = Path(folder) / f"{figure.name}.svg"
        if figure.curves:
            write(str(path), drawn(studied_figure(figure), "svg", SIZE_IN), option)
