"""Every form of output says of one run the same warnings: code, cause and remedy."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.synthetic import Campaign, pingpong
from tests.support.texts import numbers

from leadline.cli import main
from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.warnings import INCOMPLETE
from leadline.record.slices import BatchFlag, Slice
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.store import Journal, load

STORED = (
    warning_of(WarningKind.LOAD, load=3, cores=4),
    warning_of(
        WarningKind.SIZE_DROPPED,
        pattern="allreduce",
        least=None,
        both=False,
        multiple="8 B",
        sizes="103 B",
        number=1,
        size=96,
    ),
    RunWarning("binding", "rank 0 runs on cores 0,1", WarningKind.BINDING.remedy),
)
COMPARED = ("compare", "run", "--baseline", "impi")
TAG = re.compile(r"<[^>]*>")
FORMS = {
    "text": ("show", "run", "--full"),
    "json": ("show", "run", "--json"),
    "csv": ("show", "run", "--csv"),
    "markdown": ("show", "run", "--markdown"),
    "page": ("report", "run", "--out", "-"),
}


def plain(text: str) -> str:
    """Without tags, escapes and the line breaks of narrow places."""
    return " ".join(html.unescape(TAG.sub(" ", text)).replace("\\", "").split())


Printed = Callable[[Sequence[str], tuple[int, ...]], str]


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Printed:
    """What a command, run in a folder of its own, prints; it ends with one of some statuses."""
    monkeypatch.chdir(tmp_path)

    def printed(words: Sequence[str], statuses: tuple[int, ...]) -> str:
        assert main(list(words)) in statuses
        return plain(capfd.readouterr().out)

    return printed


def says(message: str, warning: RunWarning) -> bool:
    """Whether all of it is there."""
    return all(part in message for part in (warning.code, warning.cause, warning.remedy))


def found() -> tuple[RunWarning, ...]:
    """What is to be said of the run, by the campaign and by the analysis."""
    return computed(Analysis(load("run")), 0.02).warnings


@pytest.mark.parametrize("words", FORMS.values(), ids=FORMS)
def test_every_output_says_the_same_of_a_run(words: tuple[str, ...], printed: Printed) -> None:
    campaign = Campaign(["mpich"], (pingpong(0), pingpong(8)), blocks=3)
    campaign.write(Path("run"), warnings=STORED)
    Journal.reopen(Path("run")).close(False)
    incomplete, few = (warning for warning in found() if warning not in STORED)
    assert (incomplete, few.code) == (INCOMPLETE, WarningKind.FEW_BLOCKS.code)
    assert (numbers(few.cause), set(numbers(few.remedy))) == (["3", "95", "2"], {"6"})
    text = printed(words, (0,))
    for one in (*STORED, few, INCOMPLETE):
        assert says(text, one)


class AllLate(Campaign):
    """Of the first configuration's second cell no rank ever started in time."""

    def slices(self) -> Iterator[Slice]:
        for one in super().slices():
            spoilt = (one.configuration, one.cell) == (0, 1)
            yield replace(one, flags=one.flags | np.int32(BatchFlag.LATE)) if spoilt else one


@pytest.mark.parametrize("words", [*FORMS.values(), COMPARED, (*COMPARED, "--json")])
def test_every_output_names_a_cell_of_which_no_batch_counts(
    words: tuple[str, ...], printed: Printed
) -> None:
    AllLate(["mpich", "impi"], (pingpong(0), pingpong(8)), blocks=6).write(Path("run"))
    (warning,) = (one for one in found() if one.code == WarningKind.NO_TIME.code)
    assert "mpich" in warning.cause and "pingpong" in warning.cause
    assert numbers(warning.cause) == ["8", "2", "114", "114"]
    assert says(printed(words, (0, 1)), warning)
