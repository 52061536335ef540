"""`leadline predict`: operations and programs by a model file, and what is refused."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.models import EVERY, REFUSED, barrier, bcast, piece
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.texts import line_with

from leadline.cli import main
from leadline.models.model import RankSet
from leadline.models.prediction import predict
from leadline.record.warnings import WarningKind, warning_of
from leadline.report.formats.json_text import document_text, json_text
from leadline.report.programs.fitted import fitted_content
from leadline.report.text.fitted import Fitted

RUN = Campaign(["mpich"], (pingpong(8),)).run()
TEXT = document_text(fitted_content(Fitted(RUN, EVERY, (REFUSED,))))
CALLS = """
steps = 1000
[[call]]
pattern = "bcast"
size = "8KiB"
count = 2
"""
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """Status, stdout and stderr of `leadline predict WORDS` beside a model file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("m.json").write_text(TEXT)
    Path("calls.toml").write_text(CALLS)

    def say(*words: str) -> tuple[int, str, str]:
        status = main(["predict", *words])
        return status, *capsys.readouterr()

    return say


# -- operations ------------------------------------------------------------------------------------


def test_prediction_is_the_models_with_its_interval(ran: Said) -> None:
    words = ("m.json", "--pattern", "bcast", "--ranks", "64", "--size", "64KiB", "--json")
    status, out, err = ran(*words)
    assert (status, err) == (0, "")
    json_schema.check("predict", out)
    (row,) = json.loads(out)["predictions"]
    expected = predict(bcast(), 64, 65536)
    assert [row["seconds"], row["low"], row["high"]] == pytest.approx(
        [float(expected.seconds), float(expected.low), float(expected.high)]
    )
    assert (row["variant"], row["ranks"], row["size_bytes"]) == ("mpich", 64, 65536)
    assert row["extrapolated"] is False


def test_lists_and_ranges_give_every_pair(ran: Said) -> None:
    words = ("--pattern", "bcast", "--ranks", "2..4,8", "--size", "8,1KiB", "--csv")
    rows = list(csv.DictReader(ran("m.json", *words)[1].splitlines()))
    pairs = [(int(row["ranks"]), int(row["size_bytes"])) for row in rows]
    assert pairs == [(p, size) for p in (2, 3, 4, 8) for size in (8, 1024)]


