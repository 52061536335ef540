"""The last resort: an error that nothing else handles becomes one line, and a report in a file."""

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
"""Characters of an exception's text that are printed."""
REPORTS = "reports"
RECORDING = ("run", "study")
"""The commands that write down what they measure as they go."""
_IN_THREADS: list[Exception] = []
"""Exceptions that ended threads while the command went on."""


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
    """Prints what `ended`, whether data are kept, and where the report is; the exit status."""
    traceback.clear_frames(error.__traceback__)  # what filled memory is in them
    first_line = printable(next(iter(str(error).strip().splitlines()), ""), kept="")[:MOST_TOLD]
    what = f"{type(error).__name__}: {first_line}".removesuffix(": ")
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


def _reported(error: Exception) -> str:
    """Writes a report on `error` that nobody else may read; where it is, or why there is none."""
    try:
        here = str(Path.cwd())
    except OSError as refused:
        here = str(refused)
    about = (
        f"leadline {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: {shlex.join(sys.argv)}",
        f"directory: {here}",
        "",
    )
    text = "\n".join(about) + "\n" + "".join(traceback.format_exception(error))
    why = ""
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            when = f"leadline-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-"
            descriptor, path = tempfile.mkstemp(".txt", when, folder)  # several threads may fail
            with os.fdopen(descriptor, "w", errors="backslashreplace") as file:
                file.write(text)
        except OSError as refused:
            why = str(refused)
        else:
            return f"report: {path}"
    return f"no report could be written: {why}"


def _folders() -> Iterator[Path]:
    """Where a report may go: the user's own folder, then that of temporary files."""
    with contextlib.suppress(Exception):  # no home: it may be what was not foreseen
        yield state_directory() / REPORTS
    yield Path(tempfile.gettempdir())
