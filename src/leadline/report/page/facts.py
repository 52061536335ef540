"""What numbers depend on: warnings with remedies, failures, machine and settings."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from leadline.record.machine import UNKNOWN_HOST
from leadline.record.run import Configuration, Run
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.reported import Reported
from leadline.report.page.tables import cell_rows, plain_titles, scrolling, table_of
from leadline.report.text.catalogue import PageWords
from leadline.report.text.mapping import placement_words
from leadline.report.text.notes import failure_text
from leadline.report.text.phrases import plural


def warnings(reported: Reported) -> Markup:
    """Failures first, then each warning with its remedy."""
    runs = reported.runs
    failures = [
        failure_text(run, failure, len(runs) > 1) for run in runs for failure in run.failures
    ]
    parts: list[Markup] = []
    if failures:
        lines = [element("li", failure) for failure in failures]
        parts += [element("h3", "Failures"), element("ul", *lines, class_="failures")]
    if reported.warnings:
        notes = [
            joined([element("dt", c.code), element("dd", c.cause, element("p", c.remedy))])
            for c in reported.warnings
        ]
        parts += [element("h3", "Warnings"), element("dl", *notes, class_="warnings")]
    return joined(parts or [element("p", PageWords.NO_WARNINGS())])


def provenance(reported: Reported) -> Markup:
    """For each run its machine, configurations, and how it was measured."""
    return joined([_run(run) for run in reported.runs])


def _run(run: Run) -> Markup:
    provenance = run.provenance
    brief = replace(
        provenance,
        machine=UNKNOWN_HOST,
        background_load=None,
        options={},
        command=(),
        inherited=None,
        libraries={},
    )
    command = {"command": shlex.join(provenance.command)} if provenance.command else {}
    machine: dict[str, str | None] = {}
    if provenance.machine != UNKNOWN_HOST:
        for name, value in provenance.machine.as_json().items():
            key = name.removesuffix("_bytes").removesuffix("_ns")
            machine[key] = value and provenance.machine.shown(name)
    if provenance.background_load:
        machine["background_load"] = provenance.background_load
    groups = {
        "Run": {"run": run.path, **command, "complete": run.complete, **brief.as_json()},
        "Machine": machine,
        "Options": provenance.options,
    }
    parts = [element("h3", run.path), _configurations(run.configurations)]
    for title, facts in groups.items():
        if facts:
            words = [(key.replace("_", " "), shown(value)) for key, value in facts.items()]
            parts.append(_folded(title, _definitions(words)))
    if (inherited := provenance.inherited) is not None:
        variables = _definitions(inherited.items()) if inherited else element("p", "none")
        parts.append(_folded(PageWords.INHERITED(), variables))
    for variant, text in provenance.libraries.items():
        built = PageWords.BUILT(variant=variant)
        parts.append(_folded(built, element("pre", text), class_="long"))
    return element("section", *parts, class_="run")


def _folded(title: str, content: Markup, class_: str | None = None) -> Markup:
    return element("details", element("summary", title), content, class_=class_)


def _definitions(words: Iterable[tuple[str, str]]) -> Markup:
    rows = [joined([element("dt", name), element("dd", text)]) for name, text in words]
    return element("dl", *rows, class_="facts")


def shown(value: Any) -> str:
    """A value of the metadata in words, without the empty parts of what is nested.

    E.g. "blocks 6, slice s 0.003, launches (2: 2), together yes".
    """
    if value is None or value in ("", [], {}, ()):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        parts = []
        for key, one in value.items():
            name, words = str(key).replace("_", " "), shown(one)
            if words == "-":
                continue
            if isinstance(one, Mapping) or (isinstance(one, (list, tuple)) and len(one) > 1):
                parts.append(f"{name} ({words})")
            else:  # a number as a key is a name, not a word
                parts.append(f"{name}{':' * name.isdigit()} {words}")
        return ", ".join(parts) or "-"
    if isinstance(value, (list, tuple)):
        nested = any(isinstance(one, (Mapping, list, tuple)) for one in value)
        return ("; " if nested else ", ").join(map(shown, value))
    return str(value)


def _configurations(configurations: Sequence[Configuration]) -> Markup:
    """A table of variants with the transport, ranks, cores and settings that each had."""
    columns = ("variant", "origin", "version", "transport", "ranks", "cores", "settings")
    rows = []
    for configuration in configurations:
        settings = [f"{key}={value}" for key, value in configuration.environment.items()]
        placements = ["; ".join(map(placement_words, configuration.placement))] * bool(
            configuration.placement
        )
        words = (
            configuration.variant,
            configuration.origin,
            configuration.version or "-",
            configuration.transport,
            f"{configuration.ranks}{', oversubscribed' if configuration.oversubscribed else ''}",
            ", ".join(map(str, configuration.binding)) or "unbound",
            " ".join([*settings, *configuration.arguments, *placements]) or "-",
        )
        rows.append(words)
    table = table_of(plain_titles(columns), cell_rows(rows))
    return scrolling(table, plural(len(configurations), "configuration"))
