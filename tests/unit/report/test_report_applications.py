"""How the study of applications is printed."""

from __future__ import annotations

import json
from collections.abc import Callable

from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.ran_programs import CORES, times
from tests.support.study_results import noisy, results

from leadline.papers.applications.stages import CROWDED, LIMIT
from leadline.papers.applications.study import STUDY
from leadline.papers.findings import answered
from leadline.papers.results import Measurand
from leadline.papers.study import Studied
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.study import study_content
from leadline.report.text.study import study_document

Golden = Callable[[str, str], None]
KEYS = [
    "name", "class", "variant", "ranks", "seconds", "low", "high", "mop_per_s", "verified", "norm",
    "relative_error", "communication_share", "predicted_s", "predicted_low", "predicted_high",
]  # fmt: skip


def studied() -> Studied:
    mine = noisy(times())
    mine |= {Measurand(CROWDED, variant, 4, "mg:S"): 1e-3 for variant in ("openmpi", LIMIT)}
    found = results(mine, {"pvm": "PVM: no pvmd; apt-get install pvm"}, CORES)
    assert STUDY.programs
    return Studied(
        STUDY,
        ("runs/programs", "runs/alone", "runs/crowded"),
        tuple(STUDY.tables(found)),
        answered(STUDY.claims, found),
        (),
        programs=tuple(STUDY.programs(found)),
    )


def test_text_says_who_is_faster_why_and_whether_a_model_told(golden: Golden) -> None:
    lines = [line.text for line in text_lines(study_document(studied()), 100)]
    assert max(map(len, lines)) <= 100
    golden("study_applications.text", "\n".join(lines) + "\n")


def test_quantities_are_called_as_columns_are(snapshot: SnapshotAssertion) -> None:
    """On one line, whatever a column's title is divided into."""
    found = {row["quantity"] for row in study_content(studied())["figures"]}
    assert sorted(found) == snapshot
    assert not any("," in name or "\n" in name for name in found)


def test_json_has_a_row_for_each_program_library_and_number_of_ranks() -> None:
    printed = document_text(study_content(studied()))
    json_schema.check("study", printed)
    rows = json.loads(printed)["applications"]
    assert list(rows[0]) == KEYS
    seen = {(row["name"], row["class"], row["variant"], row["ranks"]): row for row in rows}
    assert len(seen) == len(rows) == 3 * 4 + 2 + 2
    assert seen["mg", "S", "openmpi", 2]["predicted_s"] > seen["mg", "S", LIMIT, 2]["predicted_s"]
    assert seen["mg", "S", "openmpi", 4]["predicted_s"] is None
    assert all(row["verified"] and row["mop_per_s"] > 0 for row in rows)
