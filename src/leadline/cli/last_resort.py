"""The last resort: what nothing else answers becomes one line, and a report in a file."""

from __future__ import annotations

import contextlib
import os
import platform
import shlex
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from leadline import __version__
from leadline.cli import main
from leadline.cli.process import heed_ctrl_c, prepare_streams, was_interrupted
from leadline.errors import printable
from leadline.files import state_directory

UNFORESEEN = 70
"""The exit status: that of sysexits.h for an internal error."""
MOST_TOLD = 200
"""Characters of what an exception says."""
REPORTS = "reports"
RECORDING = ("run", "study")
"""The commands that write down what they measure as they go."""
_IN_THREADS: list[Exception] = []
"""What ended threads, while the command went on."""


def guarded() -> int:
    """Runs the command that sys.argv asks for; returns its exit status, whatever happens."""
    try:
        prepare_streams()
        threading.excepthook = _in_a_thread
        heed_ctrl_c()
        status = main()
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as error:  # also what half an import, or DuckDB, makes of an interrupt
        return _interrupted() if was_interrupted() else _say(error, "ended")
    return UNFORESEEN if _IN_THREADS else status


def _interrupted() -> int:
    print(f"leadline {_command()}: interrupted", file=sys.stderr)
    return 130


def _in_a_thread(ended: threading.ExceptHookArgs) -> None:
    if isinstance(ended.exc_value, Exception):
        _IN_THREADS.append(ended.exc_value)
        _say(ended.exc_value, "a part of it ended")


def _say(error: Exception, ended: str) -> int:
    """Prints what `ended`, what that did to data, and where the report is; the exit status."""
    traceback.clear_frames(error.__traceback__)  # what filled memory is in them
    what = f"{type(error).__name__}: {_first_line(str(error))}".removesuffix(": ")
    kept = "what was recorded before is kept; " if _command() in RECORDING else ""
    print(
        f"leadline {_command()}: {ended} by what wasn't foreseen ({what}); {kept}"
        f"{_reported(error)}",
        file=sys.stderr,
    )
    return UNFORESEEN


def _command() -> str:
    word = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return printable(word.strip(), kept="")


def _first_line(text: str) -> str:
    return printable(next(iter(text.strip().splitlines()), ""), kept="")[:MOST_TOLD]


def _reported(error: Exception) -> str:
    """Where the report on `error` is, or why there is none."""
    why = ""
    text = _report(error)
    for folder in _folders():
        try:
            return f"report: {_written(folder, text)}"
        except OSError as refused:
            why = str(refused)
    return f"no report could be written: {why}"


def _folders() -> Iterator[Path]:
    """The user's own first; whoever has none, or a full one, may write elsewhere."""
    with contextlib.suppress(Exception):  # no home: it may be what was not foreseen
        yield state_directory() / REPORTS
    yield Path(tempfile.gettempdir())


def _written(folder: Path, text: str) -> Path:
    """The new file in `folder` that `text` is in, which nobody else may read; OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    when = f"leadline-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-"
    descriptor, path = tempfile.mkstemp(".txt", when, folder)  # several threads fall at once
    with os.fdopen(descriptor, "w", errors="backslashreplace") as file:
        file.write(text)
    return Path(path)


def _report(error: Exception) -> str:
    about = (
        f"leadline {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: {shlex.join(sys.argv)}",
        f"directory: {_here()}",
        "",
    )
    return "\n".join(about) + "\n" + "".join(traceback.format_exception(error))


def _here() -> str:
    try:
        return str(Path.cwd())
    except OSError as error:
        return str(error)
