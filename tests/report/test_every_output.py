"""Every form of output says of one run the same caveats: code, cause and remedy."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from tests.support.synthetic import Campaign, pingpong

from leadline.cli import main
from leadline.record.caveats import CaveatKind
from leadline.store import Journal

STORED = (
    CaveatKind.LOAD.because("the load is 3 on 4 cores"),
    CaveatKind.SIZE_DROPPED.because("allreduce: 103 B is not a multiple of 8 B", size=96),
    CaveatKind.BINDING.because("rank 0 runs on cores 0,1"),
)
FOUND = (
    CaveatKind.FEW_BLOCKS.because("3 blocks can't support a 95 % interval (2 cells)"),
    CaveatKind.INCOMPLETE.because("a run was interrupted: later blocks are missing"),
)
"""By the analysis, not the campaign."""
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
