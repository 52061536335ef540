"""Runs as one HTML file that needs nothing else: no network, no server, no other file.

Text is written here, so that it is there without scripts; the scripts draw charts, sort and
filter; what only they read is compressed. A content security policy lets nothing else run and
nothing be fetched.
"""

from __future__ import annotations

from collections.abc import Iterator

from leadline.backends.kinds import is_raw
from leadline.compare.origins import competes, labelled
from leadline.compare.sides import run_names
from leadline.record.run import Configuration, Run
from leadline.report.page.charts import charts, sections_of
from leadline.report.page.columns import packed
from leadline.report.page.facts import provenance, warnings
from leadline.report.page.findings import findings
from leadline.report.page.forms import closed_forms
from leadline.report.page.heat import heat_map
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.offline import offline_file
from leadline.report.page.reported import Reported
from leadline.report.page.tables import tables
from leadline.report.text.measured import variants
from leadline.report.text.phrases import listed

SCRIPTS = (
    "dom.js", "address.js", "files.js", "axes.js", "limits.js", "chart.js", "zoom.js", "lines.js",
    "dots.js", "tables.js", "data.js", "frame.js", "curves.js", "page.js",
)  # fmt: skip
"""In the order in which they need each other."""

__all__ = ["Reported", "page"]


def page(reported: Reported) -> str:
    """The whole file."""
    document, models = charts(reported), closed_forms(reported)
    return offline_file(
        "page.html",
        SCRIPTS,
        title=element("title", _title(reported)).html,
        masthead=_masthead(reported).html,
        findings=findings(reported).html,
        times=heat_map(reported).html,
        tables=tables(reported).html,
        warnings=warnings(reported).html,
        provenance=provenance(reported).html,
        charts=packed(document),
        models=models.html,
        unfitted="" if models.html else " hidden",
        unmeasured=_unmeasured(reported),
        sections=" ".join(sections_of(document)),
    )


def _unmeasured(reported: Reported) -> str:
    """How to read what wasn't measured, where there is any."""
    if all(competes(one) for run in reported.runs for one in run.configurations):
        return ""
    return (
        " Hollow points on broken lines weren't measured: the name says where they come from, and "
        "a band is what came with the values."
    )


def _title(reported: Reported) -> str:
    first = reported.runs[0]
    names = dict.fromkeys(
        labelled(one.variant, one.origin) for run in reported.runs for one in run.configurations
    )
    where = first.machine.host
    return " · ".join(filter(None, ["Leadline", ", ".join(names), where]))


def _masthead(reported: Reported) -> Markup:
    configurations = [one for run in reported.runs for one in run.configurations]
    first, *others = run_names(reported.runs)
    compared = f"{listed(others)} against {first}: " if others else ""
    return joined(
        [
            element("h1", compared + variants(configurations, _versioned)),
            *(element("p", " · ".join(_circumstances(run))) for run in reported.runs),
        ]
    )


def _versioned(one: Configuration) -> str:
    """E.g. "mpich 5.0.2", "torus (simulated)"; a raw transport has no version to speak of."""
    known = not is_raw(one.backend) and one.version != "unknown"
    return labelled(" ".join(filter(None, [one.variant, one.version * known])), one.origin)


def _circumstances(run: Run) -> Iterator[str]:
    """Run, time and machine, as far as they are known."""
    machine = run.machine
    yield run.path
    started = run.provenance.started or ""
    yield from filter(None, [started[:16].replace("T", " "), machine.host])
    if machine.cpu:
        yield f"{machine.cpu}, {len(machine.allowed_cpus or ())} cores"
    if not run.complete:
        yield "interrupted"
