"""A kernel whose ranks truly run apart where they were to contend: told, and counted nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.kernels import APART, variant
from tests.support.campaigns import plan_for, run_campaign
from tests.support.texts import numbers

from leadline.cli import main
from leadline.cli.outcome import COMPLETE, status_of
from leadline.cli.parsing.reading import NOT_WHOLE
from leadline.compare.analysis import Analysis
from leadline.record.slices import BatchFlag
from leadline.record.warnings import WarningKind


def test_ranks_that_run_apart_have_no_time_and_every_output_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    variants = [variant("shm"), variant("shm", "apart", additions=APART)]
    plan = plan_for(variants, "fetch_add:contended,fetch_add", (8,), 1)
    run, _ = run_campaign(tmp_path / "run", variants, plan)
    flags = run.batches.flags[(run.batches.configuration == 1) & (run.batches.cell == 0)]
    assert ((flags & BatchFlag.APART) != 0).all()
    analysis = Analysis(run)
    rows = {(row.variant, row.pattern) for row in analysis.summaries}
    assert rows >= {("shm", "fetch_add"), ("apart", "fetch_add")}
    assert ("apart", "fetch_add:contended") not in rows
    (warning,) = (one for one in analysis.untimed if "apart, fetch_add:contended" in one.cause)
    assert warning.code == WarningKind.NO_TIME.code
    ranks, batches, apart = numbers(warning.cause)
    assert ranks == "2" and batches == apart
    assert status_of(run) == COMPLETE
    assert main(["show", run.path, "--strict"]) == NOT_WHOLE
    capfd.readouterr()
    assert main(["show", run.path, "--full"]) == 0
    assert f"{WarningKind.NO_TIME.code}: apart, fetch_add:contended, " in capfd.readouterr().out
