"""No record stops a sweep, whatever is in it; what is none goes once nobody can be writing it."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from leadline.hosts.cleanup.identities import FileIdentity, ProcessIdentity
from leadline.hosts.cleanup.notes import Note, Owner, forget, note, noted_folder, records
from leadline.hosts.cleanup.sweep import (
    FORGOTTEN_S,
    TORN_S,
    Swept,
    remove_folder,
    remove_old_folders,
    sweep,
)

DAYS_AGO = time.time() - 3 * TORN_S


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    records().mkdir(parents=True)


def planted(change: Callable[[dict[str, Any]], object]) -> str:
    """A record of who is no more, with something in it that no front-end writes."""
    owner: dict[str, Any] = {"process": {"pid": os.getpid(), "started": 1}}
    mine = Owner.this()
    owner |= {"boot": mine.boot, "host": mine.host, "namespace": mine.namespace}
    folder = {"path": "/nowhere", "device": 1, "inode": 1}
    one: dict[str, Any] = {"folder": folder, "launch": "", "beginnings": []}
    one |= {"processes": [], "segments": []}
    change(one | {"owner": owner})
    return json.dumps({"format": 1, "owner": owner, "notes": [one]})


UNFIT = {
    "nested": '{"format": 1, "notes": ' + "[" * 100_000,
    "path-nul": planted(lambda content: content["folder"].update(path="/tmp/leadline-\0xxxxxx")),
    "path-type": planted(lambda content: content["folder"].update(path=3)),
    "pid-nul": planted(lambda content: content["processes"].append({"pid": "1\0", "started": 1})),
    "owner-nul": planted(lambda content: content["owner"]["process"].update(pid="1\0")),
}


@pytest.mark.parametrize("text", UNFIT.values(), ids=UNFIT.keys())
def test_unfit_record_stops_no_sweep_and_goes_after_a_day(text: str) -> None:
    record = records() / "1-unfit.json"
    record.write_text(text)
    assert sweep() == Swept()
    assert record.exists()
    os.utime(record, (DAYS_AGO, DAYS_AGO))
    assert sweep() == Swept()
    assert not record.exists()


def test_half_written_goes_after_a_day_and_another_versions_stays() -> None:
    young, old, newer = (records() / name for name in ("1-y.new", "1-o.new", "1-n.json"))
    for path, text in ((young, "{"), (old, "{"), (newer, '{"format": 2}')):
        path.write_text(text)
        if path != young:
            os.utime(path, (DAYS_AGO, DAYS_AGO))
    sweep()
    assert sorted(records().iterdir()) == sorted([young, newer])


@pytest.fixture
def unlisted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose entries may be reached, and not listed."""

    def refused(_: Path) -> Iterator[Path]:
        raise PermissionError

    folder = tmp_path / "leadline-launch-x12345"
    folder.mkdir()
    monkeypatch.setattr(Path, "iterdir", refused)
    yield folder


def test_folder_goes_also_where_its_neighbours_cant_be_listed(unlisted: Path) -> None:
    assert remove_folder(FileIdentity.of(unlisted)) == [str(unlisted)]
    assert not unlisted.exists()


def test_folder_of_a_campaign_that_takes_days_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with noted_folder("leadline-launch-") as used:
        of_host, left = used.with_name(f"{used.name}.h1"), tmp_path / "leadline-launch-other"
        for path in (used, of_host, left):
            path.mkdir(exist_ok=True)
            os.utime(path, (DAYS_AGO, DAYS_AGO))
        assert remove_old_folders("leadline-launch-", TORN_S) == [str(left)]
        assert used.exists()
        assert of_host.exists()


def test_threads_that_start_at_once_keep_one_whole_record(tmp_path: Path) -> None:
    folders = [tmp_path / f"leadline-{number:06}" for number in range(8)]
    for folder in folders:
        folder.mkdir()
    together = threading.Barrier(len(folders))

    def use(folder: Path) -> Note:
        together.wait()
        for _ in range(20):
            with noted_folder("leadline-thread-", folder):
                pass
        return note(folder)

    with ThreadPoolExecutor(len(folders)) as pool:
        noted = list(pool.map(use, folders))
    found = [json.loads(record.read_text()) for record in records().iterdir()]
    for one in noted:
        forget(one)
    named = [{one["folder"]["path"] for one in record["notes"]} for record in found]
    assert named == [{str(folder) for folder in folders}]
    assert list(records().iterdir()) == []


@pytest.mark.parametrize("started", [1, None])
def test_record_of_who_cant_be_seen_goes_after_a_month_and_alone(
    tmp_path: Path, started: int | None
) -> None:
    """Unless its process is one of here, whatever namespace it says."""
    mine = ProcessIdentity.of(os.getpid())
    assert mine is not None
    named = tmp_path / "leadline-launch-x12345"
    named.mkdir()
    folder = {"path": str(named), "device": named.stat().st_dev, "inode": named.stat().st_ino}
    content = json.loads(planted(lambda one: one["folder"].update(folder)))
    content["owner"]["namespace"] = "pid:[1]"
    content["owner"]["process"]["started"] = started or mine.started
    record = records() / "1-elsewhere.json"
    record.write_text(json.dumps(content))
    for age_s, stays in ((FORGOTTEN_S - TORN_S, True), (FORGOTTEN_S + TORN_S, started is None)):
        written = time.time() - age_s
        os.utime(record, (written, written))
        assert sweep() == Swept()
        assert record.exists() == stays
    assert named.exists()
