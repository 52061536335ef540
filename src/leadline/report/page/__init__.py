"""Runs as one HTML file that needs no network, server or other file.

Text is written here, so that it can be read without scripts. The scripts draw charts, sort and
filter; what only they read is compressed. A content security policy lets nothing else run, and
nothing be fetched.

The charts are drawn by a script of our own (`assets`, some 1,000 lines without dependencies):
plotly's smallest bundle is a megabyte and isn't on PyPI by itself, and smaller libraries draw on a
canvas, which neither prints sharply nor can be read by keyboard. The script never parses HTML. The
numbers of the charts, which only it reads, are columns of JSON in gzip and base64.
"""

from __future__ import annotations

from leadline.backends.kinds import is_raw
from leadline.compare.origins import competes, labelled
from leadline.compare.sides import run_names
from leadline.record.run import Configuration
from leadline.report.page.charts import charts, sections_of
from leadline.report.page.columns import packed
from leadline.report.page.facts import provenance, warnings
from leadline.report.page.findings import closed_forms, findings
from leadline.report.page.markup import Markup, element, joined, offline_file
from leadline.report.page.matrix import heat_map
from leadline.report.page.reported import Reported
from leadline.report.page.tables import tables
from leadline.report.text.catalogue import PageWords
from leadline.report.text.measured import variants
from leadline.report.text.phrases import listed

SCRIPTS = (
    "dom.js", "address.js", "files.js", "axes.js", "limits.js", "chart.js", "zoom.js", "lines.js",
    "dots.js", "tables.js", "data.js", "frame.js", "curves.js", "page.js",
)  # fmt: skip
"""The page's scripts, in the order in which they need each other."""

__all__ = ["Reported", "page"]


def page(reported: Reported) -> str:
    """The whole HTML file."""
    document, models = charts(reported), closed_forms(reported)
    configurations = [
        configuration for run in reported.runs for configuration in run.configurations
    ]
    names = dict.fromkeys(
        labelled(configuration.variant, configuration.origin) for configuration in configurations
    )
    title = " · ".join(filter(None, ["Leadline", ", ".join(names), reported.runs[0].machine.host]))
    unmeasured = ""
    if not all(map(competes, configurations)):
        unmeasured = f" {PageWords.HOLLOW()}"
    return offline_file(
        "page.html",
        SCRIPTS,
        title=element("title", title).html,
        masthead=_masthead(reported).html,
        findings=findings(reported).html,
        times=heat_map(reported).html,
        tables=tables(reported).html,
        warnings=warnings(reported).html,
        provenance=provenance(reported).html,
        charts=packed(document),
        models=models.html,
        unfitted="" if models.html else " hidden",
        unmeasured=unmeasured,
        sections=" ".join(sections_of(document)),
    )


def _masthead(reported: Reported) -> Markup:
    """What was measured, or compared, and each run with its time and machine as far as known."""

    def versioned(configuration: Configuration) -> str:
        """E.g. "mpich 5.0.2", "torus (simulated)"; a raw transport has no version to mention."""
        known = not is_raw(configuration.backend) and configuration.version != "unknown"
        return labelled(
            " ".join(filter(None, [configuration.variant, configuration.version * known])),
            configuration.origin,
        )

    configurations = [
        configuration for run in reported.runs for configuration in run.configurations
    ]
    first, *others = run_names(reported.runs)
    compared = f"{listed(others)} against {first}: " if others else ""
    parts = [element("h1", compared + variants(configurations, versioned))]
    for run in reported.runs:
        machine, started = run.machine, run.provenance.started or ""
        words = [run.path, *filter(None, [started[:16].replace("T", " "), machine.host])]
        if machine.cpu:
            words.append(f"{machine.cpu}, {len(machine.allowed_cpus or ())} cores")
        if not run.complete:
            words.append("interrupted")
        parts.append(element("p", " · ".join(words)))
    return joined(parts)
