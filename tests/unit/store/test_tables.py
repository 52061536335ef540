"""Values that no run can have, in tables whose checksums are right, are damage before they count.

Each planted value made a traceback, or an array of gigabytes, in some format.
"""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from harness.places import DATA
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.rewritten import TABLE, rewritten

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.errors import RecordError
from leadline.record.run import Run
from leadline.store import finish, load, stored
from leadline.store.bounds import counted_to
from leadline.store.lines import seal, unseal

HUGE = 2**20
"""Within what a column may have; arrays up to it, over blocks and visits, are not."""


def medians(run: Run) -> list[float]:
    return [one.median_s for one in Analysis(run).summaries]


def damage_of_batches(run: Path, version: int, change: str) -> str:
    """What is said of the table so changed at RUN, whose journal is read instead of it."""
    shutil.copytree(DATA / f"format-{version}", run)
    whole = medians(load(run))
    rewritten(run, "batches", f"{change} {TABLE}")
    found = stored(run)
    assert found.tables == {}
    (damage,) = found.run.damage
    assert damage.code == "parquet"
    assert medians(found.run) == whole
    return damage.cause.replace(str(run), "RUN")


@pytest.mark.parametrize(
    "change",
    [
        "* REPLACE (-1::INTEGER AS block)",
        "* REPLACE (2147483648 AS cell)",
        "* REPLACE (2 AS cell)",
        "* REPLACE (-1::INTEGER AS configuration)",
        "* REPLACE (7::INTEGER AS rank)",
        "* REPLACE (0::INTEGER AS repetitions)",
        "* REPLACE (64::INTEGER AS flags)",
        "* REPLACE (-5::BIGINT AS start_ns)",
        "* REPLACE (start_ns - 1 AS end_ns)",
        "* REPLACE ('nan'::DOUBLE AS end_ns)",
        "* REPLACE (NULL::BIGINT AS end_ns)",
    ],
    ids=[
        "block",
        "cell",
        "next_cell",
        "configuration",
        "rank",
        "repetitions",
        "flags",
        "start",
        "end",
        "nan",
        "missing",
    ],
)
def test_batches_that_no_run_has_are_read_from_the_journal(
    change: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    message = {damage_of_batches(tmp_path / str(of), of, change) for of in (3, 8)}
    assert message == snapshot


@pytest.mark.parametrize("version", [3, 8])
def test_batches_without_a_column_are_read_from_the_journal(version: int, tmp_path: Path) -> None:
    text = damage_of_batches(tmp_path / "run", version, "* EXCLUDE block")
    assert text.startswith("RUN/batches.parquet: ")
    assert '"block"' in text


@pytest.mark.parametrize("version", [1, 8])
def test_numbers_that_would_take_gigabytes_are_not_counted_to(
    version: int, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = tmp_path / "run"
    shutil.copytree(DATA / f"format-{version}", run)
    whole = medians(load(run))
    for table in ("batches", "slices") if version == 8 else ("batches",):
        rewritten(
            run, table, f"* REPLACE ({HUGE}::INTEGER AS block, {HUGE}::INTEGER AS visit) {TABLE}"
        )
    (damage,) = load(run).damage
    assert damage.cause.replace(str(tmp_path), "DIR") == snapshot
    assert medians(load(run)) == whole


def test_row_that_would_take_gigabytes_is_not_counted_to(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """One row, forged with fitting checksums, took 5.3 GB in every command."""
    run = Campaign(["shm", "mpich"], [pingpong(8), pingpong(64)], 8, 3).write(tmp_path / "run")
    finish(run.path)
    whole = medians(load(run.path))
    forged = ", ".join(
        f"(CASE WHEN rowid = 0 THEN {value} ELSE {name} END)::INTEGER AS {name}"
        for name, value in (("visit", 1_000_000), ("attempt", 2))
    )
    rewritten(Path(run.path), "slices", f"* REPLACE ({forged}) {TABLE}")
    (damage,) = load(run.path).damage
    assert damage.cause.replace(str(tmp_path), "DIR") == snapshot
    assert medians(load(run.path)) == whole


@pytest.mark.parametrize("name", ["block", "visit", "attempt"])
def test_line_that_would_take_gigabytes_is_left_out_of_a_journal(
    name: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = Campaign(["shm", "mpich"], [pingpong(8)], blocks=3, batches=3).write(tmp_path / "run")
    path = Path(run.path) / "journal.jsonl"
    lines = path.read_bytes().splitlines()
    record = unseal(lines[6])
    others = {"block": 0, "visit": 9000, "attempt": 9000} | {name: HUGE}
    lines[6] = seal(record | others)
    path.write_bytes(b"\n".join([*lines, b""]))
    found = load(run.path)
    (damage,) = found.damage
    assert damage.cause.replace(str(tmp_path), "DIR") == snapshot
    assert len(Analysis(found).summaries) == 2
    assert found.batches.rank.size == run.batches.rank.size - 6


def places(*axes: range) -> npt.NDArray[np.int64]:
    """Rows of pair, block, visit and attempt: all there are of `axes`."""
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 4)


def test_campaign_whose_configurations_fell_out_early_keeps_every_slice() -> None:
    pairs = 8 * 16 * 100
    rows = (
        places(range(800), range(1), range(24), range(1)),
        places(range(800, pairs), range(1), range(4), range(1)),
        places(range(100), range(1, 64), range(4), range(1)),
        places(range(1), range(1), range(1), range(2, 3)),
    )
    numbers = np.concatenate(rows)
    numbers[:, :3], numbers[:, 3] = numbers[:, 1:], 1  # ranks, for pairs
    assert len(numbers) == 92_401
    assert counted_to(numbers, pairs).all()


@pytest.mark.parametrize("missing", [None, 1])
def test_of_blocks_that_are_too_many_those_that_fit_are_kept(missing: int | None) -> None:
    numbers = np.zeros((127, 4), np.int64)
    numbers[:, 0] = [block for block in range(128) if block != (missing or 127)]
    kept = counted_to(numbers, 2**16)  # 64 blocks are the most that fit
    assert 48 < kept.sum() <= 64
    assert kept[: kept.sum()].all()


def test_words_of_a_table_are_words(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    run = tmp_path / "run"
    shutil.copytree(DATA / "format-8", run)
    rewritten(run, "slices", f"* REPLACE ([1, 2] AS link) {TABLE}")
    assert load(run).damage[0].cause.replace(str(run), "RUN") == snapshot


def test_sql_reads_no_table_that_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Campaign(["shm"], [pingpong(8)], blocks=2, batches=3).write(Path("run"))
    finish("run")
    rewritten(Path("run"), "slices", f"* REPLACE (-1::INTEGER AS block) {TABLE}")
    statement = "SELECT min(block), max(block) FROM slices"
    assert main(["sql", statement, "run", "--csv"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1:] == ["0,1"]
    assert captured.err.startswith("parquet: run/slices.parquet: row 0: block -1 ")


def test_name_too_long_for_any_run_is_a_clear_error() -> None:
    too_long = os.strerror(errno.ENAMETOOLONG)
    with pytest.raises(RecordError, match=rf"^x{{300}}/journal.jsonl: .*{too_long}"):
        load("x" * 300)