def test_extrapolation_is_marked_and_warned_of_in_every_form(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    words = ("m.json", "--pattern", "bcast", "--ranks", "64,128", "--size", "8")
    content = json.loads(ran(*words, "--json")[1])
    assert [one["extrapolated"] for one in content["predictions"]] == [False, True]
    (warned,) = content["warnings"]
    assert [warned, line_with(ran(*words)[1], "*:")] == snapshot
    for form in (("--json",), ("--csv",), ("--markdown",), ()):
        out = " ".join(ran(*words, *form)[1].replace("\\", "").split())
        assert warned["cause"] in out


def test_variants_are_beside_each_other_and_one_without_intervals_says_so(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    words = ("m.json", "--pattern", "pingpong", "--ranks", "2", "--size", "8")
    assert ran(*words)[1] == snapshot
    rows = json.loads(ran(*words, "--json")[1])["predictions"]
    assert [(one["variant"], one["low"] is None) for one in rows] == [
        ("mpich", False), ("torus", True),
    ]  # fmt: skip
    (one,) = json.loads(ran(*words, "--variant", "torus", "--json")[1])["predictions"]
    assert one["variant"] == "torus"


def test_pattern_without_a_size_needs_none(ran: Said) -> None:
    status, out, _ = ran("m.json", "--pattern", "barrier", "--ranks", "8")
    assert status == 0
    assert "size" not in out.splitlines()[1]


def test_numbers_of_ranks_that_nothing_is_said_of_are_listed(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    words = ("m.json", "--variant", "mpich", "--pattern", "pingpong", "--size", "8", "--json")
    status, out, _ = ran(*words, "--ranks", "2,4,8")
    assert status == 0
    found = json.loads(out)
    assert [one["ranks"] for one in found["predictions"]] == [2]
    (many,) = json.loads(ran(*words, "--ranks", "2..64")[1])["unknown"]
    assert [*found["unknown"], many] == snapshot
    assert many["reason"] in " ".join(ran(*words[:-1], "--ranks", "2..64")[1].split())


def test_what_leads_out_of_one_refusal_doesnt_lead_into_another(ran: Said) -> None:
    """Following what a message says ends in a prediction, not where one began."""
    both = ("m.json", *POINT, "--calls", "calls.toml")
    assert ran(*both)[0] == 2
    assert ran("m.json", *POINT)[0] == 0
    program = ("m.json", *POINT[2:4], "--calls", "calls.toml")
    assert "--work" in ran(*program)[2]
    assert ran(*program, "--work", "1s")[0] == 0


def test_warning_says_of_intervals_only_what_rows_have(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    far = ("m.json", "--pattern", "pingpong", "--ranks", "2", "--size", "1GiB")
    causes = {}
    for chosen in ("--variant mpich", "--variant torus", ""):
        words = (*far, *chosen.split())
        (warned,) = json.loads(ran(*words, "--json")[1])["warnings"]
        assert warned["cause"] in " ".join(ran(*words)[1].split())
        causes[chosen] = warned["cause"]
    assert causes == snapshot


def test_time_that_stands_for_a_falling_form_is_marked_in_every_form(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    falling = replace(barrier(), pieces=((RankSet.ALL, (
        piece(barrier().form.terms, 0, 0, (8e-6, -1e-6)),
    )),))  # fmt: skip
    content = fitted_content(Fitted(RUN, (falling,), ()))
    Path("falling.json").write_text(json_text(content))
    words = ("falling.json", "--pattern", "barrier", "--ranks", "2,1024")
    assert ran(*words)[1] == snapshot
    rows = json.loads(ran(*words, "--json")[1])["predictions"]
    assert [row["floored"] for row in rows] == [False, True]
    assert rows[1]["seconds"] == pytest.approx(2e-6)
    cells = list(csv.DictReader(ran(*words, "--csv")[1].splitlines()))
    assert [row["floored"] for row in cells[:2]] == ["False", "True"]
    assert "†" not in ran("m.json", *POINT)[1]


def slower(factor: float) -> str:
    """The model file with a second library, which takes `factor` times as long."""
    other = replace(bcast("impi"), pieces=tuple(
        (family, tuple(
            replace(one, coefficients=tuple(
                replace(each, value=each.value.scaled(factor)) for each in one.coefficients
            ), covariance=one.covariance * factor**2)
            for one in pieces
        ))
        for family, pieces in bcast().pieces
    ))  # fmt: skip
    return document_text(fitted_content(Fitted(RUN, (bcast(), other), ())))


@pytest.mark.parametrize(
    ("factor", "ranks", "sizes"),
    [(2.0, "4", "8,1KiB"), (0.5, "4,8", "8"), (2.0, "2..8", "8"), (1.0, "4", "8")],
)
def test_fastest_is_told_where_intervals_tell_it(
    ran: Said, snapshot: SnapshotAssertion, factor: float, ranks: str, sizes: str
) -> None:
    Path("two.json").write_text(slower(factor))
    out = ran("two.json", "--pattern", "bcast", "--ranks", ranks, "--size", sizes)[1]
    assert line_with(out, "astest") == snapshot
    alone = ran("two.json", "--variant", "mpich", *POINT)[1]
    assert "astest" not in alone


def test_fastest_of_times_without_intervals_is_not_told(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    few = [replace(bcast(name), blocks=3, scatter=None) for name in ("mpich", "impi")]
    Path("few.json").write_text(document_text(fitted_content(Fitted(RUN, few, ()))))
    assert ran("few.json", *POINT)[1].splitlines() == snapshot


# -- programs --------------------------------------------------------------------------------------


def test_program_has_a_row_a_number_of_ranks(ran: Said, snapshot: SnapshotAssertion) -> None:
    words = ("m.json", "--work", "10s", "--ranks", "2..16", "--calls", "calls.toml", "--json")
    status, out, err = ran(*words)
    assert status == 0
    json_schema.check("predict-work", out)
    found = json.loads(out)
    (program,) = found["programs"]
    assert [row["ranks"] for row in program["rows"]] == list(range(2, 17))
    expected = 2000 * float(predict(bcast(), 2, 8192).seconds)
    assert program["rows"][0]["communicate_s"] == pytest.approx(expected)
    assert err == ""
    assert found["left_out"] == snapshot


def test_program_without_calls_is_the_same_over_all_variants_and_shown_once(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    status, out, err = ran("m.json", "--work", "10s", "--ranks", "2,4")
    assert (status, err) == (0, "")
    assert out == snapshot


def test_share_that_isnt_divided_bounds_the_speed_up(ran: Said) -> None:
    words = ("m.json", "--variant", "mpich", "--work", "10s", "--ranks", "1000000", "--json")
    (program,) = json.loads(ran(*words, "--serial", "10%")[1])["programs"]
    assert program["rows"][0]["speed_up"] == pytest.approx(10, rel=1e-4)


# -- refused ---------------------------------------------------------------------------------------

POINT = ("--pattern", "bcast", "--ranks", "4", "--size", "8")


BAD = (
    ("m.json", "--ranks", "4"),
    ("m.json", "--pattern", "bcast", "--size", "8"),
    ("m.json", "--pattern", "bcast", "--ranks", "4"),
    ("m.json", "--pattern", "bcst", *POINT[2:]),
    ("m.json", "--variant", "mpch", *POINT),
    ("m.json", "--variant", "torus", *POINT),
    ("m.json", "--pattern", "scan", *POINT[2:]),
    ("m.json", *POINT, "--ranks", "1"),
    ("m.json", *POINT, "--ranks", "0..4"),
    ("m.json", *POINT, "--ranks", "8..4"),
    ("m.json", *POINT, "--ranks", "2..99999999"),
    ("m.json", *POINT, "--ranks", "9" * 30),
    ("m.json", *POINT, "--ranks", "4..2"),
    ("m.json", *POINT, "--ranks", "x"),
    ("m.json", *POINT, "--ranks", "2-8"),
    ("m.json", *POINT, "--ranks", "2.."),
    ("m.json", *POINT, "--size", "2PiB"),
    ("m.json", *POINT, "--size", "2000TiB"),
    ("m.json", *POINT, "--size", "8,"),
    ("m.json", *POINT, "--calls", "calls.toml"),
    ("m.json", *POINT[:4], "--work", "1s", "--serial", "1%"),
    ("m.json", "--work", "1s", "--size", "8", "--ranks", "4"),
    ("m.json", "--calls", "calls.toml", "--ranks", "4"),
    ("m.json", "--size", "8", "--ranks", "4"),
    ("m.json", "--work", "-1", "--ranks", "4"),
    ("m.json", "--work", "1s", "--ranks", "4", "--serial", "2"),
    ("m.json", "--work", "1s", "--ranks", "4", "--calls", "no.toml"),
    ("m.json", "--work", "1s", "--ranks", "4", "--calls", "m.json"),
    ("m.json", "--pattern", "pingpong", "--ranks", "64", "--size", "8"),
    ("m.json", "--pattern", "barrier", "--ranks", "4", "--size", "8"),
    ("no.json", *POINT),
    (".", *POINT),
    ("calls.toml", *POINT),
)


def test_bad_input_ends_with_one_line(ran: Said, snapshot: SnapshotAssertion) -> None:
    answers = {" ".join(words): ran(*words) for words in BAD}
    assert len(answers) == len(BAD)
    assert {answer[:2] for answer in answers.values()} == {(2, "")}
    assert {words: line_with(err) for words, (_, _, err) in answers.items()} == snapshot


def test_call_of_what_wasnt_measured_is_named_where_it_stands(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    answers = {}
    for name, *variant in (["halo"], ["bcst"], ["bcast", "--variant", "torus"]):
        Path("calls.toml").write_text(CALLS.replace("bcast", name))
        words = ("--work", "1s", "--ranks", "4", "--calls", "calls.toml", *variant)
        status, out, err = ran("m.json", *words)
        assert (status, out) == (2, "")
        answers[" ".join((name, *variant))] = line_with(err)
    assert answers == snapshot


def test_call_has_any_of_its_patterns_names(ran: Said) -> None:
    words = ("m.json", "--work", "1s", "--ranks", "4", "--calls", "calls.toml", "--json")
    _, known, _ = ran(*words)
    Path("calls.toml").write_text(CALLS.replace("bcast", "MPI_Bcast"))
    assert ran(*words)[1] == known


def test_file_that_isnt_text_or_whole_is_refused(ran: Said, snapshot: SnapshotAssertion) -> None:
    Path("binary.json").write_bytes(b"\xff\xfe\x00")
    Path("half.json").write_text(TEXT[: len(TEXT) // 2])
    answers = [ran(name, *POINT) for name in ("binary.json", "half.json")]
    assert {answer[:2] for answer in answers} == {(2, "")}
    binary, half = (line_with(err) for _, _, err in answers)
    assert binary == snapshot
    assert re.match(r"leadline predict: half\.json:\d+: ", half)


def test_predictions_name_the_state_of_the_cores_where_it_is_known(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    _, silent, _ = ran("m.json", *POINT)
    known = json.loads(Path("m.json").read_text())
    for one in known["models"]:
        one["domain"]["core_latency_ns"] = 107.0
    Path("near.json").write_text(json.dumps(known))
    _, out, _ = ran("near.json", *POINT)
    lines = silent.splitlines()
    assert [line for line in out.splitlines() if line not in lines] == snapshot
    assert "107" not in silent


@pytest.mark.parametrize(
    "words",
    [POINT, ("--work", "1h", "--calls", "calls.toml", "--ranks", "2..8", "--variant", "mpich")],
    ids=["operation", "program"],
)
def test_damage_of_the_run_that_was_fitted_is_said(ran: Said, words: tuple[str, ...]) -> None:
    damage = warning_of(
        WarningKind.JOURNAL_LINE,
        file="run/journal.jsonl",
        line=7,
        problem="doesn't match its checksum",
    )
    run = replace(RUN, warnings=(damage, warning_of(WarningKind.CORES)))
    lossy = document_text(fitted_content(Fitted(run, EVERY, (REFUSED,))))
    Path("lossy.json").write_text(lossy)
    line = f"journal_line: {damage.cause} ({damage.remedy})\n"
    status, out, err = ran("lossy.json", *words, "--json")
    assert (status, err) == (0, line)
    assert json.loads(out)["warnings"][0]["cause"] == damage.cause
    assert [one["code"] for one in json.loads(out)["warnings"]].count("cores") == 0
    assert ran("m.json", *words, "--json")[2] == ""
