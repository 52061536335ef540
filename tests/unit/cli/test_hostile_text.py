"""What steers a terminal reaches none, whoever wrote it: records, libraries, names of files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.places import ROOT
from harness.synthetic import Campaign, pingpong

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.cli.outcome import conclude
from leadline.cli.parsing.files import write
from leadline.errors import (
    CELLS,
    BuildError,
    LaunchError,
    LeadlineError,
    RecordError,
    UsageError,
    printable,
)
from leadline.record.machine import HostFacts
from leadline.record.run import Failure
from leadline.record.warnings import RunWarning
from leadline.report.formats.csv_text import csv_text
from leadline.report.formats.extrap import extrap_curves, extrap_text
from leadline.report.records import Records
from leadline.report.text.doctor import print_report
from leadline.report.text.progress import BarProgress, FailuresOnly, PlainProgress
from leadline.store.lines import seal, unseal

STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
RED, TITLE, BACKWARDS = "\x1b[31m", "\x1b]0;owned\x07", "\u202egpj"
HOSTILE = f"a{RED}b{TITLE}c\rd\x9b2Je{BACKWARDS}"
SHOWN = r"a\x1b[31mb\x1b]0;owned\x07c\rd\x9b2Je\u202egpj"
Said = Callable[..., str]


@pytest.fixture
def ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """All that `leadline WORDS` prints of a run, "run", with a hostile library in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    cells = (pingpong(8), pingpong(512))
    Campaign(["shm", "mpich"], cells, blocks=8).write(Path("run"))
    journal = Path("run/journal.jsonl")
    lines = (
        seal(json.loads(json.dumps(unseal(line)).replace('"mpich"', json.dumps(HOSTILE))))
        for line in journal.read_bytes().splitlines()
    )
    journal.write_bytes(b"".join(line + b"\n" for line in lines))

    def run(*words: str) -> str:
        main([*words])
        return "".join(capsys.readouterr())

    return run


