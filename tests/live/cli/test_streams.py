"""Standard streams that are closed or full, and limits below which nothing can be done."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.processes import ended, until

from leadline.store import finish, load

SHOWN = Campaign(["shm", "impi"], (pingpong(8), BARRIER), batches=5)


def in_a_shell(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """How `script` ends, in which "$@" is `leadline WORDS`."""
    command = ("bash", "-c", script, "bash", sys.executable, "-m", "leadline", *words)
    return subprocess.run(command, capture_output=True, text=True, check=False)


FALLING = """
import sys
from leadline.cli.commands import dims
from leadline.errors import UsageError
from leadline.__main__ import program

def execute(arguments):
    print("pending")
    {planted}
    return 0

dims.execute = execute
sys.argv = ["leadline", "dims", "12"]
sys.exit(program())
"""
"""A command whose output waits to be written as something else comes in between."""
FALLEN_THREADS = "import threading as t; [u.start() or u.join() for u in " + (
    "(t.Thread(target=lambda: 1 / 0) for _ in range(4))]"
)


def planted(statement: str, redirection: str, state: Path) -> subprocess.CompletedProcess[str]:
    """How a command ends that runs `statement` after it has printed; `state` takes reports."""
    script = f'"$0" -c "$1" {redirection}'
    words = ("bash", "-c", script, sys.executable, FALLING.format(planted=statement))
    around = os.environ | {"XDG_STATE_HOME": str(state), "PYTHONUNBUFFERED": ""}
    return subprocess.run(words, env=around, capture_output=True, text=True, check=False)


def without_report(message: str) -> str:
    """What a command said of a fault, but for the name of its report."""
    return message.partition("; report: ")[0]


@pytest.fixture
def run(tmp_path: Path) -> str:
    SHOWN.write(tmp_path / "run")
    finish(tmp_path / "run")
    return str(tmp_path / "run")


def test_output_that_is_closed_is_one_line_and_status_1(
    run: str, snapshot: SnapshotAssertion
) -> None:
    done = in_a_shell('"$@" >&-', "show", run, "--csv")
    assert done.returncode == 1
    assert done.stderr == snapshot


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("raise UsageError('the real reason')", 2),
        ("raise KeyboardInterrupt", 130),
        ("raise OSError(13, 'Permission denied', 'a.txt')", 1),
        ("raise RecursionError", 70),
        ("sys.exit(0)", 1),
    ],
)
def test_output_that_has_no_room_hides_no_other_error(
    tmp_path: Path, statement: str, status: int, snapshot: SnapshotAssertion
) -> None:
    done = planted(statement, ">/dev/full", tmp_path)
    assert done.returncode == status and done.stderr.count("\n") == 1
    assert without_report(done.stderr) == snapshot


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("raise OSError(28, 'No space left on device')", 1),
        ("raise OSError(9, 'Bad file descriptor')", 70),
        ("raise BrokenPipeError(32, 'Broken pipe')", 70),
    ],
)
def test_errors_of_other_files_and_pipes_are_not_called_those_of_output(
    tmp_path: Path, statement: str, status: int, snapshot: SnapshotAssertion
) -> None:
    done = planted(statement, "", tmp_path)
    assert (done.returncode, done.stdout) == (status, "pending\n")
    assert without_report(done.stderr) == snapshot


def test_faults_in_threads_are_one_line_each_and_the_status(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    done = planted(FALLEN_THREADS, "", tmp_path)
    assert (done.returncode, done.stdout) == (70, "pending\n")
    output = [without_report(line) for line in done.stderr.splitlines()]
    assert len(output) == 4
    assert set(output) == snapshot
    assert len(list((tmp_path / "leadline" / "reports").iterdir())) == 4


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_pipe_that_does_not_block_loses_nothing(stream: str) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    command = FALLING.format(planted=f"print('x' * 200_000, file=sys.{stream})")
    output, diagnostics = (writer if stream == one else None for one in ("stdout", "stderr"))
    words = (sys.executable, "-c", command)
    with subprocess.Popen(words, stdout=output, stderr=diagnostics) as process:
        os.close(writer)
        while process.poll() is None and not waiting(reader):
            os.sched_yield()
        with os.fdopen(reader, "rb") as pipe:
            assert pipe.read().count(b"x") == 200_000
    assert process.returncode == 0


def waiting(reader: int) -> int:
    """The bytes that a pipe holds."""
    held = fcntl.ioctl(reader, termios.FIONREAD, bytes(4))
    return int.from_bytes(held, sys.byteorder)


def damage(run: str) -> None:
    """Has `show` say something on stderr: a byte of the table is another."""
    table = Path(run) / "batches.parquet"
    content = table.read_bytes()
    table.write_bytes(content[:40] + bytes([content[40] ^ 1]) + content[41:])


def test_diagnostics_that_nobody_takes_are_left_out(run: str) -> None:
    damage(run)
    assert "run.json" in in_a_shell('"$@"', "show", run).stderr
    for script in ('"$@" 2>/dev/full', '"$@" 2>&- <&-'):
        done = in_a_shell(script, "show", run)
        assert done.returncode == 0 and "barrier: " in done.stdout, script


@pytest.mark.parametrize("words", [("show",), ("show", "--json")])
def test_an_encoding_that_lacks_characters_shows_question_marks(
    run: str, words: tuple[str, ...]
) -> None:
    """In the C locale Python has none fail but those that it made of bytes."""
    script = 'LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 "$@"'
    done = in_a_shell(script, words[0], run, *words[1:])
    assert done.returncode == 0 and "wasn't foreseen" not in done.stderr
    assert done.stdout.isascii() and ("?" in done.stdout) is ("--json" not in words)


def test_an_error_that_nobody_is_told_keeps_its_status() -> None:
    assert in_a_shell('"$@" >&- 2>&-', "show", "no-such-run").returncode == 2


@pytest.mark.parametrize("words", [("show",), ("--help",), ("patterns",)])
def test_a_reader_that_has_seen_enough_ends_it_quietly(run: str, words: tuple[str, ...]) -> None:
    words = ("show", run) if words == ("show",) else words
    done = in_a_shell('set -o pipefail; "$@" | true; exit ${PIPESTATUS[0]}', *words)
    assert (done.returncode, done.stderr) in ((141, ""), (0, ""))


def test_too_few_addresses_are_said_before_libraries_are_loaded(
    run: str, snapshot: SnapshotAssertion
) -> None:
    done = in_a_shell('ulimit -v 300000; "$@"', "show", run)
    assert done.returncode == 1
    assert done.stderr == snapshot


@pytest.mark.parametrize(("kib", "status"), [(2**21 - 1, 1), (2**21, 0)])
def test_addresses_that_are_asked_for_suffice(run: str, kib: int, status: int) -> None:
    """With half of them a thread that got none for its own data ended the process now and then."""
    done = in_a_shell(f'ulimit -v {kib}; "$@"', "sql", "SELECT count(*) AS n FROM batches", run)
    assert done.returncode == status
    assert done.stderr.endswith("(ulimit -v 2097152)\n") or status == 0


@pytest.mark.parametrize(
    ("redirection", "status", "who"),
    [("2>&-", 0, ""), ("2>/dev/full", 0, ""), (">&-", 1, "leadline run"), (">&- 2>&- <&-", 1, "")],
)
def test_a_campaign_is_measured_and_stored_whoever_listens(
    tmp_path: Path, redirection: str, status: int, who: str
) -> None:
    out = str(tmp_path / "out")
    words = ("run", "--backends", "null", "--patterns", "barrier", "--blocks", "1", "--out", out)
    done = in_a_shell(f'"$@" {redirection}', *words)
    output = "".join(done.stderr.splitlines()[-1:])
    assert (done.returncode, output.partition(": output: ")[0]) == (status, who)
    assert f"run directory: {out}" in done.stderr or "2>" in redirection
    run = load(out)
    assert run.complete and not run.failures and run.warnings is not None
    assert {path.name for path in Path(out).iterdir()} >= {"run.json", "batches.parquet"}


def test_a_campaign_that_may_open_few_files_says_so(tmp_path: Path) -> None:
    words = ("run", "--backends", "shm", "--patterns", "barrier", "--blocks", "1")
    done = in_a_shell('ulimit -n 10; "$@"', *words, "--out", str(tmp_path / "out"))
    output = [line for line in done.stderr.splitlines() if "(ulimit -n)" in line]
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert [line.startswith(("leadline run: ", "failed: launch: ")) for line in output] == [True]


def test_a_name_that_no_disk_takes_is_refused_by_the_option(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    long = str(tmp_path / ("x" * 300))
    done = in_a_shell('"$@"', "run", "--backends", "null", "--out", long)
    assert done.returncode == 2
    assert done.stderr.replace(long, "LONG") == snapshot


def test_a_long_statement_is_ended_by_ctrl_c(run: str, snapshot: SnapshotAssertion) -> None:
    pairs = "range(10000000) a, range(100000) b WHERE (a.range * b.range) % 7 = sin(a.range)"
    words = (sys.executable, "-m", "leadline", "sql", f"SELECT count(*) FROM {pairs}", run)
    command = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with ended(command) as begun:
        until(lambda: used_s(begun.pid) > 1.5 or begun.poll() is not None)
        begun.send_signal(signal.SIGINT)
        _, output = begun.communicate(timeout=PATIENCE_S)
    assert begun.returncode == 130
    assert output.decode() == snapshot


def used_s(pid: int) -> float:
    """The processor time that a process has used: this command needs a third to begin."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
