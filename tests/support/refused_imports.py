"""`leadline import` that is refused."""

from __future__ import annotations

import pytest
from tests.support.texts import line_with

from leadline.cli import main


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that it says of them."""
    assert main(["import", *words]) == 2
    return line_with(capsys.readouterr().err)
