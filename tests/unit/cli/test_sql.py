from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import duckdb
import numpy as np
import pytest
from harness.places import DATA, ROOT
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.query.database import query, selected
from leadline.query.tables import BLOCKS, TABLES
from leadline.record.run import Failure
from leadline.store import finish

TWO = Campaign(["shm", "impi"], (pingpong(8), BARRIER), batches=5)
Asked = Callable[..., tuple[int, str]]


@pytest.fixture
def asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Asked:
    """Exit status and output of `leadline sql WORDS` beside a finished run, "done".

    And an unfinished one, "odd's [1]", without Parquet.
    """
    monkeypatch.chdir(tmp_path)
    TWO.write(Path("done"), [Failure(0, None, 5, "launch", "no ranks")])
    finish("done")
    TWO.write(Path("odd's [1]"))

    def ask(*words: str) -> tuple[int, str]:
        status = main(["sql", *words])
        captured = capsys.readouterr()
        return status, captured.err if status else captured.out

    return ask


def rows(asked: Asked, *words: str) -> list[dict[str, object]]:
    status, printed = asked(*words, "--json")
    assert status == 0, printed
    found: list[dict[str, object]] = json.loads(printed)["rows"]
    return found


def test_batches_of_finished_and_unfinished_runs_are_read_alike(asked: Asked) -> None:
    counted = rows(
        asked,
        "SELECT run, count(*) AS n, sum(end_ns - start_ns)::BIGINT AS ns FROM batches "
        "GROUP BY run ORDER BY run",
        "done",
        "odd's [1]",
    )
    batches = TWO.run().batches
    ns = int(np.sum(batches.end_ns - batches.start_ns))
    assert [tuple(row.values()) for row in counted] == [
        (run, batches.rank.size, ns) for run in ("done", "odd's [1]")
    ]


def test_a_finished_run_in_a_folder_with_signs_of_a_pattern_is_found(
    asked: Asked, tmp_path: Path
) -> None:
    finish("odd's [1]")
    (found,) = rows(asked, "SELECT count(*) AS n FROM batches", "odd's [1]")
    assert found == {"n": TWO.run().batches.rank.size}


def test_measurements_are_what_show_computes(asked: Asked) -> None:
    found = rows(asked, "SELECT variant, pattern, median_s, low_s FROM measurements", "done")
    assert [tuple(row.values()) for row in found] == [
        (row.variant, row.pattern, row.median_s, row.low_s) for row in Analysis(TWO.run()).summaries
    ]


def test_timings_name_everything_and_hold_seconds_per_operation(asked: Asked) -> None:
    found = rows(
        asked,
        "SELECT seconds FROM timings WHERE pattern = 'pingpong' AND variant = 'impi' "
        "AND rank = 0 AND NOT warm_up ORDER BY block, batch",
        "done",
    )
    samples = Analysis(TWO.run()).samples
    chosen = samples.each((samples.configuration == 1) & (samples.cell == 0)) & samples.counted
    assert [row["seconds"] for row in found] == pytest.approx(samples.seconds[chosen].tolist())


@pytest.mark.parametrize("name", [*TABLES, "batches", "slices", "timings"])
def test_every_table_can_be_selected_from(asked: Asked, name: str) -> None:
    found = rows(asked, f"FROM {name}", "done")
    assert bool(found) == (name not in ("warnings", "stated", "hosts", "clock_fits"))
    assert all(row["run"] == "done" for row in found)


def test_tables_of_format_4_hold_what_it_holds(asked: Asked, tmp_path: Path) -> None:
    shutil.copytree(DATA / "format-4", tmp_path / "four")
    stated = rows(asked, "SELECT seconds, low, source, line FROM stated", "four")
    assert [tuple(row.values()) for row in stated] == [
        (4.1e-07, None, "osu_latency.txt", 5),
        (1.4e-05, None, "cray-t3e-900", None),
        (4e-07, 3.5e-07, "model.json", None),
        (2e-06, 1.5e-06, "model.json", None),
    ]
    hosts = rows(asked, "SELECT host, machine, cores FROM hosts", "four")
    assert [tuple(row.values()) for row in hosts] == [
        ("node01", "boot-1", [0, 1]),
        ("node02", "boot-2", [0, 1]),
    ]
    (laid,) = rows(asked, "SELECT placement->0->'slots' AS s FROM configurations LIMIT 1", "four")
    assert laid == {"s": "[1,0]"}


