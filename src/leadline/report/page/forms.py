"""The closed forms of runs, as tables and sentences."""

from __future__ import annotations

from dataclasses import replace

from leadline.compare.sides import run_names
from leadline.report.document import Section
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.matrix import small_table
from leadline.report.page.reported import Reported
from leadline.report.text.fitted import form_sections


def closed_forms(reported: Reported) -> Markup:
    """What was fitted to each run that has anything fitted."""
    several = len(reported.measured) > 1
    parts: list[Markup] = []
    for name, one in zip(run_names(reported.runs), reported.measured, strict=True):
        found = [_section(section) for section in form_sections(one.forms)]
        parts += [element("h3", name)] * (several and bool(found))
        parts += found
    return joined(parts)


def _section(section: Section) -> Markup:
    """Its sentences are folded away below the table that has their numbers."""
    sentences = [element("p", note, class_="basis") for note in section.notes]
    if section.table is None:
        return joined(sentences)
    folded = element("details", element("summary", "In sentences"), *sentences)
    return joined([small_table(replace(section, notes=())), folded])
