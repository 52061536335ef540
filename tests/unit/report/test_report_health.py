"""The health of hosts as readers and programs get it: never more is said than is known."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.clusters import Cluster, examined
from tests.support.texts import numbers

from leadline.health.observations import Round, Symptom
from leadline.health.outcome import Bound, FaultKind, Health, Suspect, health_of
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.health import health_content, health_records
from leadline.report.text.health import health_document, round_line, statement


def health(cluster: Cluster, rounds: int = 100) -> Health:
    examination = examined(cluster, rounds)
    examination.conclude()
    return health_of(examination, runs=["health/round-01"])


SOUND = health(Cluster(8, spread=0.01))
SLOW = health(Cluster(8, rates={"h3": 0.5}, dead=("h5",), spread=0.01))


def text_of(found: Health) -> str:
    return "\n".join(one.text for one in text_lines(health_document(found), 100))


@pytest.mark.parametrize("found", [SOUND, SLOW])
def test_json_keeps_to_its_schema(found: Health) -> None:
    json_schema.check("health", document_text(health_content(found)))


def test_json_has_what_scripts_ask_for() -> None:
    output = json.loads(document_text(health_content(SLOW)))
    assert output["healthy"] is False
    assert output["rounds"] == SLOW.rounds
    by_name = {one["name"]: one for one in output["suspects"]}
    assert by_name["h5"]["kind"] == "down"
    assert by_name["h5"]["factor"] is None
    assert by_name["h3"]["kind"] == "link"
    assert by_name["h3"]["low"] <= 0.5 <= by_name["h3"]["high"]
    assert json.loads(document_text(health_content(SOUND)))["healthy"] is True


def test_bounds_are_rounded_to_what_holds(snapshot: SnapshotAssertion) -> None:
    bounds = (Bound(Symptom.RATE, 0.979, 0.95), Bound(Symptom.LATENCY, 0.9, 0.95))
    assert statement(replace(SOUND, bounds=bounds)) == snapshot


def test_the_others_are_spoken_of_where_some_are_suspect() -> None:
    others, rate, latency, level = numbers(statement(SLOW))
    assert (others, level) == ("6", "95")
    assert 0.9 < float(rate) < 1 < float(latency)


def test_a_bound_that_is_less_sure_says_how_sure() -> None:
    output = statement(health(Cluster(8, spread=0.01, outliers=0), 7))
    assert numbers(output)[-1] == "81.2"


def test_too_few_others_are_said_to_be_too_few(snapshot: SnapshotAssertion) -> None:
    suspect = Suspect(FaultKind.DOWN, "h1", None, None)
    output = {}
    for number in (1, 2, 3):
        hosts = tuple(f"h{n + 1}" for n in range(number))
        found = replace(SOUND, hosts=hosts, suspects=(suspect,), bounds=())
        output[number] = statement(found)
    assert output == snapshot


def test_both_ends_of_a_path_are_none_of_the_others() -> None:
    path = Suspect(FaultKind.DOWN, "h1+h2", None, None)
    found = replace(SOUND, suspects=(path,))
    assert found.others == SOUND.hosts[2:]
    assert numbers(statement(found))[0] == "6"


def test_too_little_is_said_to_be_too_little(snapshot: SnapshotAssertion) -> None:
    found = health(Cluster(8), 3)
    assert (found.suspects, found.bounds) == ((), ())
    assert statement(found) == snapshot


def test_text_names_suspects_with_their_factors(snapshot: SnapshotAssertion) -> None:
    first, *_ = health_document(SLOW)
    assert first.table is not None
    assert [row[:3] for row in first.table.rows] == [("h5", "down", "-"), ("h3", "link", "rate")]
    assert first.notes[0] == snapshot
    assert "undecided_hosts" not in text_of(SOUND)


def test_csv_has_a_row_a_suspect_and_the_statement_beside() -> None:
    records = health_records(SLOW)
    assert len(records.rows) == len(SLOW.suspects)
    assert records.comments[0] == statement(SLOW)


def test_a_path_counts_for_both_of_its_hosts() -> None:
    path = Suspect(FaultKind.LINK, "h1+h2", Symptom.RATE, None)
    assert numbers(statement(replace(SOUND, suspects=(path,))))[0] == "6"


def test_silent_pairs_of_a_round_are_named(snapshot: SnapshotAssertion) -> None:
    assert round_line(3, Round((("h1", "h2"),), ()), 1.25) == snapshot
