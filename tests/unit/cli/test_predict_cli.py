"""`leadline predict`: operations and programs by a model file, and what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.models import EVERY, REFUSED, barrier, bcast, piece
from harness.synthetic import Campaign, pingpong
from tests.support import json_schema

from leadline.cli import main
from leadline.models.model import RankSet
from leadline.models.prediction import predict
from leadline.record.caveats import CaveatKind
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
def said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """Status, stdout and stderr of `leadline predict WORDS` beside a model file."""
    monkeypatch.chdir(tmp_path)
    Path("m.json").write_text(TEXT)
    Path("calls.toml").write_text(CALLS)

    def say(*words: str) -> tuple[int, str, str]:
        status = main(["predict", *words])
        return status, *capsys.readouterr()

    return say


# -- operations ------------------------------------------------------------------------------------


def test_prediction_is_the_models_with_its_interval(said: Said) -> None:
    words = ("m.json", "--pattern", "bcast", "--ranks", "64", "--size", "64KiB", "--json")
    status, out, err = said(*words)
    assert (status, err) == (0, "")
    json_schema.check("predict", out)
    (row,) = json.loads(out)["predictions"]
    expected = predict(bcast(), 64, 65536)
    assert [row["seconds"], row["low"], row["high"]] == pytest.approx(
        [float(expected.seconds), float(expected.low), float(expected.high)]
    )
    assert (row["variant"], row["ranks"], row["size_bytes"]) == ("mpich", 64, 65536)
    assert row["extrapolated"] is False


def test_lists_and_ranges_give_every_pair(said: Said) -> None:
    words = ("--pattern", "bcast", "--ranks", "2..4,8", "--size", "8,1KiB", "--csv")
    rows = list(csv.DictReader(said("m.json", *words)[1].splitlines()))
    pairs = [(int(row["ranks"]), int(row["size_bytes"])) for row in rows]
    assert pairs == [(p, size) for p in (2, 3, 4, 8) for size in (8, 1024)]


def test_extrapolation_is_marked_and_warned_of_in_every_form(said: Said) -> None:
    words = ("m.json", "--pattern", "bcast", "--ranks", "64,128", "--size", "8")
    text = " ".join(said(*words)[1].split())
    assert "*: outside of the sizes or numbers of ranks that were fitted." in text
    for form in (("--json",), ("--csv",), ("--markdown",), ()):
        out = " ".join(said(*words, *form)[1].replace("\\", "").split())
        assert "1 of 2 predictions lie outside of the sizes or numbers of ranks" in out


def test_variants_are_beside_each_other_and_one_without_intervals_says_so(said: Said) -> None:
    words = ("m.json", "--pattern", "pingpong", "--ranks", "2", "--size", "8")
    text = said(*words)[1]
    assert "5.01 us, simulated, no interval" in text
    rows = json.loads(said(*words, "--json")[1])["predictions"]
    assert [(one["variant"], one["low"] is None) for one in rows] == [
        ("mpich", False), ("torus", True),
    ]  # fmt: skip
    (one,) = json.loads(said(*words, "--variant", "torus", "--json")[1])["predictions"]
    assert one["variant"] == "torus"


def test_pattern_without_a_size_needs_none(said: Said) -> None:
    status, out, _ = said("m.json", "--pattern", "barrier", "--ranks", "8")
    assert status == 0
    assert "size" not in out.splitlines()[1]


def test_numbers_of_ranks_that_nothing_is_said_of_are_listed(said: Said) -> None:
    words = ("m.json", "--variant", "mpich", "--pattern", "pingpong", "--size", "8", "--json")
    status, out, _ = said(*words, "--ranks", "2,4,8")
    assert status == 0
    found = json.loads(out)
    assert [one["ranks"] for one in found["predictions"]] == [2]
    assert found["unknown"][0]["reason"].startswith(
        "fitted to 2 ranks alone, which says nothing of 4 and 8: measure three numbers"
    )
    text = " ".join(said(*words[:-1], "--ranks", "2..64")[1].split())
    assert "says nothing of 3 to 64 (62 of them): measure three" in text


def test_what_leads_out_of_one_refusal_doesnt_lead_into_another(said: Said) -> None:
    """Following what a message says ends in a prediction, not where one began."""
    both = ("m.json", *POINT, "--calls", "calls.toml")
    assert said(*both)[0] == 2
    assert said("m.json", *POINT)[0] == 0
    program = ("m.json", *POINT[2:4], "--calls", "calls.toml")
    assert "needs --work TIME" in said(*program)[2]
    assert said(*program, "--work", "1s")[0] == 0


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        ("mpich", "that were fitted; intervals widen with the distance"),
        ("torus", "that were fitted; they have no intervals"),
        (None, "intervals widen with the distance; 1 of them has none"),
    ],
)
def test_warning_says_of_intervals_only_what_rows_have(
    said: Said, variant: str | None, words: str
) -> None:
    chosen = ("--variant", variant) if variant else ()
    far = ("m.json", *chosen, "--pattern", "pingpong", "--ranks", "2", "--size", "1GiB")
    out = " ".join(said(*far)[1].split())
    assert words in out
    assert "intervals, where there are any" not in out


def test_time_that_stands_for_a_falling_form_is_marked_in_every_form(said: Said) -> None:
    falling = replace(barrier(), pieces=((RankSet.ALL, (
        piece(barrier().form.terms, 0, 0, (8e-6, -1e-6)),
    )),))  # fmt: skip
    content = fitted_content(Fitted(RUN, (falling,), ()))
    Path("falling.json").write_text(json_text(content))
    words = ("falling.json", "--pattern", "barrier", "--ranks", "2,1024")
    text = " ".join(said(*words)[1].split())
    assert "†: the form falls below the shortest time of its piece, which stands in" in text
    rows = json.loads(said(*words, "--json")[1])["predictions"]
    assert [row["floored"] for row in rows] == [False, True]
    assert rows[1]["seconds"] == pytest.approx(2e-6)
    cells = list(csv.DictReader(said(*words, "--csv")[1].splitlines()))
    assert [row["floored"] for row in cells[:2]] == ["False", "True"]
    assert "†" not in said("m.json", *POINT)[1]


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
    ("factor", "asked", "words"),
    [
        (2.0, ("4", "8,1KiB"), "Fastest, its interval below all others': mpich at 8 B and 1 KiB."),
        (0.5, ("4,8", "8"), "all others': impi at 8 B on 4 ranks and at 8 B on 8 ranks."),
        (2.0, ("2..8", "8"), "Fastest, its interval below all others': mpich at 7 of 7 places."),
        (
            1.0,
            ("4", "8"),
            "Which is the fastest can't be told: no interval lies below all others'.",
        ),
    ],
)
def test_fastest_is_told_where_intervals_tell_it(
    said: Said, factor: float, asked: tuple[str, str], words: str
) -> None:
    Path("two.json").write_text(slower(factor))
    ranks, sizes = asked
    out = said("two.json", "--pattern", "bcast", "--ranks", ranks, "--size", sizes)[1]
    assert words in " ".join(out.split())
    alone = said("two.json", "--variant", "mpich", *POINT)[1]
    assert "astest" not in alone


def test_fastest_of_times_without_intervals_is_not_told(said: Said) -> None:
    few = [replace(bcast(name), blocks=3, scatter=None) for name in ("mpich", "impi")]
    Path("few.json").write_text(document_text(fitted_content(Fitted(RUN, few, ()))))
    out = " ".join(said("few.json", *POINT)[1].split())
    assert "Which is the fastest can't be told: not all have intervals." in out


# -- programs --------------------------------------------------------------------------------------


def test_program_has_a_row_a_number_of_ranks(said: Said) -> None:
    words = ("m.json", "--work", "10s", "--ranks", "2..16", "--calls", "calls.toml", "--json")
    status, out, err = said(*words)
    assert status == 0
    json_schema.check("predict-work", out)
    found = json.loads(out)
    (program,) = found["programs"]
    assert [row["ranks"] for row in program["rows"]] == list(range(2, 17))
    expected = 2000 * float(predict(bcast(), 2, 8192).seconds)
    assert program["rows"][0]["communicate_s"] == pytest.approx(expected)
    assert err == ""
    assert [(one["variant"], one["reason"]) for one in found["left_out"]] == [
        ("torus", "there is no model of it, but of pingpong"),
        ("impi", "there is no model of it, nor of anything else"),
    ]


def test_program_without_calls_is_the_same_over_all_variants_and_shown_once(said: Said) -> None:
    status, out, err = said("m.json", "--work", "10s", "--ranks", "2,4")
    assert (status, err) == (0, "")
    assert out.count("program without calls · 10.0 s of work on one rank") == 1
    assert out.count("There are no calls") == 1


def test_share_that_isnt_divided_bounds_the_speed_up(said: Said) -> None:
    words = ("m.json", "--variant", "mpich", "--work", "10s", "--ranks", "1000000", "--json")
    (program,) = json.loads(said(*words, "--serial", "10%")[1])["programs"]
    assert program["rows"][0]["speed_up"] == pytest.approx(10, rel=1e-4)


# -- refused ---------------------------------------------------------------------------------------

POINT = ("--pattern", "bcast", "--ranks", "4", "--size", "8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("m.json", "--ranks", "4"), "give --pattern P, or --work TIME of a program"),
        (("m.json", "--pattern", "bcast", "--size", "8"), "on how many ranks? give --ranks"),
        (("m.json", "--pattern", "bcast", "--ranks", "4"), "bcast has sizes; give --size"),
        (("m.json", "--pattern", "bcst", *POINT[2:]), "in run; did you mean 'bcast'? It has:"),
        (("m.json", "--variant", "mpch", *POINT), "unknown variant 'mpch'; did you mean 'mpich'"),
        (("m.json", "--variant", "torus", *POINT), "measured in run over torus; it has: ping"),
        (("m.json", "--pattern", "scan", *POINT[2:]), "no model of impi's scan: a line needs 3"),
        (("m.json", *POINT, "--ranks", "1"), "--ranks '1' must be at least 2"),
        (("m.json", *POINT, "--ranks", "0..4"), "--ranks '0' must be at least 2"),
        (("m.json", *POINT, "--ranks", "8..4"), "--ranks '8..4' falls; write 4..8"),
        (("m.json", *POINT, "--ranks", "2..99999999"), "--ranks '2..99999999': give numbers up to"),
        (("m.json", *POINT, "--ranks", "9" * 30), "give numbers up to"),
        (("m.json", *POINT, "--ranks", "4..2"), "--ranks '4..2' falls; write 2..4"),
        (("m.json", *POINT, "--ranks", "x"), "--ranks 'x' is no number; write 64, or 2..64"),
        (("m.json", *POINT, "--ranks", "2-8"), "--ranks '2-8' is no number; write 64, or 2..64"),
        (("m.json", *POINT, "--ranks", "2.."), "--ranks '2..' is no number; write 64, or 2..64"),
        (("m.json", *POINT, "--size", "2PiB"), "size '2PiB' is more than any message"),
        (("m.json", *POINT, "--size", "2000TiB"), "is more than any message"),
        (("m.json", *POINT, "--size", "8,"), "--size '8,' has an empty entry"),
        (
            ("m.json", *POINT, "--calls", "calls.toml"),
            "an operation is predicted by --pattern and --size, a program by --calls; leave out",
        ),
        (
            ("m.json", *POINT[:4], "--work", "1s", "--serial", "1%"),
            "an operation is predicted by --pattern, a program by --work and --serial; leave out",
        ),
        (("m.json", "--work", "1s", "--size", "8", "--ranks", "4"), "by --size, a program by"),
        (("m.json", "--calls", "calls.toml", "--ranks", "4"), "--calls needs --work TIME of a"),
        (("m.json", "--size", "8", "--ranks", "4"), "--size needs --pattern P, the operation;"),
        (("m.json", "--work", "-1", "--ranks", "4"), "duration '-1' is not a time"),
        (("m.json", "--work", "1s", "--ranks", "4", "--serial", "2"), "share '2' must lie between"),
        (("m.json", "--work", "1s", "--ranks", "4", "--calls", "no.toml"), "no.toml: No such file"),
        (("m.json", "--work", "1s", "--ranks", "4", "--calls", "m.json"), "m.json:1: not TOML"),
        (
            ("m.json", "--pattern", "pingpong", "--ranks", "64", "--size", "8"),
            "mpich's pingpong was fitted to 2 ranks alone, which says nothing of 64: measure three",
        ),
        (
            ("m.json", "--pattern", "barrier", "--ranks", "4", "--size", "8"),
            "mpich's barrier was fitted to 0 B alone, which says nothing of 8 B: leave --size out",
        ),
        (("no.json", *POINT), "no.json: No such file or directory"),
        ((".", *POINT), ". is a directory; leadline fit . --out MODEL.json makes a model of a run"),
        (("calls.toml", *POINT), "calls.toml: isn't a model file; write one by leadline fit RUN"),
    ],
)  # fmt: skip
def test_bad_input_ends_with_one_line(said: Said, words: tuple[str, ...], message: str) -> None:
    status, out, err = said(*words)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "variant", "message"),
    [
        ("halo", (), "calls.toml:4: halo wasn't measured in run; it has: "),
        ("bcst", (), "calls.toml:4: bcst wasn't measured in run; did you mean 'bcast'? It has: "),
        ("bcast", ("--variant", "torus"), "calls.toml:4: bcast wasn't measured in run over torus;"),
    ],
)
def test_call_of_what_wasnt_measured_is_named_where_it_stands(
    said: Said, name: str, variant: tuple[str, ...], message: str
) -> None:
    Path("calls.toml").write_text(CALLS.replace("bcast", name))
    words = ("--work", "1s", "--ranks", "4", "--calls", "calls.toml", *variant)
    status, out, err = said("m.json", *words)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1


def test_call_has_any_of_its_patterns_names(said: Said) -> None:
    words = ("m.json", "--work", "1s", "--ranks", "4", "--calls", "calls.toml", "--json")
    _, known, _ = said(*words)
    Path("calls.toml").write_text(CALLS.replace("bcast", "MPI_Bcast"))
    assert said(*words)[1] == known


def test_file_that_isnt_text_or_whole_is_refused(said: Said) -> None:
    Path("binary.json").write_bytes(b"\xff\xfe\x00")
    assert said("binary.json", *POINT)[::2] == (
        2, "leadline predict: binary.json: not a text file\n",
    )  # fmt: skip
    Path("half.json").write_text(TEXT[: len(TEXT) // 2])
    status, _, err = said("half.json", *POINT)
    assert status == 2
    assert "is cut short or changed" in err and err.count("\n") == 1


def test_predictions_name_the_state_of_the_cores_where_it_is_known(said: Said) -> None:
    _, silent, _ = said("m.json", *POINT)
    known = json.loads(Path("m.json").read_text())
    for one in known["models"]:
        one["domain"]["handover_ns"] = 107.0
    Path("near.json").write_text(json.dumps(known))
    _, out, _ = said("near.json", *POINT)
    assert "cache line" not in silent
    assert "For cores that hand a cache line to and fro in 107 ns" in out
    assert "`leadline compare run NEW_RUN` says whether those of a new run do" in " ".join(
        out.split()
    )


@pytest.mark.parametrize(
    "words",
    [POINT, ("--work", "1h", "--calls", "calls.toml", "--ranks", "2..8", "--variant", "mpich")],
    ids=["operation", "program"],
)
def test_damage_of_the_run_that_was_fitted_is_said(said: Said, words: tuple[str, ...]) -> None:
    damage = CaveatKind.JOURNAL_LINE.because("run/journal.jsonl:7: doesn't match its checksum")
    run = replace(RUN, warnings=(damage, CaveatKind.CORES.because("one core")))
    lossy = document_text(fitted_content(Fitted(run, EVERY, (REFUSED,))))
    Path("lossy.json").write_text(lossy)
    line = f"journal_line: {damage.cause} ({damage.remedy})\n"
    status, out, err = said("lossy.json", *words, "--json")
    assert (status, err) == (0, line)
    assert json.loads(out)["warnings"][0]["cause"] == damage.cause
    assert [one["code"] for one in json.loads(out)["warnings"]].count("cores") == 0
    assert said("m.json", *words, "--json")[2] == ""