@pytest.mark.parametrize(
    "words",
    [
        ("show", "run"),
        ("show", "run", "--csv"),
        ("show", "run", "--json"),
        ("show", "run", "--markdown"),
        ("compare", "run", "--baseline", "shm"),
        ("compare", "run", "--baseline", "shm", "--csv"),
        ("export", "run", "--csv"),
        ("export", "run", "--json"),
        ("export", "run", "--extrap-text"),
        ("sql", "select variant, 1 as \"x\x1b[31m\" from configurations", "run"),
        ("sql", "select variant from configurations", "run", "--csv"),
        ("fit", "run"),
        ("fit", "run", "--csv"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_record_steers_no_terminal(ran: Said, words: tuple[str, ...]) -> None:
    printed = ran(*words)
    assert "shm" in printed
    assert STEERS.findall(printed) == []


def test_csv_keeps_data_and_shows_what_cannot_be_printed() -> None:
    rows = [(HOSTILE, "two\nlines\tand a tab", 'with "quotes", größe', 1.5)]
    printed = csv_text(Records(("a", f"b{RED}", "c", "d"), rows, [f"said {RED}\nred"]))
    assert STEERS.findall(printed) == []
    names, values, comment = csv.reader(io.StringIO(printed))
    assert names == ["a", r"b\x1b[31m", "c", "d"]
    assert values == [SHOWN, "two\nlines\tand a tab", 'with "quotes", größe', "1.5"]
    assert comment == [r"# said \x1b[31m red"]


def test_name_of_several_lines_is_no_line_of_extra_ps_text() -> None:
    rows = [
        {
            "variant": f"a\nDATA 1{RED}", "pattern": "p", "origin": "measured", "ranks": ranks,
            "size_bytes": 8, "median_s": 1e-6,
        }
        for ranks in (2, 4)
    ]  # fmt: skip
    printed = extrap_text(extrap_curves(rows))
    assert r"REGION a\nDATA 1\x1b[31m->p" in printed.splitlines()
    assert STEERS.findall(printed) == []


def test_bytes_of_no_encoding_are_shown_by_their_numbers() -> None:
    assert printable(b"caf\xe9".decode("utf-8", "surrogateescape")) == r"caf\udce9"
    assert printable("größe · 1 µs ± 3 %\n") == "größe · 1 µs ± 3 %\n"
    assert [printable("a\nb\tc", kept) for kept in ("", "\n", CELLS)] == [
        r"a\nb\tc", "a\nb\\tc", "a\nb\tc",
    ]  # fmt: skip


@pytest.mark.parametrize("terminal", [False, True])
def test_library_steers_no_terminal_of_the_doctor(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its version is what it says of itself, its launcher's path what its wrapper says."""
    monkeypatch.setenv("FORCE_COLOR" if terminal else "NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    library = Backend(
        "mpi", "mpi", HOSTILE, True, HOSTILE, HOSTILE, {}, HOSTILE, HOSTILE, f"{HOSTILE}\nx"
    )
    print_report(
        HostFacts(host=HOSTILE, cpu=HOSTILE), [library], [RunWarning("x", HOSTILE, HOSTILE)]
    )
    printed = re.sub(r"\x1b\[(0|1|2|33)m", "", capsys.readouterr().out)
    assert printed.count(r"\x1b") == 14
    assert STEERS.findall(printed) == []


@pytest.mark.parametrize("progress", [PlainProgress, FailuresOnly])
def test_failure_of_a_library_steers_no_terminal(
    progress: type[PlainProgress | FailuresOnly], capsys: pytest.CaptureFixture[str]
) -> None:
    progress().failed(Failure(0, 0, 0, "launch", f"said:\n{HOSTILE}"))
    printed = capsys.readouterr().err
    assert printed.endswith(f"launch: said:\n{SHOWN}\n")
    assert STEERS.findall(printed) == []


def test_failure_above_a_bar_steers_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    bar = BarProgress(1.0)
    bar.failed(Failure(0, 0, 0, "launch", HOSTILE))
    printed = capsys.readouterr().err
    assert SHOWN in re.sub(r"\x1b\[(31|0)m", "", printed)
    assert not re.search(r"\x1b\]|\r|\x9b|\u202e", printed)


@pytest.mark.parametrize(
    "error",
    [
        BuildError(["cc"], f"x.c:1:\terror: {HOSTILE}\n"),
        LaunchError("ended", ["mpiexec"], 1, HOSTILE),
        RecordError(HOSTILE, 1, "is empty"),
        UsageError(f"no {HOSTILE}"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_an_error_quotes_steers_no_terminal(error: LeadlineError) -> None:
    """Nor does it as a warning or a failure of a run, which are made of errors."""
    assert r"a\x1b[31mb\x1b]0;owned\x07c" in str(error)
    assert STEERS.findall(str(error)) == []
    assert "\\t" not in str(error)


def test_path_that_is_no_run_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", HOSTILE]) == 2
    printed = capsys.readouterr().err
    assert SHOWN in printed
    assert STEERS.findall(printed) == []


@pytest.mark.parametrize(
    "words",
    [("report", "run", "--out", f"{HOSTILE}.html"), ("plot", "run", "--out", f"{HOSTILE}.svg")],
)
def test_name_of_a_file_that_is_written_steers_no_terminal(
    ran: Said, words: tuple[str, ...]
) -> None:
    printed = ran(*words)
    assert f" {SHOWN}." in printed and STEERS.findall(printed) == []


def test_name_of_a_picture_steers_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(str(tmp_path / f"{HOSTILE}.svg"), b"", "--plot")
    printed = capsys.readouterr().err
    assert printed.endswith(f" {tmp_path}/{SHOWN}.svg\n") and printed.count("\n") == 1


def test_directory_of_a_run_steers_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = replace(Campaign(["shm"], [pingpong(8)]).run(), path=HOSTILE, complete=False)
    conclude(run, quiet=False, known=True)
    printed = capsys.readouterr().err
    assert f" {SHOWN}\n" in printed and f"--resume '{SHOWN}'\n" in printed
    assert STEERS.findall(printed) == []
    words = ("--machine", "cray-t3e-900", "--ranks", "2", "--patterns", "barrier")
    assert main(["simulate", *words, "--out", str(tmp_path / HOSTILE)]) == 0
    printed = capsys.readouterr().err
    assert f" {tmp_path}/{SHOWN}\n" in printed and STEERS.findall(printed) == []


def test_commands_say_what_they_say_by_what_steers_no_terminal() -> None:
    raw = {
        path.name
        for path in (ROOT / "src/leadline/cli").rglob("*.py")
        if "sys.stderr)" in path.read_text() or "sys.stderr, flush" in path.read_text()
    }
    assert raw == {"forms.py", "__init__.py", "last_resort.py"}


def test_text_in_a_figure_steers_no_terminal(ran: Said) -> None:
    """An SVG is text, which somebody may look at on one."""
    ran("plot", "run", "--out", "figure.svg")
    drawn = Path("figure.svg").read_text()
    assert SHOWN in drawn and STEERS.findall(drawn) == []
