"""What is kept of many ranks' batches comes back from every file, and old runs stay as they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from harness.many_ranks import CELLS, drawn, kept, run_of
from syrupy.assertion import SnapshotAssertion

from leadline.compare.analysis import Analysis
from leadline.query.database import query
from leadline.record.fields import FormatError
from leadline.record.quantities import UNKNOWN
from leadline.record.reduction import reduced
from leadline.record.run import Run
from leadline.record.slices import COLUMNS, SPREAD, Slice
from leadline.store import Journal, finish, load
from leadline.store.slice_lines import decode_slice, encode_slice

ALL = drawn(0, blocks=2)
KEPT = kept(ALL)
BARRIER = next(one for one in KEPT if one.slowest is not None)


def write(directory: Path, slices: Sequence[Slice]) -> Run:
    """Journals the campaign that has `slices`; what should be read back."""
    run = run_of(slices)
    with Journal.create(directory, {}) as journal:
        journal.add_cells(CELLS)
        for one in run.configurations:
            journal.add_configuration(one)
        for taken in slices:
            journal.add_slice(taken)
        journal.close(True)
    return run


def columns(of: Any) -> dict[str, list[int]]:
    return {one.name: getattr(of, one.name).tolist() for one in fields(of)}


def test_line_reads_back() -> None:
    read = decode_slice(json.loads(json.dumps(encode_slice(BARRIER))))
    for name in ("ranks", "others", "start_ns", "end_ns", "flags", "slowest"):
        assert np.array_equal(getattr(read, name), getattr(BARRIER, name)), name
    assert columns(read.spread) == columns(BARRIER.spread)


def test_line_of_many_ranks_is_hardly_longer_than_that_of_one() -> None:
    before = max(ALL, key=lambda one: one.start_ns.size)
    many, few = (len(json.dumps(encode_slice(one))) for one in (before, reduced(before)))
    assert few < many / 2
    assert "spread" not in encode_slice(before)


def without(name: str) -> dict[str, list[int]]:
    spread: dict[str, list[int]] = encode_slice(BARRIER)["spread"]
    return {key: column for key, column in spread.items() if key != name}


N = BARRIER.start_ns.shape[1]


@pytest.mark.parametrize(
    "changes",
    [
        {"slowest": [0] * (N - 1)},
        {"slowest": [19] * N},
        {"slowest": None},
        {"spread": None},
        {"spread": without("shortest_ns")},
        {"spread": without("first_end_ns") | {"first_end_ns": [0] * (N + 1)}},
        {"spread": {name: [0] for name in SPREAD}},
        {"spread": {name: [-1] * N for name in SPREAD}},
    ],
    ids=["few", "stranger", "none", "no_spread", "column", "long", "short", "negative"],
)
def test_spread_that_makes_no_sense_is_bad(
    changes: dict[str, object], snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(FormatError) as bad:
        decode_slice(encode_slice(BARRIER) | changes)
    assert str(bad.value) == snapshot


def test_spread_beside_the_batches_of_several_ranks_is_bad() -> None:
    several = next(one for one in ALL if one.ranks.size > 1)
    encoded = encode_slice(several) | {
        name: encode_slice(reduced(several))[name] for name in ("slowest", "spread")
    }
    with pytest.raises(FormatError, match=rf"\bstart_ns .*\b{several.ranks.size}\b"):
        decode_slice(encoded)


@pytest.mark.parametrize("slices", [KEPT, KEPT[:9] + ALL[9:20]], ids=["kept", "mixed"])
@pytest.mark.parametrize("finished", [True, False])
def test_run_reads_back(slices: list[Slice], finished: bool, tmp_path: Path) -> None:
    written = write(tmp_path / "run", slices)
    if finished:
        finish(tmp_path / "run")
        (tmp_path / "run" / "journal.jsonl").unlink()
    run = load(tmp_path / "run")
    assert run.warnings == ()
    for name in (*COLUMNS, "elapsed_ns"):
        assert np.array_equal(getattr(run.batches, name), getattr(written.batches, name)), name
    assert columns(run.batches.spread) == columns(written.batches.spread)
    assert columns(run.strips) == columns(written.strips)
    assert Analysis(run).summaries == Analysis(written).summaries


def test_tables_of_all_ranks_are_as_they_were(tmp_path: Path) -> None:
    write(tmp_path / "run", ALL)
    finish(tmp_path / "run")
    path = str(tmp_path / "run" / "batches.parquet")
    with duckdb.connect() as connection:
        described = connection.execute("DESCRIBE FROM read_parquet(?)", [path]).fetchall()
    assert [row[0] for row in described] == [*COLUMNS]
    assert load(tmp_path / "run").batches.spread is None


@pytest.mark.parametrize("finished", [True, False])
def test_spread_can_be_selected_beside_runs_that_have_none(finished: bool, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("all", "kept")]
    for path, slices in zip(paths, (ALL, KEPT), strict=True):
        write(path, slices)
        if finished:
            finish(path)
    statement = (
        "SELECT run, last_end_ns - first_start_ns AS extent_ns, shortest_ns, rank FROM batches "
        "WHERE cell = 0 ORDER BY run, configuration, block, visit, attempt, batch, rank"
    )
    found = query(statement, paths).rows
    by_run = {str(path): [row[1:] for row in found if row[0] == str(path)] for path in paths}
    assert {row[1] for row in by_run[str(paths[0])]} == {UNKNOWN}
    expected = []
    for one in sorted(KEPT, key=lambda one: (one.configuration, one.block, one.visit, one.attempt)):
        if one.cell == 0 and one.slowest is not None and one.spread is not None:
            extents = one.spread.last_end_ns - one.spread.first_start_ns
            expected += np.stack([extents, one.spread.shortest_ns, one.slowest], 1).tolist()
    assert [[*row] for row in by_run[str(paths[1])]] == expected


def test_other_rank_that_the_configuration_lacks_is_bad(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    others = np.append(BARRIER.others, np.int32(40))
    beyond = replace(BARRIER, others=others, disturbance=None)
    write(tmp_path / "run", [beyond])
    run = load(tmp_path / "run")
    assert run.batches.rank.size == 0
    (warning,) = run.warnings
    assert warning.cause.replace(str(tmp_path), "DIR") == snapshot
