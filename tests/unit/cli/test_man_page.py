"""Manual pages: the same words as --help, in troff that renders without a warning."""

from __future__ import annotations

import re

import pytest

from leadline.cli import COMMANDS
from leadline.cli.man_page import manual_pages

PAGES = manual_pages()


def test_every_command_has_a_page_beside_the_programs() -> None:
    assert set(PAGES) == {"leadline.1", *(f"leadline-{command}.1" for command in COMMANDS)}


@pytest.mark.parametrize("name", PAGES)
def test_page_is_headed_as_mandoc_wants_it(name: str) -> None:
    head = PAGES[name].splitlines()[0]
    section = name.removesuffix(".1").upper().replace("-", r"\-")
    assert re.fullmatch(
        rf'\.TH {re.escape(section)} 1 "\d{{4}}-\d\d-\d\d" "Leadline [\d.]+" "Leadline"', head
    )
