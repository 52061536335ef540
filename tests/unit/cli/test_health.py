"""leadline health on emulated hosts: planted faults are named, from outside of the hosts."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline.cli import health_rounds, main
from leadline.cli.health_rounds import Rounds
from leadline.health.observations import Round, Tolerances
from leadline.hosts.placement import Hosts
from leadline.measure.prepared import Prepared


def test_pairs_of_an_interrupted_round_are_not_called_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = Round((("a", "b"),), ())
    for complete, text in ((False, ""), (True, "a+b")):
        run = SimpleNamespace(complete=complete, awaits_hosts=False)
        monkeypatch.setattr(health_rounds, "conduct", lambda *_, run=run: run)
        monkeypatch.setattr(health_rounds, "paired", lambda *_: None)
        monkeypatch.setattr(health_rounds, "round_of", lambda *_: seen)
        rounds = Rounds(Hosts(("a", "b")), "tcp", 1.0, Tolerances(), 0, tmp_path, _large_bytes=1)
        assert rounds._round(cast("Prepared", None), seen.pairs) == seen
        assert rounds.interrupted is not complete
        told = capsys.readouterr().err
        assert text in told
        assert bool(told) is complete


def test_what_cant_be_examined_is_refused(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    output = {}
    for words in (
        "",
        "--hosts node01,node02",
        "--hosts n[1-3] --most-latency 0.5",
        "--hosts n[1-3] --most-latency much",
        "--hosts n[1-3] --least-rate 1.5",
        "--hosts n[1-3] --budget 0s",
    ):
        assert main(["health", *words.split()]) == 2
        output[words] = line_with(capsys.readouterr().err)
    assert output == snapshot


def test_a_folder_with_something_in_it_isnt_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").write_text("mine")
    assert main(["health", "--hosts", "n[1-3]", "--out", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err
