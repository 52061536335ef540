"""What belongs to the numbers: warnings with their remedies, failures, machine and settings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from leadline.record.machine import UNKNOWN_HOST, HostFacts
from leadline.record.provenance import Provenance
from leadline.record.run import Configuration, Run
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.matrix import scrolling
from leadline.report.page.reported import Reported
from leadline.report.text.mapping import placement_words
from leadline.report.text.notes import failure_text
from leadline.report.text.phrases import plural


def warnings(reported: Reported) -> Markup:
    """Failures first, then each warning with what to do about it."""
    runs = reported.runs
    failures = [failure_text(run, one, len(runs) > 1) for run in runs for one in run.failures]
    parts: list[Markup] = []
    if failures:
        parts += [element("h3", "Failures"), _list(failures)]
    if reported.caveats:
        notes = [
            joined([element("dt", c.code), element("dd", c.cause, element("p", c.remedy))])
            for c in reported.caveats
        ]
        parts += [element("h3", "Warnings"), element("dl", *notes, class_="warnings")]
    return joined(parts or [element("p", "Nothing failed, and there is nothing to warn of.")])


def _list(lines: Sequence[str]) -> Markup:
    return element("ul", *(element("li", line) for line in lines), class_="failures")


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
    groups = {
        "Run": {"run": run.path, **command, "complete": run.complete, **brief.as_json()},
        "Machine": _machine(provenance.machine) | _load(provenance),
        "Options": provenance.options,
    }
    return element(
        "section",
        element("h3", run.path),
        _configurations(run.configurations),
        *(_group(title, found) for title, found in groups.items() if found),
        _inherited(provenance.inherited),
        *(_built(variant, text) for variant, text in provenance.libraries.items()),
        class_="run",
    )


def _inherited(variables: Mapping[str, str] | None) -> Markup:
    """The variables, under the names that they have; nothing where they weren't recorded."""
    if variables is None:
        return joined([])
    rows = [joined([element("dt", name), element("dd", text)]) for name, text in variables.items()]
    found = element("dl", *rows, class_="facts") if rows else element("p", "none")
    return element("details", element("summary", "Variables that ranks inherited"), found)


def _built(variant: str, text: str) -> Markup:
    """What the library of a variant says of itself."""
    summary = element("summary", f"How the library of {variant} was built")
    return element("details", summary, element("pre", text), class_="long")


def _load(provenance: Provenance) -> dict[str, str | None]:
    load = provenance.background_load
    return {"background_load": load} if load else {}


def _machine(machine: HostFacts) -> dict[str, str | None]:
    """The facts of a host in words; nothing where none is known."""
    if machine == UNKNOWN_HOST:
        return {}
    return {
        name.removesuffix("_bytes").removesuffix("_ns"): value and machine.shown(name)
        for name, value in machine.as_json().items()
    }


def _group(title: str, found: Mapping[str, Any]) -> Markup:
    rows = [
        joined([element("dt", key.replace("_", " ")), element("dd", shown(value))])
        for key, value in found.items()
    ]
    return element("details", element("summary", title), element("dl", *rows, class_="facts"))


def shown(value: Any) -> str:
    """A value of the metadata in words: of what is nested its parts, those that say something.

    E.g. "blocks 6, slice s 0.003, launches (2: 2), together yes".
    """
    if value is None or value in ("", [], {}, ()):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(_part(key, one) for key, one in value.items() if shown(one) != "-") or "-"
    if isinstance(value, (list, tuple)):
        nested = any(isinstance(one, (Mapping, list, tuple)) for one in value)
        return ("; " if nested else ", ").join(map(shown, value))
    return str(value)


def _part(key: str, value: Any) -> str:
    """A key with its value; a number as a key is a name, not a word."""
    name = str(key).replace("_", " ")
    if isinstance(value, Mapping) or (isinstance(value, (list, tuple)) and len(value) > 1):
        return f"{name} ({shown(value)})"
    return f"{name}{':' * name.isdigit()} {shown(value)}"


def _configurations(configurations: Sequence[Configuration]) -> Markup:
    columns = ("variant", "origin", "version", "transport", "ranks", "cores", "settings")
    head = [element("th", name, scope="col") for name in columns]
    body = [element("tr", *(element("td", text) for text in _words(one))) for one in configurations]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    return scrolling(table, plural(len(configurations), "configuration"))


def _words(one: Configuration) -> Iterator[str]:
    settings = [f"{key}={value}" for key, value in one.environment.items()]
    placements = ["; ".join(map(placement_words, one.placement))] * bool(one.placement)
    yield one.variant
    yield one.origin
    yield one.version or "-"
    yield one.transport
    yield f"{one.ranks}{', oversubscribed' if one.oversubscribed else ''}"
    yield ", ".join(map(str, one.binding)) or "unbound"
    yield " ".join([*settings, *one.arguments, *placements]) or "-"
