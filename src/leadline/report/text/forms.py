"""The closed forms that a report on a run shows unasked, and how to get those that it doesn't."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.models.overview import Overview
from leadline.report.document import Section
from leadline.report.text.fitted import fitted_sections


def form_sections(forms: Overview) -> Iterator[Section]:
    """Tables and sentences; nothing of what was refused."""
    yield from fitted_sections(forms.models)
    if forms.left_out:
        pairs = f"{forms.left_out:,} {'more ' * bool(forms.found)}pairs of pattern and variant"
        note = f"{pairs} aren't fitted here: `leadline fit RUN` fits all, --pattern P some of them."
        yield Section("closed forms", notes=(note,))
