"""Every output says of every value that wasn't measured where it comes from."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.mixed import FASTEST, Word, constant, with_words, write_mixed, write_words
from tests.support.texts import section

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart
from leadline.compare.pairs import (
    NO_REGRESSION,
    REGRESSION,
    TOO_UNCERTAIN,
    ComparisonResult,
    compare_runs,
    compare_within,
)
from leadline.record.run import Origin
from leadline.report.figures.plots import plotted, ratio_figure, size_figure
from leadline.report.text.comparison import concluding_sentence
from leadline.store import load

SIZES = tuple(pingpong(size) for size in (8, 512, 65536))
LIBRARIES = Campaign(["shm", "mpich", "openmpi"], SIZES)
MODEL = Word("model", Origin.PREDICTED, constant(4e-6), reach=0.25)
BESIDE = (FASTEST, MODEL, Word("osu", Origin.IMPORTED, constant(3e-6)))
Said = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs: of measured values, of these and others, and of simulated or predicted ones alone."""
    found = tmp_path_factory.mktemp("runs")
    LIBRARIES.write(found / "measured")
    write_mixed(found / "mixed", LIBRARIES, *BESIDE)
    Campaign(["mpich"], SIZES).write(found / "mpich")
    write_words(found / "torus", SIZES, FASTEST)
    write_words(found / "model", SIZES, MODEL)
    return found


