"""What tests read out of a text, so that they hold however it is worded."""

from __future__ import annotations

import re

NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")

PROGRESS = re.compile(r"\b\d{2,}(?= batches)")


def numbers(text: str) -> list[str]:
    """The numbers that `text` states, as it writes them and in its order; units stand apart."""
    return NUMBER.findall(text)


def without_progress(text: str) -> str:
    """What is said of ranks that hang, but for how many batches the others had done by then."""
    return PROGRESS.sub("N", text)
