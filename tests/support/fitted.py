"""What is fitted of models made by hand, and what is said of it."""

from __future__ import annotations

from harness.models import EVERY, REFUSED
from harness.synthetic import Campaign, pingpong

from leadline.report.formats.plain_text import text_lines
from leadline.report.text.fitted import Fitted, fitted_document

RUN = Campaign(["mpich"], (pingpong(8),)).run()
FITTED = Fitted(RUN, EVERY, (REFUSED,))


def printed(fitted: Fitted) -> str:
    """The report as plain text."""
    return "\n".join(line.text for line in text_lines(fitted_document(fitted), 120))
