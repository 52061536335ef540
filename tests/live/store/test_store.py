from __future__ import annotations

from pathlib import Path

import pytest
from harness.synthetic import Campaign
from tests.support.same_runs import CELLS, same
from tests.support.small_disk import on_a_small_disk

from leadline.record.run import Run
from leadline.store import load


@pytest.fixture
def campaign(tmp_path: Path) -> Run:
    return Campaign(["mpich", "impi"], CELLS, blocks=2).write(tmp_path / "run")


# -- full disk -------------------------------------------------------------------------------------


def test_finish_on_a_full_disk_leaves_the_run_as_it_was(campaign: Run) -> None:
    text = on_a_small_disk("finish", Path(campaign.path), 500)
    assert text.startswith(f"MachineError {campaign.path}/batches.parquet: ")
    assert [p.name for p in Path(campaign.path).iterdir()] == ["journal.jsonl"]
    assert same(load(campaign.path), campaign)
