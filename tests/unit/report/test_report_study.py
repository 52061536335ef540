from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.study_results import j90_times, noisy, results
from tests.support.texts import section

from leadline.papers.cray_mpt.stages import BARRIER, LATENCY, PINGPONG, TASKS
from leadline.papers.cray_mpt.study import CLAIMS, STUDY
from leadline.papers.cray_mpt.tables import tables
from leadline.papers.estimates import Quantity
from leadline.papers.findings import Evidence, Outcome, answered
from leadline.papers.layout import Column, StudyTable, TableEntry, TableRow, measured, published
from leadline.papers.results import Measurand
from leadline.papers.study import Studied
from leadline.papers.units import Unit
from leadline.record.warnings import RunWarning
from leadline.report.formats.csv_text import csv_text
from leadline.report.formats.json_text import document_text
from leadline.report.formats.markdown import markdown_lines
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.study import study_content, study_records
from leadline.report.text.study import evidence_text, study_document
from leadline.statistics.estimate import Estimate

Golden = Callable[[str, str], None]
MISSING_PVM = "PVM: not installed; apt-get install pvm pvm-dev"


def studied() -> Studied:
    """A J90 of 4 CPUs without PVM, whose barrier of 16 PEs wasn't measured; and a restless shm."""
    times = {place: time for place, time in j90_times().items() if place.variant != "pvm"}
    del times[Measurand(TASKS, "shmem", 16, BARRIER)]
    restless = [1e-7 * block for block in range(1, 9)]
    found = results(
        {**noisy(times), Measurand(LATENCY, "shm", 2, PINGPONG): restless},
        missing={"pvm": MISSING_PVM},
    )
    return Studied(
        study=STUDY,
        directories=("cray/latency", "cray/tasks"),
        tables=tuple(tables(found)),
        findings=answered(CLAIMS, found),
        warnings=(
            RunWarning("load", "the load is 3 on 4 cores", "measure when nothing else runs"),
        ),
    )


def test_text_has_the_papers_layout(golden: Golden) -> None:
    lines = [line.text for line in text_lines(study_document(studied()), 100)]
    assert max(map(len, lines)) <= 100
    golden("study.text", "\n".join(lines) + "\n")


def figures_printed(*entries: TableEntry) -> str:
    rows = tuple(TableRow(("here",), (entry,)) for entry in entries)
    table = StudyTable(1, "t", ("machine",), (Column("time", Unit.SECONDS),), rows, ())
    one = replace(studied(), tables=(table,), findings=())
    return "\n".join(line.text for line in text_lines(study_document(one), 100))


@pytest.mark.parametrize("blocks", [1, 5, 6])
def test_figure_of_too_few_blocks_for_an_interval_says_so(
    blocks: int, snapshot: SnapshotAssertion
) -> None:
    seconds = np.array([1.0, 1.1, 1.2, 1.3, 1.4, 1.5])[:blocks]
    printed = figures_printed(measured(lambda: Quantity("run", np.log(seconds))))
    assert ("†" in printed) is (blocks < 6)
    assert section(printed, "Table 1.") == snapshot


def test_figure_that_was_stated_or_printed_has_no_mark() -> None:
    assert "†" not in figures_printed(TableEntry(Estimate(3.0)), *published(2.0), TableEntry(None))


def test_markdown_has_the_same_tables(golden: Golden) -> None:
    golden("study.markdown", "\n".join(markdown_lines(study_document(studied()))) + "\n")


def test_json_has_figures_and_answers() -> None:
    printed = document_text(study_content(studied()))
    json_schema.check("study", printed)
    report = json.loads(printed)
    assert (report["study"], report["question"]) == (STUDY.name, STUDY.question)
    assert report["machines"] == {"CRAY T3D": 128, "CRAY J90": 32}
    latency = next(f for f in report["figures"] if f["row"] == "here, shmem")
    assert (latency["quantity"], latency["unit"]) == ("Latency", "s")
    assert latency["low"] < latency["value"] < latency["high"]
    assert latency["value"] == pytest.approx(15e-6, rel=0.01)
    (missing,) = {f["why"] for f in report["figures"] if f["row"] == "here, pvm"}
    assert missing == MISSING_PVM
    told, untold = report["findings"][4], report["findings"][0]
    assert (told["answer"], told["needs"]) == (Outcome.HOLDS, None)
    assert told["evidence"][0]["unit"] == "times"
    assert (untold["answer"], untold["needs"]) == (Outcome.OPEN, missing)


def test_csv_has_every_figure_once() -> None:
    printed = document_text(study_content(studied()))
    json_schema.check("study", printed)
    report = json.loads(printed)
    rows = list(csv.DictReader(csv_text(study_records(studied())).splitlines()))
    assert [row["quantity"] for row in rows] == [f["quantity"] for f in report["figures"]]
    values = [f["value"] for f in report["figures"]]
    assert [float(row["value"]) if row["value"] else None for row in rows] == values


def test_evidence_is_a_sentence_with_its_figure(snapshot: SnapshotAssertion) -> None:
    found = [
        (Estimate(2.04, 1.96, 2.12), Unit.FACTOR),
        (Estimate(0.0034, 0.0032, 0.0036), Unit.FACTOR),
        (Estimate(2.04), Unit.FACTOR),
        (Estimate(1.5e-6, 1.4e-6, 1.6e-6), Unit.SECONDS),
        (Estimate(10500), Unit.BYTES),
        (Estimate(7e8), Unit.BYTES_PER_SECOND),
        (Estimate(7e8), Unit.MEGABITS_PER_SECOND),
        (Estimate(0.934, 0.93, 0.94), Unit.PERCENT),
        (Estimate(2.5), Unit.HOPS),
        (Estimate(7e-6), Unit.MICROSECONDS),
    ]
    assert [evidence_text(Evidence("it is {}", *one)) for one in found] == snapshot
