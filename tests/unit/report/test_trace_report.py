"""What `leadline trace` says of traces, in every form."""

from __future__ import annotations

import csv
import json

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema

from leadline.measure.tracing import TracedCell, Traces
from leadline.record.warnings import WarningKind, warning_of
from leadline.report.formats.csv_text import csv_text
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.trace import traces_content, traces_records
from leadline.report.text.trace import title_of, traces_document
from leadline.topology.phases import parse_calls, trace_of

REDUCE, BCAST = "reduce: binomial", "bcast: binomial"
LOGS = (
    f"receive\t1\t1024\t9\t0\t{REDUCE}\nwork\t-1\t3072\t128\t1\t{REDUCE}\n"
    f"send\t1\t1024\t9\t1\t{BCAST}",
    f"send\t0\t1024\t9\t0\t{REDUCE}\nreceive\t0\t1024\t9\t1\t{BCAST}",
)
ALLREDUCE = TracedCell(
    "allreduce", 1024, 2, "reduce and bcast", 1, trace_of([parse_calls(log) for log in LOGS])
)
PACK = TracedCell("pack", 8, 2, "native", 3, trace_of([(), ()]))
SILENT = warning_of(WarningKind.NO_MESSAGES, cells=("pack of 2 ranks",))
FOUND = Traces((ALLREDUCE, PACK), (SILENT,))


def text(found: Traces) -> str:
    return "\n".join(line.text for line in text_lines(traces_document(found), 100))


def test_text_has_a_row_a_phase_and_one_of_all(snapshot: SnapshotAssertion) -> None:
    assert text(Traces((ALLREDUCE,), ())).splitlines() == snapshot


def test_phases_that_are_alike_share_a_row() -> None:
    logs = ["".join(f"send\t{1 - rank}\t8\t0\t{n}\t\n" for n in range(4)) for rank in (0, 1)]
    some = TracedCell("ring", 8, 2, "send", 1, trace_of([parse_calls(log) for log in logs]))
    assert [line.split("  ")[1:3] for line in text(Traces((some,), ())).splitlines()[3:]] == [
        ["0 to 3, each", "2"], ["all", ""],
    ]  # fmt: skip


def test_pattern_without_messages_says_so(snapshot: SnapshotAssertion) -> None:
    section, *_ = traces_document(Traces((PACK,), (SILENT,)))
    assert section.table is None
    assert (section.heading, *section.notes) == snapshot
    assert f"{SILENT.code}: {SILENT.cause}\n" in text(Traces((PACK,), (SILENT,)))


def test_busiest_ranks_are_counted_where_there_are_several(snapshot: SnapshotAssertion) -> None:
    logs = ["send\t3\t8\t0\t0\t", "send\t3\t8\t0\t0\t", "send\t3\t0\t0\t0\t", ""]
    some = TracedCell("gather", 8, 4, "linear", 1, trace_of([parse_calls(log) for log in logs]))
    assert text(Traces((some,), ())).splitlines()[3] == snapshot


def test_title_leaves_out_a_size_that_isnt_there(snapshot: SnapshotAssertion) -> None:
    barrier = TracedCell("barrier", 0, 4, "dissemination", 1, trace_of([()]))
    assert title_of(barrier) == snapshot


def test_json_has_phases_as_lists_of_source_destination_and_bytes() -> None:
    printed = document_text(traces_content(FOUND))
    json_schema.check("trace", printed)
    first, second = json.loads(printed)["traces"]
    assert first["phases"] == [[[1, 0, 1024]], [[0, 1, 1024]]]
    assert first["work"] == [{"rank": 0, "phase": 1, "flop": 128, "size_bytes": 3072}]
    assert (first["operations"], first["messages"]) == ([REDUCE, BCAST], 2)
    assert (second["messages"], second["phases"]) == (0, [])


def test_csv_has_a_row_a_message_and_warnings_as_comments() -> None:
    *lines, comment = csv_text(traces_records(FOUND)).splitlines()
    rows = list(csv.DictReader(lines))
    assert [(row["phase"], row["source"], row["destination"]) for row in rows] == [
        ("0", "1", "0"), ("1", "0", "1"),
    ]  # fmt: skip
    assert rows[0]["message_bytes"] == "1024"
    assert (rows[0]["kind"], rows[0]["tag"], rows[0]["operation"]) == ("send", "9", REDUCE)
    assert comment.startswith(f"# warning: {SILENT.code}: {SILENT.cause}")


@pytest.mark.parametrize("label", ["pack", "allreduce"])
def test_every_trace_has_a_section(label: str) -> None:
    assert label in [section.heading.split(" ")[0] for section in traces_document(FOUND)]
