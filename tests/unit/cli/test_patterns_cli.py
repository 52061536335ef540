"""`leadline patterns`, and what becomes of names that MPI, OSU and IMB have for a pattern."""

from __future__ import annotations

import json

import pytest
from harness.kernels import kernel
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline.cli import main
from leadline.errors import UsageError
from leadline.kernels import build
from leadline.measure.known_patterns import known_patterns
from leadline.patterns.names import FOREIGN_NAMES, foreign_name, measured_pattern, unknown_pattern
from leadline.patterns.pattern import parse_choice
from leadline.patterns.suites import SUITES

PATTERNS = build.describe(kernel("null")).patterns


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["patterns", *words]) == 0
    return capsys.readouterr().out


def test_every_pattern_has_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = ran(capsys).splitlines()
    listed = [line.split()[0] for line in lines if line[2:3].isalpha() and line[:2] == "  "]
    assert all(listed.count(name) == 1 for name in PATTERNS)
    listing = "\n".join(lines)
    assert [line_with(listing, f"  {name} ") for name in ("alltoall", "bcast")] == snapshot


@pytest.mark.parametrize("width", [60, 80, 100])
def test_list_keeps_within_the_terminal(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(len, ran(capsys).splitlines())) <= width


def test_patterns_stand_under_their_suite_or_kind() -> None:
    known = {one.pattern.name: one.group for one in known_patterns()}
    assert (known["pingpong"], known["bcast"], known["halo"]) == ("p2p", "collectives", "mapping")
    assert (known["mg"], known["gsum_master"]) == ("applications", "others")
    assert set(known.values()) == {*SUITES, "applications", "others"} - {"quick", "all"}


@pytest.mark.parametrize(
    ("word", "pattern"),
    [
        ("alltoall", "alltoall"),
        ("MPI_Alltoall", "alltoall"),
        ("osu_ialltoall", "ialltoall"),
        ("osu_latency", "pingpong"),
        ("PingPong", "pingpong"),
        ("bw", "stream"),
        ("MPI_Reduce_scatter", "reduce_scatterv"),
        ("uniband", "message_rate"),
        ("bcast:rotating", "bcast"),
    ],
)
def test_name_from_elsewhere_leads_to_the_pattern(word: str, pattern: str) -> None:
    assert [one.pattern.name for one in known_patterns([word])] == [pattern]


def test_beginning_of_a_name_lists_all_that_begin_so() -> None:
    names = [one.pattern.name for one in known_patterns(["barrier_", "halo"])]
    assert names == ["barrier_counter", "barrier_futex", "barrier_dissemination", "halo"]


def test_every_foreign_name_leads_to_a_pattern_that_there_is() -> None:
    assert {one.pattern for one in FOREIGN_NAMES} <= set(PATTERNS)
    names = [one.name for one in FOREIGN_NAMES]
    assert len(names) == len(set(names))
    assert all(foreign_name(one.name) == one for one in FOREIGN_NAMES)


def test_every_collective_of_mpi_that_is_measured_has_its_name() -> None:
    """A pattern that a suite of collectives gets is to be found by MPI's name, too."""
    mpi = {one.pattern for one in FOREIGN_NAMES if one.vocabulary == "MPI"}
    collectives = {label.split(":")[0] for label in SUITES["collectives"].patterns}
    assert collectives <= mpi


def test_cyclic_is_asked_for_as_the_hint_says() -> None:
    ring = foreign_name("Exchange")
    assert ring is not None and "cyclic:8" in ring.differs
    assert parse_choice("cyclic:8", PATTERNS).dims == (8,)


def test_unknown_pattern_leads_on(snapshot: SnapshotAssertion) -> None:
    message = {}
    for seen in (
        "Alltoall",
        "osu_latency",
        "osu_bibw",
        "alltoal",
        "MPI_Bcst",
        "bcst",
        "pingpang",
        "nonsense-of-a-word",
    ):
        with pytest.raises(UsageError) as raised:
            parse_choice(seen, PATTERNS)
        message[seen] = str(raised.value)
    assert message == snapshot


def test_name_from_elsewhere_leads_to_what_a_run_or_a_model_has(
    snapshot: SnapshotAssertion,
) -> None:
    has = ["pingpong", "alltoall"]
    names = ("Alltoall", "MPI_Bcast")
    assert {name: str(unknown_pattern(name, has)) for name in names} == snapshot


def test_pattern_that_was_measured_is_taken_under_any_of_its_names() -> None:
    has = ["pingpong", "alltoall", "exchange", "ibcast"]
    assert measured_pattern("pingpong", has, "first") == "pingpong"
    for name in ("alltoall", "MPI_Alltoall", "osu_alltoall", "Alltoall", "total_exchange"):
        assert measured_pattern(name, has, "first") == "alltoall"


def test_pattern_that_was_not_measured_is_answered_by_those_that_were(
    snapshot: SnapshotAssertion,
) -> None:
    answers = {}
    for seen in ("halo", "bcast", "alltoall", "pingpog", "osu_bibw"):
        with pytest.raises(UsageError) as error:
            measured_pattern(seen, ["pingpong", "exchange", "ibcast"], "first")
        answers[seen] = str(error.value)
    assert answers == snapshot


def test_a_pattern_says_all_that_is_to_be_known(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert ran(capsys, "exchange", "ibcast") == snapshot


def test_unknown_name_is_one_line(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["patterns", "osu_hello"]) == 2
    assert line_with(capsys.readouterr().err) == snapshot


def test_programs_get_the_names_and_how_they_differ(capsys: pytest.CaptureFixture[str]) -> None:
    ring = foreign_name("Exchange")
    assert ring is not None
    (row,) = json.loads(ran(capsys, "cyclic", "--json"))["patterns"][:1]
    assert row["elsewhere"] == [
        {
            "vocabulary": "IMB",
            "name": "Exchange",
            "differs": ring.differs,
        }
    ]
    assert ran(capsys, "barrier", "--csv").splitlines()[1].startswith("barrier,")
