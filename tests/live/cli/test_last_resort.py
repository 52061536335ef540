"""What nothing else answers, and Ctrl-C at any time, is one line."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.planted_imports import INTERRUPT, planted_at

from leadline.store import finish

COMMAND = "leadline.cli.commands.dims"


def interrupted(who: str) -> str:
    """What a command says that Ctrl-C ends."""
    return f"{who}: interrupted\n"


@pytest.mark.parametrize(
    "planted",
    [
        "raise RecursionError('too deep')",
        "raise MemoryError('too large')",
        "raise UnicodeDecodeError('utf-8', b'a', 0, 1, 'no text')",
        "raise OSError(22, 'Invalid argument')",
        "raise AttributeError('\\x1b[31mred\\nsecond line')",
    ],
)
def test_what_was_not_foreseen_is_one_line_and_a_report(
    tmp_path: Path, planted: str, snapshot: SnapshotAssertion
) -> None:
    done = planted_at(COMMAND, planted, tmp_path, "dims", "12", XDG_STATE_HOME=str(tmp_path))
    (report,) = (tmp_path / "leadline" / "reports").iterdir()
    (line,) = done.stderr.splitlines()
    assert done.returncode == 70
    assert line.replace(str(report), "REPORT") == snapshot
    assert line.isprintable()
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    told = report.read_text()
    assert "dims 12\n" in told and "Traceback" in told and "exec(" in told


def test_a_report_that_the_state_folder_does_not_take_lies_with_temporary_files(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    done = planted_at(
        COMMAND, "raise RecursionError", tmp_path, "dims", "12",
        XDG_STATE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path),
    )  # fmt: skip
    (report,) = tmp_path.glob("leadline-*.txt")
    assert done.stderr.endswith(f"report: {report}\n")


def test_what_records_as_it_goes_says_what_is_kept(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    planted = "raise RecursionError"
    done = planted_at(
        "leadline.cli.commands.run", planted, tmp_path, "run", XDG_STATE_HOME=str(tmp_path)
    )
    (report,) = (tmp_path / "leadline" / "reports").iterdir()
    assert done.stderr.replace(str(report), "REPORT") == snapshot


def test_a_word_that_is_no_command_steers_no_terminal(tmp_path: Path) -> None:
    planted = "import shutil; shutil.get_terminal_size = None"
    words, state = ("\x1b[31m",), str(tmp_path)
    done = planted_at(
        "leadline.cli.parsing.parser", planted, tmp_path, *words, XDG_STATE_HOME=state
    )
    assert done.stderr.startswith("leadline \\x1b[31m: ") and "(TypeError" in done.stderr


@pytest.mark.parametrize(
    ("module", "who"),
    [
        ("leadline.cli", "leadline"),
        ("argparse", "leadline"),
        ("leadline.cli.commands.dims", "leadline dims"),
        ("numpy", "leadline dims"),
        ("atexit", "leadline dims"),
    ],
)
def test_an_interrupt_while_modules_are_imported_is_one_line(
    tmp_path: Path, module: str, who: str
) -> None:
    done = planted_at(module, INTERRUPT, tmp_path, "dims", "12")
    assert (done.returncode, done.stderr) == (130, interrupted(who))


def test_an_interrupt_that_passed_an_exec_leaves_the_exit_status(tmp_path: Path) -> None:
    """Where the methods of a dataclass were being made; Python ended itself by SIGINT for it."""
    done = planted_at("leadline.cli.commands.dims", f"exec({INTERRUPT!r})", tmp_path, "dims", "12")
    assert (done.returncode, done.stderr) == (130, interrupted("leadline dims"))


def test_what_else_an_interrupt_is_made_into_is_one_line(tmp_path: Path) -> None:
    """DuckDB ends a query by an error of its own."""
    query = f"""
try:
    {INTERRUPT}
except KeyboardInterrupt:
    raise RuntimeError("Query interrupted") from None
"""
    done = planted_at(COMMAND, query, tmp_path, "dims", "12", XDG_STATE_HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (130, interrupted("leadline dims"))


def test_an_interrupt_while_duckdb_is_imported_waits(tmp_path: Path) -> None:
    """Its own code would end the process: only afterwards the import says that it went on."""
    Campaign(["shm"], (pingpong(8),), batches=5).write(tmp_path / "run")
    finish(tmp_path / "run")
    planted = f"{INTERRUPT}; sys.stderr.write('goes on; ')"
    done = planted_at("_duckdb", planted, tmp_path, "show", str(tmp_path / "run"))
    assert (done.returncode, done.stderr) == (130, "goes on; " + interrupted("leadline show"))


def test_what_the_machine_refuses_is_said_with_its_remedy_and_no_report(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    planted = "raise OSError(24, 'Too many open files')"
    done = planted_at(COMMAND, planted, tmp_path, "dims", "12", XDG_STATE_HOME=str(tmp_path))
    assert done.stderr == snapshot
    assert done.returncode == 1 and not (tmp_path / "leadline").exists()


def test_an_interrupt_that_is_to_be_ignored_is_ignored(tmp_path: Path) -> None:
    planted = f"signal.getsignal(2) is signal.SIG_IGN and {INTERRUPT}"
    ignored = "signal.signal(2, signal.SIG_IGN)"
    done = planted_at("leadline", ignored, tmp_path, "dims", "12")
    assert (done.returncode, done.stderr) == (0, "")
    done = planted_at("leadline.cli.commands.dims", planted, tmp_path, "dims", "12")
    assert (done.returncode, done.stderr) == (0, "")
    assert os.environ.get("PLANTED") is None