@pytest.mark.parametrize("version", [3, 4])
@pytest.mark.parametrize("whole", [True, False])
def test_slices_say_what_went_on_or_that_it_is_unknown(
    asked: Asked, tmp_path: Path, version: int, whole: bool
) -> None:
    left_out = None if whole else shutil.ignore_patterns("*.parquet", "run.json")
    shutil.copytree(DATA / f"format-{version}", tmp_path / "run", ignore=left_out)
    found = rows(asked, "SELECT launch, run_delay_ns, link FROM slices ORDER BY first", "run")
    known = [(0, 0, "node01 eth0 tx"), (0, 30, "node01 eth0 tx"), (1, -1, ""), (1, -1, "")]
    unknown = [(-1, -1, "")] * 4
    assert [tuple(row.values()) for row in found] == (known if version == 4 else unknown)
    launches = rows(asked, "SELECT DISTINCT launch FROM batches ORDER BY launch", "run")
    assert [row["launch"] for row in launches] == ([0, 1] if version == 4 else [-1])


def test_slices_say_how_long_a_cache_line_took(asked: Asked, tmp_path: Path) -> None:
    shutil.copytree(DATA / "format-5", tmp_path / "run")
    (found,) = rows(
        asked, "SELECT rank, core_latency_ns FROM slices WHERE core_latency_ns >= 0", "run"
    )
    assert found == {"rank": 0, "core_latency_ns": 95}


def test_reference_has_every_table_and_every_exported_column() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text()

    def keys(title: str) -> set[str]:
        table = reference.split(f"| {title} |")[1].split("\n\n")[0]
        return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))

    assert keys("table | has a row for") == {*TABLES, "batches", "slices", "timings"}
    assert keys("key of an exported row | is") == set(BLOCKS.columns)


def test_lists_and_mappings_keep_their_shape(asked: Asked) -> None:
    (found,) = rows(
        asked,
        "SELECT binding, environment->>'FI_PROVIDER' AS fi FROM configurations "
        "WHERE variant = 'impi'",
        "done",
    )
    assert found == {"binding": [0, 1], "fi": "shm"}


def test_a_run_given_twice_counts_once(asked: Asked) -> None:
    assert rows(asked, "SELECT count(*) AS n FROM runs", "done", "done/") == [{"n": 1}]
    assert rows(asked, "SELECT DISTINCT run FROM timings", "done/") == [{"run": "done"}]


def test_csv_has_nothing_for_null_and_json_within(asked: Asked) -> None:
    status, printed = asked("SELECT NULL AS a, [1, 2] AS b, 'x,y' AS c", "done", "--csv")
    assert status == 0
    assert list(csv.reader(printed.splitlines())) == [["a", "b", "c"], ["", "[1, 2]", "x,y"]]


def test_json_has_no_number_that_json_lacks_and_each_key_once(asked: Asked) -> None:
    (found,) = rows(asked, "SELECT 'nan'::DOUBLE AS a, 1.5 AS a, DATE '2026-01-02' AS d", "done")
    assert found == {"a": None, "a_2": 1.5, "d": "2026-01-02"}


def test_text_is_a_table_headed_by_the_number_of_rows(asked: Asked) -> None:
    status, printed = asked("SELECT 1.23456789e-6::DOUBLE AS median_s, NULL AS low_s", "done")
    assert (status, printed.split()) == (0, ["1", "row", "median_s", "low_s", "1.23457e-06", "-"])


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("selec 1", ("Parser Error", '"selec"')),
        ("SELECT sise FROM cells", ("Binder Error", '"sise"')),
        ("FROM measurement", ("Catalog Error", '"measurements"')),
        ("SELECT 'a'::INTEGER", ("Conversion Error", "'a'", "INT32")),
    ],
)
def test_wrong_sql_ends_with_one_line_of_duckdb(
    asked: Asked, statement: str, named: tuple[str, ...]
) -> None:
    status, printed = asked(statement, "done")
    assert status == 2
    assert [name for name in named if name not in line_with(printed)] == []


