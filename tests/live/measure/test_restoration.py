"""An interrupted campaign goes on with the plan that it was begun with, whatever changed since."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.kernels import local_backend
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import Interrupting, Silent, seen

from leadline.errors import LeadlineError, MachineError, RecordError, UsageError
from leadline.hosts.cores import Site
from leadline.hosts.this_host import describe_machine
from leadline.measure import preparation
from leadline.measure.budget import MEMORY_SHARE, Footprint
from leadline.measure.conduct import conduct, resume
from leadline.measure.preparation import Interrupted, prepare, restore
from leadline.measure.prepared import decoded_plan, encoded, stored_plan
from leadline.measure.resumption import check_kernels, found_again
from leadline.measure.spec import Request
from leadline.record.fields import FormatError
from leadline.record.run import Run
from leadline.store import Journal, load, write_plan

LEAST_BYTES = Footprint(104, 0, processes=2, variants=1).launch_bytes * 2
"""For a launch of two variants each."""
ENOUGH_BYTES = LEAST_BYTES / MEMORY_SHARE + 10
"""So many that they are planned to be alive together."""
REQUEST = Request(
    patterns=("pingpong",), sizes=(8, 104), backends=("null", "shm"), blocks=4, budget_s=0.1
)
WORDS = {"suite": "quick"}
"""A command line, as older versions stored it."""


@pytest.fixture(autouse=True)
def nothing_but_raw_backends(monkeypatch: pytest.MonkeyPatch) -> None:
    backends = [local_backend(kind) for kind in REQUEST.backends]
    monkeypatch.setattr(preparation, "find_backends", lambda _: backends)


def set_memory(available_bytes: float, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = replace(describe_machine(), memory_available_bytes=int(available_bytes))
    monkeypatch.setattr(preparation, "describe_machine", lambda: machine)


def interrupted_run(directory: Path) -> Run:
    run = conduct(prepare(REQUEST), directory, Interrupting())
    assert not run.complete
    assert {block for block, _, _ in seen(run)} == {0}
    return run


def no_words(words: Mapping[str, Any]) -> Request:
    raise AssertionError(words)


def of_older_version(directory: Path) -> Run:
    """An interrupted run with the words of its command line instead of its plan.

    What launches choose by trying wasn't chosen for the campaign.
    """
    with pytest.MonkeyPatch.context() as before:
        before.setattr("leadline.measure.conduct.chosen", lambda prepared, system: prepared)
        run = interrupted_run(directory)
    (directory / "plan.json").unlink()
    return replace(run, metadata=dict(run.metadata) | {"options": WORDS})


def test_plan_made_with_much_memory_stays_when_there_is_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_memory(ENOUGH_BYTES, monkeypatch)
    begun = prepare(REQUEST).plan
    run = interrupted_run(tmp_path / "run")
    assert begun.together
    set_memory(LEAST_BYTES + 10, monkeypatch)
    assert not prepare(REQUEST).plan.together, "planned anew, variants would take turns"
    interrupted = restore(run, no_words)
    assert interrupted.prepared.plan == begun
    assert (interrupted.whole_blocks, interrupted.next_block, interrupted.blocks_left) == (1, 1, 3)
    watching = Silent()
    finished = resume(interrupted, watching)
    assert finished.complete
    assert finished.co_resident
    assert finished.configurations == run.configurations
    assert {block for block, _, _ in seen(finished)} == {0, 1, 2, 3}
    assert watching.failures == []


def test_campaign_goes_on_though_a_transport_is_no_longer_known(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    begun = interrupted_run(directory)
    with Journal.reopen(directory) as journal:
        for index in range(len(begun.configurations)):
            journal.add_transport(index, "unknown")
    run = load(directory)
    assert run.configurations != begun.configurations
    finished = resume(restore(run, no_words), Silent())
    assert finished.complete
    assert {one.transport for one in finished.configurations} == {"unknown"}


def test_campaign_that_nobody_counted_the_blocks_of_goes_on_with_the_time_that_is_left(
    tmp_path: Path,
) -> None:
    directory = tmp_path / "run"
    run = conduct(prepare(replace(REQUEST, blocks=None, budget_s=4.0)), directory, Interrupting())
    interrupted = restore(run, no_words)
    assert interrupted.left_s < 4.0
    assert interrupted.blocks_left >= 5
    finished = resume(interrupted, Silent())
    assert finished.complete
    assert {block for block, _, _ in seen(finished)} >= set(range(6))


def test_run_of_an_older_version_does_not_silently_go_on_interleaved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_memory(ENOUGH_BYTES, monkeypatch)
    run = of_older_version(tmp_path / "run")
    assert restore(run, lambda _: REQUEST).prepared.plan.together
    set_memory(LEAST_BYTES + 10, monkeypatch)
    with pytest.raises(UsageError, match=r"\bplan\b.*\bmemory\b"):
        restore(run, lambda _: REQUEST)


def test_run_of_an_older_version_is_planned_anew_for_as_many_blocks(tmp_path: Path) -> None:
    run = of_older_version(tmp_path / "run")
    interrupted = restore(run, lambda words: replace(REQUEST, blocks=3 + len(words)))
    assert (interrupted.whole_blocks, interrupted.blocks_left) == (1, 3)
    assert resume(interrupted, Silent()).complete


def test_launches_that_no_longer_fit_are_refused_until_memory_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_memory(ENOUGH_BYTES, monkeypatch)
    run = interrupted_run(tmp_path / "run")
    journal = (tmp_path / "run" / "journal.jsonl").read_bytes()
    set_memory(LEAST_BYTES - 10, monkeypatch)
    with pytest.raises(MachineError, match=r"\b0\.1 GB\b.*\b0\.1 GB\b"):
        restore(run, no_words)
    assert (tmp_path / "run" / "journal.jsonl").read_bytes() == journal
    set_memory(LEAST_BYTES, monkeypatch)
    assert restore(run, no_words).blocks_left == 3


def refused(run: Run, kind: type[LeadlineError]) -> str:
    with pytest.raises(kind) as caught:
        restore(run, no_words)
    assert len(load(run.path).batches.rank) == len(run.batches.rank) > 0
    return str(caught.value)


def test_damaged_plan_is_named_and_nothing_measured_is_lost(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run, path = interrupted_run(tmp_path / "run"), tmp_path / "run" / "plan.json"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"blocks": 4', b'"blocks": 5'))
    message = {"changed": refused(run, RecordError)}
    path.write_bytes(whole[:100])
    message["cut"] = refused(run, RecordError)
    path.unlink()
    path.mkdir()
    message["a folder"] = refused(run, RecordError)
    path.rmdir()
    message["gone"] = refused(run, RecordError)
    assert {how: text.replace(str(path), "PLAN") for how, text in message.items()} == snapshot
    path.write_bytes(whole)
    assert isinstance(restore(run, no_words), Interrupted)


def test_plan_of_another_run_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    run = interrupted_run(tmp_path / "run")
    for name, request in (
        ("seed", replace(REQUEST, seed=1)),
        ("blocks", replace(REQUEST, blocks=2)),
    ):
        other = prepare(request)
        conduct(other, tmp_path / name, Interrupting())
        strange = (tmp_path / name / "plan.json").read_bytes()
        (tmp_path / "run" / "plan.json").write_bytes(strange)
        message = refused(run, RecordError)
        assert message.replace(str(tmp_path), "DIR") == snapshot


def test_plan_for_no_blocks_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    prepared = prepare(REQUEST)
    run = interrupted_run(tmp_path / "run")
    allotment = replace(prepared.plan.allotment, blocks=0)
    none = replace(prepared, plan=replace(prepared.plan, allotment=allotment))
    write_plan(run.path, encoded(stored_plan(none)), run.id)
    assert refused(run, RecordError).replace(str(tmp_path), "DIR") == snapshot


def test_run_that_went_on_meanwhile_does_not_measure_its_blocks_twice(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = interrupted_run(tmp_path / "run")
    first, second = restore(run, no_words), restore(run, no_words)
    finished = resume(first, Silent())
    with pytest.raises(UsageError, match=r"\bblock 4\b") as caught:
        resume(second, Silent())
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot
    again = load(run.path)
    assert again.complete
    assert len(again.batches.rank) == len(finished.batches.rank)


def test_core_that_is_taken_away_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    run = interrupted_run(tmp_path / "run")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    assert refused(run, UsageError).replace(str(tmp_path), "DIR") == snapshot


def site(name: str, machine: str, *cores: int) -> Site:
    return Site(name, machine, cores, name)


def test_hosts_go_on_with_their_cores_after_a_boot(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = interrupted_run(tmp_path / "run")
    begun = [site("h1", "a", 1, 0), site("h2", "a", 1), site("n3", "b", 0)]
    now = [site("h1", "c", 0, 1, 2), site("h2", "c", 0, 1), site("n3", "d", 0)]
    assert found_again(run, begun, now) == (
        site("h1", "c", 1, 0), site("h2", "c", 1), site("n3", "d", 0)
    )  # fmt: skip
    with pytest.raises(UsageError, match=r"\bcore 1\b.*'h2'") as taken:
        found_again(run, begun, [now[0], site("h2", "c", 0), now[2]])
    apart = [now[0], site("h2", "e", 1), now[2]]
    with pytest.raises(UsageError, match="h1, h2, n3") as moved:
        found_again(run, begun, apart)
    message = [str(caught.value).replace(str(tmp_path), "DIR") for caught in (taken, moved)]
    assert message == snapshot


def test_kernel_built_of_something_else_is_refused(tmp_path: Path) -> None:
    run = interrupted_run(tmp_path / "run")
    check_kernels(run, [("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")])
    with pytest.raises(UsageError, match=r"\bkernel of variant b\b"):
        check_kernels(run, [("a", "1"), ("b", "2")], [("a", "1"), ("b", "3")])


def plain(record: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(record))
    return found


def test_stored_plan_comes_back_as_it_was() -> None:
    request = replace(REQUEST, patterns=("reduce:max", "barrier", "alltoallv:skewed"), load=None)
    stored = stored_plan(prepare(replace(request, backends=("shm",), root=1, ranks=(2, 4))))
    assert decoded_plan(plain(encoded(stored))) == stored


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", 1),
        ("sites", [{"name": "n"}]),
        ("sites", 1),
        ("sites", []),
        ("request", {}),
        ("kernels", [["shm"]]),
    ],
)
def test_plan_of_another_version_says_what_it_lacks(
    key: str, value: object, snapshot: SnapshotAssertion
) -> None:
    record = plain(encoded(stored_plan(prepare(replace(REQUEST, backends=("null",))))))
    with pytest.raises(FormatError) as caught:
        decoded_plan(record | {key: value})
    assert str(caught.value) == snapshot
