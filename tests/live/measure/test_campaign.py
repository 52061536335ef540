"""Campaigns over null and raw shared memory, run for real, with ranks that misbehave."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.kernels import VIRTUAL_TIME, variant
from harness.patience import HANG_S, patience_for
from tests.support.campaigns import plan_for, run_campaign, seen
from tests.support.launches import noted
from tests.support.processes import running, until

from leadline.compare.analysis import Analysis
from leadline.measure.resumption import blocks_done
from leadline.measure.spec import Variant
from leadline.record.slices import BatchFlag


def test_every_cell_is_measured_under_every_variant_in_every_block(tmp_path: Path) -> None:
    variants = [variant("null"), variant("shm"), variant("shm", "again")]
    plan = plan_for(variants, "pingpong,barrier,bcast,allreduce", (8, 1024), 2)
    run, watching = run_campaign(tmp_path / "run", variants, plan)
    assert watching.blocks == [0, 1]
    assert run.failures == ()
    assert {c.variant for c in run.configurations} == {"null", "shm", "again"}
    assert len(run.cells) == 7
    assert len(seen(run)) == 2 * 3 * 7
    assert blocks_done(run, plan) == (2, 2)


def test_number_that_a_launch_found_wrong_is_flagged_and_put_right_at_once(
    tmp_path: Path,
) -> None:
    # the first 100 messages take 16 times as long, evenly: a warm-up takes that for their pace
    planted = variant("null", additions=VIRTUAL_TIME, LEADLINE_COURSE="4000:250:100:0:20")
    run, _ = run_campaign(tmp_path / "run", [planted], plan_for([planted], "pingpong", (8,), 3))
    wrong = run.batches.flags & int(BatchFlag.MISCOUNTED) != 0
    first = run.batches.block == 0
    numbers = [set(run.batches.repetitions[first & (run.batches.attempt == i)]) for i in (0, 1)]
    assert numbers == [{12}, {199}]
    assert wrong.tolist() == (run.batches.repetitions == 12).tolist()
    assert not wrong[~first].any()  # a busy machine may have some of it taken again all the same
    assert (Analysis(run).medians.samples[0, 0] > 0).all()


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("crash:1:104", "crash", ("rank 1", "SIGSEGV")),
        ("exit:1:104", "exit", ("rank 1", "status 7")),
        ("hang:1:104", "hang", ("rank 1 is stuck", "validating")),
        ("wrong_byte:1:104", "wrong_byte", ("rank 1", "offset 5", "expected", "seen")),
    ],
)
def test_rank_that_misbehaves_fails_its_cell_and_no_other(
    fault: str, code: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    variants = [variant("shm", "good"), variant("shm", "bad", fault)]
    plan = plan_for(variants, "pingpong,bcast", (8, 104), 2)
    run, _ = run_campaign(tmp_path / "run", variants, plan, patience_s=patience_for(code))
    pingpong = next(
        i for i, c in enumerate(run.cells) if (c.pattern, c.size_bytes) == ("pingpong", 104)
    )
    bad = next(i for i, c in enumerate(run.configurations) if c.variant == "bad")
    failure = next(f for f in run.failures if f.cell == pingpong)
    assert failure.configuration == bad
    assert failure.code == code
    assert all(word in failure.message for word in words), failure.message
    good = 1 - bad
    measured = seen(run)
    assert {(b, good, c) for b in (0, 1) for c in range(4)} <= measured
    eight = [i for i, c in enumerate(run.cells) if c.size_bytes == 8]
    assert {(b, bad, c) for b in (0, 1) for c in eight} <= measured
    assert (0, bad, pingpong) not in measured
    assert len([f for f in run.failures if f.cell == pingpong]) == 1  # not tried again


def test_watchdog_blames_no_rank_that_takes_no_part(tmp_path: Path) -> None:
    variants = [variant("shm", "bad", "hang:1:104")]
    plan = plan_for(variants, "pingpong", (104,), 1, ranks=3)
    run, _ = run_campaign(tmp_path / "run", variants, plan, patience_s=HANG_S)
    (failure, *_) = run.failures
    assert failure.code == "hang"
    blamed, _, _ = failure.message.partition(" (")
    assert "rank 1 " in blamed and "rank 0 " not in blamed
    assert "rank 2" not in failure.message


def test_variant_that_cannot_start_fails_alone(tmp_path: Path) -> None:
    good, broken = variant("shm", "good"), variant("shm", "broken")
    broken = Variant("broken", broken.backend, "/bin/false", broken.capability)
    plan = plan_for([good, broken], "barrier", (8,), 2)
    run, _ = run_campaign(tmp_path / "run", [good, broken], plan)
    assert {f.code for f in run.failures} == {"launch"}
    assert "exit status 1" in run.failures[0].message
    assert {run.configurations[c].variant for _, c, _ in seen(run)} == {"good"}


def test_no_process_and_no_segment_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launches = noted(monkeypatch)
    variants = [variant("shm", fault="crash:1:104")]
    run_campaign(tmp_path / "run", variants, plan_for(variants, "pingpong", (8, 104), 1))
    jobs = {launch.credentials.job for launch in launches}  # each in the name of its segment
    assert jobs
    until(lambda: not any(job in path.name for path in Path("/dev/shm").iterdir() for job in jobs))
    assert running(variants[0].kernel) == []
