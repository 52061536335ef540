"""Background load: started, pinned, ended, and never compared silently."""

from __future__ import annotations

import os

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.spinning import spinning
from tests.support.texts import numbers

from leadline.cli import main
from leadline.errors import UsageError
from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.measure import preparation
from leadline.measure.spec import Request
from leadline.measure.system import background_load, described, load_warnings


def test_no_load_says_nothing() -> None:
    with background_load([]):
        assert spinning(os.getpid()) == []
    assert (described([]), load_warnings([])) == (None, [])


def test_load_beside_ranks_of_other_machines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    away = Site("n9", "another machine", (0, 1), "n9")
    monkeypatch.setattr(preparation, "survey", lambda *_: (away,))
    request = Request(patterns=("barrier",), hosts=Hosts(("n9",)), load=None)
    with pytest.raises(UsageError, match=r"^--load .*'n9'"):
        preparation.prepare(request)


@pytest.mark.parametrize("text", ["0", "some", "-1"])
def test_load_that_is_no_number_of_processes_is_refused(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", f"--load={text}", "--dry-run"]) == 2
    assert f"--load {text!r}" in capsys.readouterr().err


def test_load_that_no_machine_bears_is_refused_with_the_sum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before a list of them is made."""
    number, cores = 10**12, len(os.sched_getaffinity(0))
    words = ("--backends", "null", "--patterns", "barrier", "--dry-run")
    assert main(["run", *words, f"--load={number}"]) == 2
    output = capsys.readouterr().err
    assert output.startswith(f"leadline run: --load {number}: ")
    assert numbers(output) == [str(one) for one in (number, 64, 64, cores, 64 * cores)]
    assert len(output.splitlines()) == 1


def test_cores_are_named_once_each_however_many_spin_on_them(snapshot: SnapshotAssertion) -> None:
    cores = Request(patterns=("barrier",), load=100).loaded((0, 1))
    assert described(cores) == snapshot
