"""What programs read of a program over libraries: JSON and rows, and what was left out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.programs import (
    BARRIERS,
    LINE,
    model,
    program,
    without_conditions,
)

from leadline.models.calls import Calls, CallSize, ProgramCall
from leadline.models.model import NotFitted
from leadline.models.program import Programs, programs, trade_off
from leadline.report.formats.csv_text import csv_text
from leadline.report.formats.json_text import document_text
from leadline.report.programs.predicted import ProgramRow, program_content, program_records
from leadline.report.text.program import program_sentences


def test_json_has_all_rows_and_what_follows_from_them() -> None:
    found = program(work_s=0.1, ranks=range(2, 1025))
    (over,) = json.loads(document_text(program_content(Programs((found,)))))["programs"]
    assert [row["ranks"] for row in over["rows"]] == list(range(2, 1025))
    assert over["best"] == {"ranks": 69, "low": 26, "high": 451}
    assert over["half"] == {"ranks": 23, "low": 21, "high": 25}
    assert over["sentences"] == program_sentences(found)
    row = over["rows"][0]
    assert tuple(row) == tuple(ProgramRow.__annotations__)
    assert row["seconds"] == pytest.approx(0.051)
    assert row["low"] < row["seconds"] < row["high"]


def test_json_has_null_where_there_is_nothing() -> None:
    found = trade_off([model(scatter=None)], 0.0, 0.0, BARRIERS, [2])
    (over,) = json.loads(document_text(program_content(Programs((found,)))))["programs"]
    (row,) = over["rows"]
    assert (row["low"], row["high"], row["communicate_low_s"], row["speed_up"]) == (None,) * 4
    assert over["best"] == {"ranks": 2, "low": None, "high": None}


def test_csv_has_a_row_for_each_variant_and_number_of_ranks() -> None:
    records = program_records(Programs((program(), replace(program(), variant="shm"))))
    assert [row[0] for row in records.rows] == ["mpich"] * 3 + ["shm"] * 3
    assert records.columns[:3] == ("variant", "origin", "ranks")
    assert records.comments[0] == f"mpich: {program_sentences(program())[0]}"
    assert "mpich,measured,2,0.5," in csv_text(records)


def test_numbers_between_powers_of_two_alone_are_extrapolated(
    snapshot: SnapshotAssertion,
) -> None:
    powers = model("gather", LINE, (1e-6, 1e-9), ranks=(2, 4, 8))
    calls = Calls((ProgramCall("gather", CallSize(8)),))
    found = trade_off([powers], 1.0, 0.0, calls, [2, 4, 6, 8])
    assert [row.ranks for row in found.rows if row.extrapolated] == [6]
    assert program_sentences(found)[-1] == snapshot


# -- several variants ------------------------------------------------------------------------------


def test_variant_that_is_left_out_is_in_every_form_with_the_reason() -> None:
    reason = "there is no model of it, but of scan"
    left_out = [NotFitted(variant, "barrier", reason) for variant in ("torus", "mesh")]
    found, note = Programs((program(),), tuple(left_out)), f"torus and mesh, barrier: {reason}"
    *_, section = without_conditions(found)
    assert (section.heading, section.notes) == ("left out", (note,))
    assert json.loads(document_text(program_content(found)))["left_out"] == [
        {"variant": variant, "pattern": "barrier", "reason": reason}
        for variant in ("torus", "mesh")
    ]
    assert f"left out: {note}" in program_records(found).comments


def test_program_without_calls_is_shown_once_and_is_nobodys(snapshot: SnapshotAssertion) -> None:
    variants = [[model()], [replace(model(), variant="shm")]]
    found = programs(variants, 10.0, 0.1, Calls(), [2, 4])
    (section,) = without_conditions(found)
    assert section.heading == snapshot
    (over,) = json.loads(document_text(program_content(found)))["programs"]
    assert (over["variant"], over["origin"]) == (None, None)
    assert program_records(found).comments[0] == program_sentences(found.found[0])[0]
