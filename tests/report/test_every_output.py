"""Every form of output says of one run the same caveats: code, cause and remedy."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.synthetic import Campaign, pingpong

from leadline.cli import main
from leadline.record.caveats import CaveatKind
from leadline.record.slices import BatchFlag, Slice
from leadline.store import Journal

STORED = (
    CaveatKind.LOAD.because("the load is 3 on 4 cores"),
    CaveatKind.SIZE_DROPPED.because("allreduce: 103 B is not a multiple of 8 B", size=96),
    CaveatKind.BINDING.because("rank 0 runs on cores 0,1"),
)
FOUND = (
    CaveatKind.FEW_BLOCKS.because("3 blocks can't support a 95 % interval (2 cells)", blocks=6),
    CaveatKind.INCOMPLETE.because("a run was interrupted: later blocks are missing"),
)
"""By the analysis, not the campaign."""
COMPARED = ("compare", "run", "--baseline", "impi")
TAG = re.compile(r"<[^>]*>")
FORMS = {
    "text": ("show", "run"),
    "json": ("show", "run", "--json"),
    "csv": ("show", "run", "--csv"),
    "markdown": ("show", "run", "--markdown"),
    "page": ("report", "run", "--out", "-"),
}


def plain(text: str) -> str:
    """Without tags, escapes and the line breaks of narrow places."""
    return " ".join(html.unescape(TAG.sub(" ", text)).replace("\\", "").split())


@pytest.mark.parametrize("words", FORMS.values(), ids=FORMS)
def test_every_output_says_the_same_of_a_run(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    campaign = Campaign(["mpich"], (pingpong(0), pingpong(8)), blocks=3)
    campaign.write(Path("run"), warnings=STORED)
    Journal.reopen(Path("run")).close(False)
    assert main(list(words)) == 0
    said = plain(capfd.readouterr().out)
    for caveat in (*STORED, *FOUND):
        for part in (caveat.code, caveat.cause, caveat.remedy):
            assert part in said


class AllLate(Campaign):
    """Of the first configuration's second cell no rank ever started in time."""

    def slices(self) -> Iterator[Slice]:
        for one in super().slices():
            spoilt = (one.configuration, one.cell) == (0, 1)
            yield replace(one, flags=one.flags | np.int32(BatchFlag.LATE)) if spoilt else one


@pytest.mark.parametrize("words", [*FORMS.values(), COMPARED, (*COMPARED, "--json")])
def test_every_output_names_a_cell_of_which_no_batch_counts(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    AllLate(["mpich", "impi"], (pingpong(0), pingpong(8)), blocks=6).write(Path("run"))
    assert main(list(words)) in (0, 1)
    caveat = CaveatKind.NO_TIME.because(
        "mpich, pingpong at 8 B, 2 ranks: none of 114 batches counts: in 114 a rank started late"
    )
    said = plain(capfd.readouterr().out)
    for part in (caveat.code, caveat.cause, caveat.remedy):
        assert part in said
