"""Machine files of measured runs: lines through sizes, what is written is what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline.cli import main
from leadline.simulate.calibration import pieces_through
from leadline.simulate.machine import ProfilePiece
from leadline.simulate.shipped import machine_named


def _seconds(piece: ProfilePiece, size_bytes: int) -> float:
    ends = piece.send_overhead_s + piece.receive_overhead_s
    return ends + size_bytes * piece.gap_s_per_byte


def test_pieces_pass_through_the_sizes_they_begin_and_end_at() -> None:
    first, last = pieces_through([0, 100, 1100], [1e-6, 2e-6, 3e-6])
    assert (first.least_bytes, last.least_bytes) == (0, 100)
    assert [_seconds(first, size) for size in (0, 100)] == pytest.approx([1e-6, 2e-6])
    assert [_seconds(last, size) for size in (100, 1100)] == pytest.approx([2e-6, 3e-6])


def test_a_line_that_falls_becomes_a_constant_between_both() -> None:
    (piece,) = pieces_through([8, 16], [4e-6, 1e-6])
    assert piece.gap_s_per_byte == 0.0
    assert _seconds(piece, 12) == pytest.approx(2e-6)


def test_a_line_from_below_nought_becomes_one_through_it() -> None:
    (piece,) = pieces_through([100, 200], [1e-6, 8e-6])
    assert piece.send_overhead_s == piece.receive_overhead_s == 0.0
    ratios = _seconds(piece, 100) / 1e-6, 8e-6 / _seconds(piece, 200)
    assert ratios[0] == pytest.approx(ratios[1])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Times that are known exactly: those of a machine that comes along."""
    directory = tmp_path / "run"
    told = ["--machine", "cray-t3d", "--patterns", "pingpong,bcast", "--ranks", "2"]
    assert main(["simulate", *told, "--out", str(directory)]) == 0
    return directory


def test_what_is_written_is_read_and_is_near_what_was_held_out(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "here.toml"
    assert main(["calibrate", str(run), "--machine", "here", "--out", str(file)]) == 0
    machine = machine_named(str(file))
    assert machine.name == "here"
    assert machine.sources["profiles"].startswith(f"calibrated from {run}, pingpong, bcast, ")
    (profile,) = machine.profiles.values()
    assert list(profile.collectives) == ["bcast"]
    text = capsys.readouterr().out
    (pingpong,) = [line for line in text.splitlines() if "  pingpong: median" in line]
    assert float(pingpong.partition("median ")[2].partition("%")[0]) < 15


def test_a_run_without_a_ping_pong_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory, file = tmp_path / "run", tmp_path / "here.toml"
    told = ["--machine", "cray-t3d", "--patterns", "bcast", "--ranks", "2"]
    assert main(["simulate", *told, "--out", str(directory)]) == 0
    assert main(["calibrate", str(directory), "--machine", "here", "--out", str(file)]) == 2
    assert "needs pingpong on 2 ranks" in capsys.readouterr().err
    assert not file.exists()
