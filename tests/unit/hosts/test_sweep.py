"""What a killed front-end left goes, told by its record; what is anybody else's stays."""

from __future__ import annotations

import json
import mmap
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.ended_front_ends import NAME, ended, folder

from leadline.hosts.cleanup import sweep as sweeping
from leadline.hosts.cleanup.identities import SHARED, ProcessIdentity
from leadline.hosts.cleanup.notes import forget, here, note, noted_folder, records
from leadline.hosts.cleanup.sweep import Swept, sweep


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(sweeping, "PATIENCE_S", 0.0)


@pytest.fixture
def segment() -> Iterator[Callable[[], Path]]:
    """Makes files in shared memory as libraries do; they are gone afterwards."""
    made: list[Path] = []

    def make() -> Path:
        made.append(SHARED / f"planted-{secrets.token_hex(8)}")
        made[-1].write_bytes(b"x" * mmap.PAGESIZE)
        return made[-1]

    yield make
    for path in made:
        path.unlink(missing_ok=True)


def change(record: Path, **owner: str) -> None:
    content = json.loads(record.read_text())
    content["owner"] |= owner
    record.write_text(json.dumps(content))


def with_segments(record: Path, *paths: Path) -> None:
    """As if the ranks of the noted launch had mapped these."""
    content: dict[str, Any] = json.loads(record.read_text())
    content["notes"][0]["segments"] = [
        {"path": str(path), "device": path.stat().st_dev, "inode": path.stat().st_ino}
        for path in paths
    ]
    record.write_text(json.dumps(content))


def test_folders_of_who_is_no_more_go_and_all_others_stay(tmp_path: Path) -> None:
    mine, of_host = folder(tmp_path), folder(tmp_path, f"{NAME}.h1")
    others = [folder(tmp_path, name) for name in (f"{NAME}6", "leadline-launch-y12345", "other")]
    living = folder(tmp_path, "leadline-launch-z12345")
    noted = note(living)
    ended(mine)
    assert len(list(records().glob("*.json"))) == 2
    assert sweep() == Swept((str(mine), str(of_host)))
    assert all(path.exists() for path in (*others, living))
    assert len(list(records().glob("*.json"))) == 1
    forget(noted)
    assert not list(records().glob("*.json"))
    assert living.exists()


def test_folder_that_is_another_by_now_stays(tmp_path: Path) -> None:
    mine = folder(tmp_path)
    ended(mine)
    mine.rename(tmp_path / "moved")
    folder(tmp_path)
    assert sweep() == Swept()
    assert mine.exists()


@pytest.mark.parametrize("name", ["somebody's", "leadline-", "leadline-x"])
def test_folder_that_isnt_called_as_ours_stays(tmp_path: Path, name: str) -> None:
    ended(folder(tmp_path, name))
    assert sweep() == Swept()
    assert (tmp_path / name).exists()


def test_link_in_a_folders_place_leads_nowhere(tmp_path: Path) -> None:
    mine, elsewhere = folder(tmp_path), folder(tmp_path, "elsewhere")
    record = ended(mine)
    mine.rename(tmp_path / "moved")
    mine.symlink_to(elsewhere)
    content = json.loads(record.read_text())
    content["notes"][0]["folder"]["inode"] = mine.lstat().st_ino
    record.write_text(json.dumps(content))
    assert sweep() == Swept()
    assert (elsewhere / "output").exists()


def test_segments_go_that_are_written_down_and_the_rest_stays(
    tmp_path: Path, segment: Callable[[], Path]
) -> None:
    mine, other, replaced, mapped = segment(), segment(), segment(), segment()
    outside = tmp_path / "file"
    outside.touch()
    record = ended(folder(tmp_path))
    with_segments(record, mine, replaced, mapped, outside)
    replaced.rename(replaced.with_suffix(".before"))
    replaced.touch()
    with mapped.open("r+b") as file, mmap.mmap(file.fileno(), mmap.PAGESIZE):
        assert sweep().segments == (str(mine),)
        assert record.exists()
    replaced.with_suffix(".before").unlink()
    assert other.exists()
    assert replaced.exists()
    assert outside.exists()
    assert sweep().segments == (str(mapped),)


@pytest.mark.parametrize(
    "owner",
    [
        {"boot": "another", "host": "elsewhere"},
        {"namespace": "pid:[1]"},
        {"namespace": f"{Path('/proc/self/ns/pid').readlink()} time:[1]"},
        {"boot": ""},
    ],
)
def test_who_may_live_elsewhere_is_left_alone(tmp_path: Path, owner: dict[str, str]) -> None:
    mine = folder(tmp_path)
    change(ended(mine), **owner)
    assert sweep() == Swept()
    assert mine.exists()


def test_where_the_boot_cant_be_read_nothing_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = folder(tmp_path)
    ended(mine)
    monkeypatch.setattr(sweeping, "here", lambda: ("", *here()[1:]))
    assert sweep() == Swept()
    assert mine.exists()


def test_after_a_boot_folders_go(tmp_path: Path) -> None:
    mine = folder(tmp_path)
    change(ended(mine), boot="the one before")
    assert sweep() == Swept((str(mine),))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 2}', '{"format": 1, "owner": 3}'])
def test_damaged_record_removes_nothing(tmp_path: Path, text: str) -> None:
    mine = folder(tmp_path)
    ended(mine).write_text(text)
    assert sweep() == Swept()
    assert mine.exists()


def test_folder_is_noted_as_long_as_it_is_there() -> None:
    with noted_folder("leadline-test-") as made:
        (record,) = records().glob("*.json")
        assert json.loads(record.read_text())["notes"][0]["folder"]["path"] == str(made)
    assert not made.exists()
    assert not record.exists()


def test_record_that_cant_be_written_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    forget(note(folder(tmp_path)))


def test_process_is_known_by_its_start() -> None:
    mine = ProcessIdentity.of(os.getpid())
    assert mine is not None
    assert mine.is_alive
    assert not ProcessIdentity(mine.pid, mine.started - 1).is_alive


def test_segment_of_the_boot_before_is_anothers_now(
    tmp_path: Path, segment: Callable[[], Path]
) -> None:
    others = segment()
    record = ended(folder(tmp_path))
    with_segments(record, others)
    change(record, boot="the one before")
    assert sweep().segments == ()
    assert others.exists()
    assert not record.exists()
