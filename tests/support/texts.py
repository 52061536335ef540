"""What tests read out of a text, so that they hold however it is worded."""

from __future__ import annotations

import re

NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")


def numbers(text: str) -> list[str]:
    """The numbers that `text` states, as it writes them and in its order; units stand apart."""
    return NUMBER.findall(text)


def lines_from(speaker: str, text: str) -> list[str]:
    """The lines of `text` that begin with `speaker`, among those of launchers and libraries."""
    return [line for line in text.splitlines() if line.startswith(speaker)]
