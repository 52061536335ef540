"""Files that a command is to write: whole or not at all, never over a run's; pictures, too."""

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
    """UsageError where something is at `path`, or no folder for it; before anything is computed."""
    if os.path.lexists(path):
        raise UsageError(f"{option} {path} exists; remove it or give another name")
    check_directory(path, option)


def check_directory(path: str, option: str) -> None:
    """UsageError unless the directory that `path` is to be in is there, and it is no run's file."""
    if not Path(path).parent.is_dir():
        raise UsageError(
            f"{option} {path}: there is no directory {Path(path).parent}; make it first"
        )
    check_no_runs(path, option)


def check_no_runs(path: str, option: str) -> None:
    """UsageError where `path` is a file of a run: its journal is what can't be made again."""
    from leadline.store import is_own

    if is_own(Path(path)):
        raise UsageError(f"{option} {path}: that is a file of a run; give another name")


def write_new(path: str, text: str, option: str) -> None:
    """Writes `text` into the new file `path`; UsageError where that can't be."""
    try:
        with _refused(path, option), _beside(Path(path), text.encode()) as temporary:
            os.link(temporary, path)  # unlike a rename it takes no other file's place
    except FileExistsError:
        check_new(path, option)
        raise


def replace(path: str, content: bytes, option: str) -> None:
    """Puts `content` into the file `path`, whatever was there; UsageError where that can't be.

    What was there stays as it was until all of it is on the disk. A link is replaced, not what it
    leads to; what is no file, such as a pipe or /dev/stdout, is written to.
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
    """A new file beside `target` with `content` on the disk; what is left of it is removed.

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
    """Whether it is no regular file, or a name that the system has for an open one."""
    if target.absolute().parent in DEVICES:
        return True
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except OSError:
        return False


def _keep_rights(target: Path, temporary: Path) -> None:
    """Gives the new file the old one's: what was private stays so."""
    with contextlib.suppress(FileNotFoundError):
        mode = target.lstat().st_mode
        if stat.S_ISREG(mode):
            temporary.chmod(stat.S_IMODE(mode))


def write(out: str, content: bytes, option: str = "--out") -> None:
    """Puts `content` into the file `out`, whatever was there, or on stdout if that is "-".

    `option` is what gave the file.
    """
    if out == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    replace(out, content, option)
    say(f"wrote {out}")


PICTURES = (".svg", ".pdf", ".png")


def check_picture(path: str) -> None:
    """UsageError unless the name ends as that of a picture, in a directory that is there."""
    if Path(path).suffix.lower() not in PICTURES:
        raise UsageError(f"--plot {path}: end the name in .svg, .pdf or .png")
    check_directory(path, "--plot")


def form_of(path: str) -> str:
    """The picture's kind, by the end of its name: svg, pdf or png."""
    return Path(path).suffix.lower().removeprefix(".")


def write_image(image: bytes, path: str) -> None:
    """Writes it and says so; UsageError where the file can't be written."""
    replace(path, image, "--plot")
    say(f"wrote {path}")


SIZE_IN = (5.0, 3.6)


def check_folder(folder: str, option: str) -> None:
    """Makes it where it is missing; UsageError where that can't be, before anything is computed."""
    if Path(folder).is_file():
        raise UsageError(f"{option} {folder} is a file; name a folder")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{option} {folder}: {error.strerror or error}") from None


def draw_each(figures: Iterable[StudyFigure], folder: str, option: str) -> None:
    """Draws each figure that has a curve into `folder`, over what has its name."""
    from leadline.cli.parsing.files import write
    from leadline.report.figures.figure import drawn
    from leadline.report.figures.plots import studied_figure

    for figure in figures:
        path = Path(folder) / f"{figure.name}.svg"
        if figure.curves:
            write(str(path), drawn(studied_figure(figure), "svg", SIZE_IN), option)