@pytest.fixture
def ran(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """The exit status of `leadline WORDS` and what it prints beside the runs."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")

    def say(*words: str) -> tuple[int, str]:
        status = main(list(words))
        return status, capsys.readouterr().out

    return say


# -- show ------------------------------------------------------------------------------------------


def test_show_marks_times_and_titles_and_ranks_what_was_measured(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    _, shown = ran("show", "mixed", "--full")
    mixed = section(shown, "pingpong · half")
    assert mixed == snapshot
    for warning in ("imported: ", "simulated: ", "predicted: "):
        assert warning in shown
    plain = section(ran("show", "measured", "--full")[1], "pingpong · half")
    ranked = plain[-2:]  # who is faster, and the overhead
    assert mixed[-2:] == ranked and all("openmpi" in line for line in ranked)


def test_show_of_simulated_values_alone_says_so(ran: Said, snapshot: SnapshotAssertion) -> None:
    status, shown = ran("show", "torus", "--full")
    assert status == 0
    assert section(shown, "pingpong · half") == snapshot


def test_rows_for_programs_have_origins_and_stated_intervals_apart(ran: Said) -> None:
    found = json.loads(ran("show", "mixed", "--json")[1])
    by_origin = {row["origin"]: row for row in found["rows"] if row["size_bytes"] == 8}
    assert set(by_origin) == {"measured", "simulated", "predicted", "imported"}
    predicted, measured = by_origin["predicted"], by_origin["measured"]
    assert (predicted["low_s"], predicted["high_s"], predicted["blocks"]) == (None, None, 0)
    assert predicted["stated_low_s"] == pytest.approx(3.2e-6)
    assert predicted["stated_high_s"] == pytest.approx(5e-6)
    assert measured["stated_low_s"] is None and measured["low_s"] is not None
    assert {row["variant"]: row["origin"] for row in found["pingpong"]}["torus"] == "simulated"
    assert {one for c in found["rankings"]["curves"] for one in _names(c)} == {"mpich", "openmpi"}
    rows = csv.DictReader(io.StringIO(ran("show", "mixed", "--csv")[1]))
    assert {"measured", "simulated"} < {row["origin"] for row in rows}


def _names(ranking: dict[str, list[dict[str, str]]]) -> set[str]:
    return {top[side] for top in ranking["top"] for side in ("baseline", "candidate")}


# -- compare ---------------------------------------------------------------------------------------


def test_measured_against_simulated_says_so_and_is_no_regression(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    for way in (("torus", "mpich"), ("mpich", "torus")):
        status, shown = ran("compare", *way)
        assert status == TOO_UNCERTAIN
        assert section(shown, "pingpong") + section(shown, "conclusion") == snapshot(
            name=" against ".join(reversed(way))
        )
    _, shown = ran("compare", "mpich", "torus", "--json")
    (row, *_) = json.loads(shown)["rows"]
    assert (row["baseline_origin"], row["candidate_origin"]) == ("measured", "simulated")
    assert (row["counted"], row["low"], row["verdict"]) == (False, None, "undecided")


def test_word_of_a_model_is_taken_where_asked_for_and_said(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    status, shown = ran("compare", "torus", "mpich", "--against-model")
    assert status == REGRESSION
    assert section(shown, "pingpong") + section(shown, "conclusion") == snapshot
    assert ran("compare", "mpich", "torus", "--against-model")[0] == NO_REGRESSION


def test_what_measured_values_show_alone_takes_nobody_at_their_word(
    folder: Path, snapshot: SnapshotAssertion
) -> None:
    slow = Word("slow", Origin.PREDICTED, constant(1.0))
    fast = Word("fast", Origin.SIMULATED, constant(1e-9))
    mixed = Analysis(with_words(load(folder / "measured"), slow, fast))
    messages = {
        " and ".join(names): concluding_sentence(
            compare_within(mixed, "openmpi", names, against_model=True), 0.02
        )
        for names in (("mpich", "fast"), ("mpich", "slow"), ("fast",))
    }
    assert messages == snapshot


def test_conclusion_says_what_one_side_lacks_and_where_nothing_is_on_both(
    folder: Path, snapshot: SnapshotAssertion
) -> None:
    less = Campaign(["mpich"], SIZES[:2], slowdown={"mpich": 0.8})
    more = Campaign(["mpich", "openmpi"], SIZES[:2])
    less.write(folder / "less")
    more.write(folder / "more")
    first, second = Analysis(load(folder / "more")), Analysis(load(folder / "less"))
    result = compare_runs(first, second, known=RunsApart(0.01))
    assert result.exit_status == TOO_UNCERTAIN
    nothing = ComparisonResult((), (), ())
    assert [concluding_sentence(one, 0.02) for one in (result, nothing)] == snapshot


def test_lone_pair_of_runs_is_advised_what_decides_it(snapshot: SnapshotAssertion) -> None:
    first = Campaign(["mpich"], SIZES[:2], blocks=3).run()
    slower = Campaign(["mpich"], SIZES[:2], blocks=9, slowdown={"mpich": 1.5}).run()
    newer = tuple(replace(one, version="99") for one in slower.configurations)
    messages = {}
    for name, second, in_one_run in (
        ("the same", first, False),
        ("slower", slower, False),
        ("slower, another version", replace(slower, configurations=newer), True),
    ):
        both = Analysis(first), Analysis(replace(second, path="later"))
        result = compare_runs(*both)
        messages[name] = concluding_sentence(result, 0.02)
        assert "--between" in messages[name]
        assert ("--against" in messages[name]) is in_one_run
        (warning,) = (one for one in result.warnings if one.code == "unpaired")
        assert ("--against" in warning.remedy) is in_one_run
        stated = concluding_sentence(compare_runs(*both, known=RunsApart(0.01)), 0.02)
        assert "--between" not in stated
    assert messages == snapshot


def test_word_of_a_model_is_asked_for_where_there_is_one(
    ran: Said, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["compare", "measured", "mpich", "--against-model"]) == 2
    assert capsys.readouterr().err == snapshot


@pytest.mark.parametrize("baseline", ["mpich", "openmpi"])
def test_mixed_run_compares_as_if_all_were_measured(ran: Said, baseline: str) -> None:
    status, shown = ran("compare", "mixed", "--baseline", baseline, "--json")
    plain_status, plain = ran("compare", "measured", "--baseline", baseline, "--json")
    assert status == plain_status
    found, without = json.loads(shown), json.loads(plain)
    for key in ("rows", "curves", "overheads"):
        kept = [row for row in found[key] if row.get("candidate_origin", "measured") == "measured"]
        assert kept == without[key]
    assert {row["candidate_origin"] for row in found["rows"]} >= {"simulated", "predicted"}


# -- the others ------------------------------------------------------------------------------------


def test_export_and_sql_have_the_origin_of_every_row(ran: Said) -> None:
    rows = list(csv.DictReader(io.StringIO(ran("export", "--csv", "mixed")[1])))
    assert {row["variant"]: row["origin"] for row in rows} == {
        "shm": "measured", "mpich": "measured", "openmpi": "measured",
        "torus": "simulated", "model": "predicted", "osu": "imported",
    }  # fmt: skip
    question = "SELECT origin, max(stated_high_s) AS high FROM measurements GROUP BY origin"
    found = json.loads(ran("sql", question, "mixed", "--json")[1])["rows"]
    assert {row["origin"]: row["high"] for row in found} == {
        "measured": None, "simulated": None, "predicted": pytest.approx(5e-6), "imported": None,
    }  # fmt: skip
    timings = json.loads(ran("sql", "SELECT DISTINCT origin FROM timings", "mixed", "--json")[1])
    assert timings["rows"] == [{"origin": "measured"}]


def test_extrap_keeps_the_points_that_were_measured(ran: Said) -> None:
    _, plain = ran("export", "--extrap", "measured")
    _, mixed = ran("export", "--extrap", "mixed")
    paths = {json.loads(line)["callpath"] for line in mixed.splitlines()}
    assert any({"torus", "simulated", "pingpong"} <= set(re.findall(r"\w+", one)) for one in paths)
    assert set(plain.splitlines()) < set(mixed.splitlines())


def test_history_marks_series_by_origin(
    ran: Said, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    for day in (1, 2):
        directory = tmp_path / str(day)
        text = tmp_path / "printed.txt"
        text.write_text("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n8  0.5\n")
        words = ("--origin", "simulated", "--date", f"2026-11-0{day}", "--name", "torus")
        assert ran("import", str(text), "--out", str(directory), *words)[0] == 0
    status, shown = ran("history", str(tmp_path))
    assert status == 0
    assert "torus (simulated)" in shown
    assert "simulated: " in shown
    simulated = section(shown, "history of") + section(shown, "conclusion")
    for day in (1, 2):
        where = ("--out", str(tmp_path / f"printed{day}"), "--date", f"2026-11-0{day}")
        assert ran("import", str(text), *where)[0] == 0
    _, shown = ran("history", str(tmp_path))
    assert [simulated, section(shown, "conclusion")] == snapshot
    for day in (1, 2):
        shutil.rmtree(tmp_path / f"printed{day}")
    found = json.loads(ran("history", str(tmp_path), "--json")[1])
    assert {series["origin"] for series in found["series"]} == {"simulated"}
    rows = csv.DictReader(io.StringIO(ran("history", str(tmp_path), "--csv")[1]))
    assert {row["origin"] for row in rows} == {"simulated"}


def test_import_takes_the_origin_it_is_told(
    ran: Said, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    text = tmp_path / "printed.txt"
    text.write_text("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n8  0.5\n")
    words = ("import", str(text), "--origin", "predicted", "--out", str(tmp_path / "run"))
    status, shown = ran(*words)
    assert status == 0
    assert shown.replace(str(tmp_path), "DIR") == snapshot
    (one,) = load(tmp_path / "run").configurations
    assert (one.origin, one.backend) == (Origin.PREDICTED, "predicted")


@pytest.mark.parametrize("origin", ["measured", "guessed"])
def test_import_refuses_an_origin_it_cannot_have(
    origin: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["import", "x", "--origin", origin, "--out", str(tmp_path / "run")])
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert f"'{origin}'" in error
    assert all(word in error for word in ("imported", "simulated", "predicted"))


def test_figure_has_hollow_points_and_the_word_in_its_legend(ran: Said, tmp_path: Path) -> None:
    for words in ((), ("--ratio", "torus", "mpich"), ("--bandwidth",)):
        figure = tmp_path / "figure.svg"
        assert ran("plot", "mixed", "--out", str(figure), *words)[0] == 0
        assert "torus (simulated)" in figure.read_text()
    shown = plotted([Analysis(load("mixed"))])
    lines = {line.name: line for line in size_figure(shown, "pingpong", 2, False).lines}
    assert {name for name, line in lines.items() if line.series.hollow} == {
        "torus (simulated)", "model (predicted)", "osu (imported)",
    }  # fmt: skip
    first = lines["model (predicted)"].points[0]
    assert (first.low, first.high) == pytest.approx((3.2e-6, 5e-6))
    ratio = compare_within(Analysis(load("mixed")), "mpich", ["torus"])
    assert ratio_figure(ratio.curves[0], 0.02).lines[0].series.hollow
