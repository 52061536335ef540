"""How long an emulated host's processes stand still: a share of each tenth of a second."""

from __future__ import annotations

from signal import SIGCONT, SIGSTOP

import pytest

from leadline.hosts.emulated import pausing

KEEPER, MINE, PERIODS = 7, frozenset({"net:[1]", "uts:[2]"}), 3


@pytest.mark.parametrize("share", [0.9, 0.25])
def test_processes_stand_still_for_a_share_of_the_time(
    share: float, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    happened: list[object] = []
    looks = iter([MINE] * (1 + PERIODS) + [frozenset()])
    monkeypatch.setattr(pausing, "namespaces_of", lambda _: next(looks))
    monkeypatch.setattr(pausing, "_send", lambda *words: happened.append(words[-1]))
    monkeypatch.setattr("time.sleep", happened.append)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    pausing.main(KEEPER, share)
    period = [SIGSTOP, share * 0.1, SIGCONT, pytest.approx((1 - share) * 0.1)]
    assert happened == [*period * PERIODS, SIGCONT]
    assert capsys.readouterr().out == "begun\n"


def test_nobody_is_stopped_where_the_holder_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[object] = []
    monkeypatch.setattr(pausing, "namespaces_of", lambda _: frozenset())
    monkeypatch.setattr(pausing, "_send", lambda *words: happened.append(words[-1]))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    pausing.main(KEEPER, 0.9)
    assert happened == [SIGCONT]
