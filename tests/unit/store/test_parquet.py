"""Batches come back from Parquet as they were, whatever the order of their rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.errors import RecordError
from leadline.record.batches import StripedBatches, columns_of
from leadline.record.slices import COLUMNS, BatchColumns
from leadline.store.parquet import read_batches, write_batches


def recorded() -> BatchColumns:
    run = Campaign(["mpich", "impi"], [pingpong(8), BARRIER], blocks=2, batches=5, ranks=2).run()
    return columns_of(run.batches)


def in_order(batches: BatchColumns, rows: npt.NDArray[np.int64]) -> BatchColumns:
    return BatchColumns(**{name: getattr(batches, name)[rows] for name in COLUMNS})


@pytest.mark.parametrize("striped", [True, False])
def test_rows_come_back_as_they_were(striped: bool, tmp_path: Path) -> None:
    batches = recorded()
    if not striped:
        batches = in_order(batches, np.random.default_rng(0).permutation(batches.rank.size))
    write_batches(tmp_path / "batches", batches)
    found = read_batches(tmp_path / "batches")
    assert isinstance(found, StripedBatches) == striped
    for name in (*COLUMNS, "elapsed_ns"):
        assert np.array_equal(getattr(found, name), getattr(batches, name)), name


def test_file_that_goes_before_a_column_is_read_is_a_clear_error(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    write_batches(tmp_path / "batches", recorded())
    found = read_batches(tmp_path / "batches")
    (tmp_path / "batches").unlink()
    with pytest.raises(RecordError) as gone:
        _ = found.flags
    message, _, reason = str(gone.value).replace(str(tmp_path), "DIR").partition(": IO Error: ")
    assert [message, reason.rpartition("; ")[2]] == snapshot
