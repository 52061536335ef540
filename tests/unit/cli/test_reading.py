"""What isn't whole in a run is said by every command that reads runs, and may be its status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.cli import main
from leadline.record.warnings import RunWarning, WarningKind
from leadline.store import finish

TWO = Campaign(["shm", "mpich"], (pingpong(8), pingpong(512)), blocks=6, batches=5)
READERS = (
    ("show", "one"),
    ("show", "one", "--json"),
    ("compare", "one", "--baseline", "shm"),
    ("compare", "one", "two"),
    ("history", "."),
    ("sql", "FROM blocks", "one", "two"),
    ("sql", "FROM blocks", "one", "--json"),
    ("export", "one", "--csv"),
    ("export", "one", "--json"),
    ("plot", "one", "--out", "figure.svg"),
    ("report", "one", "two", "--out", "-"),
    ("fit", "one"),
)
"""Every command that is told of a run, one way or another."""
Told = Callable[..., tuple[int, str, list[str]]]


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Told:
    """Exit status, stdout and lines of stderr of `leadline WORDS` beside two runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("one", "two"):
        TWO.write(Path(name))

    def tell(*words: str) -> tuple[int, str, list[str]]:
        status = main(list(words))
        captured = capfdbinary.readouterr()
        lines = [line for line in captured.err.decode().splitlines() if "wrote" not in line]
        return status, captured.out.decode(), lines

    return tell


def damage(run: str, line: int = 6) -> None:
    """Turns a bit in a slice's line."""
    path = Path(run) / "journal.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[line - 1] = lines[line - 1].replace(b"start_ns", b"start_ms", 1)
    path.write_bytes(b"\n".join(lines))


DAMAGED = "journal_line: one/journal.jsonl:6: "


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_damaged_line_is_said_once_and_strict_makes_it_the_status(
    told: Told, words: tuple[str, ...]
) -> None:
    usual = told(*words)[0]
    assert told(*words, "--strict")[0] == usual
    damage("one")
    status, _, output = told(*words)
    assert status in (0, 1, 2 if words[0] == "history" else 3)
    assert [line.startswith(DAMAGED) for line in output].count(True) == 1
    if words[0] != "history":  # its runs have no date, which is another error
        assert len(output) == 1
        assert told(*words, "--strict")[0] == 4


def test_damage_is_once_in_json(told: Told, snapshot: SnapshotAssertion) -> None:
    damage("one")
    found = []
    for words in (("show", "one"), ("sql", "FROM blocks", "one"), ("export", "one")):
        warnings = json.loads(told(*words, "--json")[1])["warnings"]
        (told_once,) = [one for one in warnings if one["code"] == "journal_line"]
        found.append((told_once["cause"], told_once["remedy"]))
    assert len(set(found)) == 1
    assert f"journal_line: {found[0][0]}".startswith(DAMAGED)
    assert found[0] == snapshot


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_missing_end_is_said(told: Told, words: tuple[str, ...]) -> None:
    path = Path("one/journal.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-3]))
    output = told(*words, "--strict")[2]
    assert [line.startswith("incomplete: one: ") for line in output].count(True) == 1


def test_damage_known_when_a_run_was_finished_is_still_said(told: Told) -> None:
    damage("one")
    finish("one")
    status, _, output = told("export", "one", "--csv", "--strict")
    assert status == 4
    assert output[0].startswith(DAMAGED)


def test_damaged_tables_are_read_by_sql_from_the_journal_and_that_is_said(
    told: Told, snapshot: SnapshotAssertion
) -> None:
    whole = told("sql", "SELECT * EXCLUDE run FROM batches", "one", "--csv")[1]
    finish("one")
    table = Path("one/batches.parquet")
    table.write_bytes(table.read_bytes()[:-9])
    status, printed, output = told("sql", "SELECT * EXCLUDE run FROM batches", "one", "--csv")
    assert (status, printed) == (0, whole)
    assert output == snapshot
    codes = json.loads(told("sql", "SELECT code FROM warnings", "one", "--json")[1])
    assert codes["rows"] == [{"code": "parquet"}]


def test_runs_beside_that_are_damaged_are_said_of_two_that_are_compared(told: Told) -> None:
    TWO.write(Path("beside"))
    damage("beside")
    TWO.write(Path("hopeless"))
    damage("hopeless", 1)
    Path("hopeless/journal.jsonl").write_bytes(b"{}\n")
    output = told("compare", "one", "two")[2]
    assert [line.split(":")[0] for line in sorted(output)] == ["journal_line", "unreadable"]
    assert told("compare", "one", "two", "--between", "5%")[2] == []
    strict, _, again = told("compare", "one", "two", "--strict")
    assert (strict, again) == (told("compare", "one", "two")[0], output)  # nobody named them
    damage("two")
    assert told("compare", "one", "two", "--strict")[0] == 4


def test_run_is_named_though_its_damage_begins_as_its_name_does(told: Told) -> None:
    lost = RunWarning("journal_line", "a line is lost", WarningKind.JOURNAL_LINE.remedy)
    TWO.write(Path("a"), warnings=[lost])
    assert told("export", "a", "--csv")[2] == [f"{lost.code}: a: {lost.cause} ({lost.remedy})"]


def test_what_a_record_or_duckdb_quotes_never_steers_the_terminal(told: Told) -> None:
    cause = "one/journal.jsonl: \x1b[2Jgone\nshow: all is well"
    hostile = RunWarning("journal_line", cause, WarningKind.JOURNAL_LINE.remedy)
    TWO.write(Path("hostile"), warnings=[hostile])
    output = told("export", "hostile", "--csv")[2]
    shown = hostile.cause.replace("\x1b", r"\x1b").replace("\n", r"\n")
    assert output == [f"{hostile.code}: hostile: {shown} ({hostile.remedy})"]
    status, _, output = told("sql", 'SELECT "\x7fcolumn" FROM blocks', "one")
    assert (status, len(output)) == (2, 1)
    assert output[0].isprintable()
