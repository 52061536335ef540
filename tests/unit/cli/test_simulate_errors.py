"""What `leadline simulate` refuses, and in which words."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline.cli import main
from leadline.errors import UsageError
from leadline.simulate import campaign
from leadline.simulate.machine_files import machine_named
from leadline.simulate.timing import Timed
from leadline.store import load

DEADLOCK = (
    "it ends in a deadlock: rank 0 waits to send 1 MiB to rank 1 (tag 5); rank 1 waits to send "
    "1 MiB to rank 0 (tag 5)"
)


def refused(capsys: pytest.CaptureFixture[str], out: Path, *words: str) -> str:
    """The one line on stderr with which `leadline simulate` ends with 2, without a run."""
    usual = ["simulate", "--machine", "cray-t3e-900", "--out", str(out)]
    assert main([*usual, *words]) == 2
    assert not out.exists()
    return line_with(capsys.readouterr().err)


def test_what_cannot_be_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    asked = (
        "--machine cray-t3e-90",
        "--library mpch",
        "--patterns pari",
        "--mapping hop",
        "--mapping ./slots",
        "--ranks 1000 --patterns pair",
        "--ranks 63 --patterns halo:4x4x4",
        "--mapping nowhere",
        "--allocation last:4",
        "--allocation first:4 --ranks 8 --patterns pair",
        "--what-if link=fast",
        "--ranks 3 --patterns pair",
        "--ranks 2 --patterns pair --name 'a b'",
        "--patterns barrier_counter",
        "--patterns pack --sizes 8",
        "--ranks 1 --patterns bcast",
        "--mapping paper --patterns pingpong,bcast",
        "--mapping paper --machine sun-ethernet-10 --patterns pair",
        "--what-if ''",
        "--what-if dims=8x8",
        "--plot picture.gif",
        "--plot nowhere/picture.svg",
    )
    message = {words: refused(capsys, tmp_path / "run", *shlex.split(words)) for words in asked}
    assert message == snapshot


def test_jobs_that_cannot_be_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    asked = (
        "--job pattern=pair",
        "--job pattern=pair,ranks=4,foo=1",
        "--job patern=pair,ranks=2",
        "--job pattern=pair,ranks=2,ranks=4",
        "--job name=x,pattern=pair,ranks=2 --job name=x,pattern=pair,ranks=2",
        " ".join(["--job pattern=pair,ranks=2,allocation=first:4"] * 2),
        "--job pattern=pair,ranks=512 --job pattern=pair,ranks=2",
    )
    message = {words: refused(capsys, tmp_path / "run", *words.split()) for words in asked}
    assert message == snapshot


def test_what_each_job_says_itself_is_refused_beside_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    job = ("--job", "pattern=pair,ranks=2")
    asked = ("--ranks 4", "--patterns halo", "--allocation first:4")
    message = {words: refused(capsys, tmp_path / "run", *job, *words.split()) for words in asked}
    assert message == snapshot


@pytest.mark.parametrize(
    "words",
    [["--patterns", "barrier,pair", "--ranks", "4"], ["--job", "pattern=barrier,ranks=4"]],
)
def test_barrier_of_the_hardware_is_refused_before_anything_is_simulated(
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    usual = ["--machine", "cray-t3d", "--plot", "picture.svg"]
    assert refused(capsys, tmp_path / "run", *usual, *words) == snapshot


def test_machine_file_that_cannot_be_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    text = machine_named("infiniband-fat-tree").text
    messages = {}
    for old, new in (
        ("bytes_per_s = 12.5e9\n", ""),
        ("bytes_per_s = 12.5e9", "bytes_per_s = -1e9"),
        ("bytes_per_s = 12.5e9", "bandwidth = 12.5e9"),
        ('"tree:40x66x1"', '"tree:40x66"'),
    ):
        assert old in text
        (tmp_path / "m.toml").write_text(text.replace(old, new, 1))
        error = refused(capsys, tmp_path / "run", "--machine", f"{tmp_path}/m.toml")
        messages[f"{old!r} -> {new!r}"] = error.replace(str(tmp_path), "DIR")
    assert messages == snapshot


def test_deadlock_of_all_cells_is_an_error_that_names_ranks_and_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign, "_timed", deadlocked)
    words = ["--patterns", "pair", "--sizes", "1MiB", "--out", str(tmp_path / "run")]
    assert main(["simulate", "--machine", "cray-t3e-900", *words]) == 2
    assert DEADLOCK in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_deadlock_of_one_cell_is_a_warning_beside_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_others = campaign._timed

    def timed(cast: campaign.PlacedPattern, *rest: object) -> Timed:
        pair = cast.planned.choice.name == "pair"
        return deadlocked() if pair else of_others(cast, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(campaign, "_timed", timed)
    words = ["--patterns", "pingpong,pair", "--sizes", "1MiB", "--out", str(tmp_path / "run")]
    assert main(["simulate", "--machine", "cray-t3e-900", *words]) == 1
    run = load(tmp_path / "run")
    assert [cell.pattern for cell in run.cells] == ["pingpong"]
    (warning,) = run.warnings
    assert warning.code == "unsimulated"
    assert warning.cause.startswith("pair 1 MiB ") and warning.cause.endswith(DEADLOCK)


def deadlocked(*_: object) -> Timed:
    raise UsageError(DEADLOCK)