def test_not_one_statement_ends_with_one_line(asked: Asked, snapshot: SnapshotAssertion) -> None:
    answers = [asked(statement, "done") for statement in ("", "SELECT 1; SELECT 2")]
    assert answers == snapshot


@pytest.mark.parametrize(
    "statement",
    [
        "COPY (SELECT 1) TO 'done/batches.parquet' (USE_TMP_FILE false)",
        "COPY (SELECT 1) TO 'new.csv'",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO 'done/batches.parquet' (USE_TMP_FILE false)",
        "ATTACH 'new.db'",
        "EXPORT DATABASE 'new'",
        "DROP TABLE runs",
        "INSERT INTO runs SELECT * FROM runs",
        "SET enable_external_access = true",
        "INSTALL httpfs",
    ],
)
def test_a_statement_that_would_write_is_refused_and_writes_nothing(
    asked: Asked, tmp_path: Path, statement: str
) -> None:
    before = {path: path.is_dir() or path.read_bytes() for path in tmp_path.rglob("*")}
    assert asked(statement, "done")[0] == 2
    assert {path: path.is_dir() or path.read_bytes() for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize(
    "statement",
    [
        "FROM read_csv('secret.csv')",
        "FROM 'secret.csv'",
        "FROM read_text('secret.csv')",
        "FROM read_text('done/journal.jsonl')",
        "FROM read_parquet('other/batches.parquet')",
        "FROM glob('*')",
        "FROM sniff_csv('secret.csv')",
    ],
)
def test_a_statement_reads_no_file_but_the_batches_of_its_runs(
    asked: Asked, statement: str
) -> None:
    Path("secret.csv").write_text("a,b\n1,2\n")
    shutil.copytree("done", "other")
    status, printed = asked(statement, "done")
    assert status == 2
    assert "Permission Error" in printed


def test_a_statement_sees_no_variable_of_the_program(asked: Asked) -> None:
    status, printed = asked("FROM files", "done")
    assert status == 2
    assert "Catalog Error" in printed and " files " in printed


def test_a_directory_that_is_no_run_is_named(asked: Asked, snapshot: SnapshotAssertion) -> None:
    status, printed = asked("FROM runs", "done", os.fspath("nowhere"))
    assert status == 2
    assert line_with(printed) == snapshot


def test_a_damaged_parquet_is_replaced_by_the_journal(asked: Asked) -> None:
    with Path("done/batches.parquet").open("r+b") as file:
        file.seek(100)
        file.write(b"\0" * 20)
    answer = query("SELECT count(*) FROM batches", ["done"])
    assert answer.rows == ((TWO.run().batches.rank.size,),)
    assert rows(asked, "SELECT code FROM warnings", "done") == [{"code": "parquet"}]


def test_a_time_with_a_time_zone_is_shown_or_refused_with_the_cast_that_helps(
    asked: Asked,
) -> None:
    status, printed = asked("SELECT TIMESTAMPTZ '2026-01-02 03:04:05+00' AS t", "done")
    fetches = int(duckdb.__version__.split(".")[0]) >= 2  # before, by way of another package
    text = "2026-01-0" if fetches else "VARCHAR"
    assert (status, text in printed) == (0 if fetches else 2, True)
    assert rows(asked, "SELECT now()::TIMESTAMP > '2020-01-01' AS later", "done") == [
        {"later": True}
    ]


def test_newline_in_a_value_stays_in_its_row(asked: Asked) -> None:
    status, text = asked("select 'a' || chr(10) || 'b' AS text", "done")
    assert status == 0
    assert "a\\nb" in text


class Stubborn:
    """A connection whose statement ends when it was told so again after a second Ctrl-C."""

    def __init__(self) -> None:
        self.told, self.ended = 0, threading.Event()

    def execute(self, statement: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        self.ended.wait(60)
        raise duckdb.InterruptException

    def interrupt(self) -> None:
        self.told += 1
        if self.told == 1:
            signal.raise_signal(signal.SIGINT)
        self.ended.set()


def test_a_second_interrupt_leaves_no_statement_at_work() -> None:
    connection = Stubborn()
    with pytest.raises(KeyboardInterrupt):
        selected(cast(duckdb.DuckDBPyConnection, connection), cast(duckdb.Statement, None))
    assert connection.ended.is_set()
