from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.mapping import METRICS, Metrics, RankMapping
from leadline.mapping.inside import HopsInside
from leadline.mapping.interference import Division, Sharing
from leadline.mapping.metrics import reaches
from leadline.report.document import Document
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.mapping import grids_content, mapping_content, sharing_content
from leadline.report.text.mapping import (
    Factorisation,
    Mapped,
    dims_document,
    mapping_document,
    number,
    ranges,
    sharing_document,
)
from leadline.topology.job import Job
from leadline.topology.words import open_grid, synthetic_machine

JOB = Job("job", open_grid((2, 2)), synthetic_machine("nodes:2x2"))
BEFORE = Metrics(1.25, 4, 3.0, 12345.0, 8.0, 4.5)


def mapped(after: Metrics, metric: str = "hops", lower_bound: float = 0.0) -> Mapped:
    permutation = np.array([0, 2, 1, 3])
    value = float(getattr(after, METRICS[metric]))
    optimal = reaches(value, lower_bound)
    return Mapped(
        JOB,
        metric,
        RankMapping(permutation, BEFORE, after, "bricks", lower_bound, optimal, 0.00123),
    )


def lines(document: Document) -> list[str]:
    return [line.text for line in text_lines(document, 100)]


def test_report_has_a_row_for_each_metric_and_the_bound_beside_the_chosen_one(
    snapshot: SnapshotAssertion,
) -> None:
    better = Metrics(1.0, 2, 2.0, 6000.0, 4.0, 2.25)
    assert lines(mapping_document(mapped(better, "internode", 4.0))) == snapshot


@pytest.mark.parametrize(("bound", "is_optimal"), [(1.1, True), (1.1 * (1 - 1e-7), False)])
def test_value_that_differs_from_its_bound_by_rounding_is_called_optimal(
    bound: float, is_optimal: bool, snapshot: SnapshotAssertion
) -> None:
    rounded = replace(BEFORE, average_hops=1.1 * (1 + 1e-12))
    found = mapped(rounded, lower_bound=bound)
    assert found.mapping.proven_optimal == is_optimal
    assert mapping_document(found)[0].notes[0] == snapshot


def test_report_names_what_got_worse_for_the_sake_of_the_chosen_metric(
    snapshot: SnapshotAssertion,
) -> None:
    traded = Metrics(1.1, 3, 5.0, 12345.0, 8.0, 4.5)
    assert mapping_document(mapped(traded))[0].notes == snapshot


def test_report_of_one_method_alone_says_where_it_is_worse_than_the_identity(
    snapshot: SnapshotAssertion,
) -> None:
    worse = Metrics(2.5, 5, 3.0, 12345.0, 8.0, 4.5)
    alone = replace(mapped(worse), alone=True)
    assert mapping_document(alone)[0].notes == snapshot


def test_report_says_when_the_identity_stays(snapshot: SnapshotAssertion) -> None:
    messages = {
        bound: mapping_document(mapped(BEFORE, "hops", bound))[0].notes[0] for bound in (1.0, 1.25)
    }
    assert messages == snapshot


def test_report_says_what_the_inside_of_hosts_gains_by_it(snapshot: SnapshotAssertion) -> None:
    notes = [
        mapping_document(replace(mapped(BEFORE), inside=HopsInside(2048.0, has)))[0].notes[1]
        for has in (1024.0, 2048.0)
    ]
    assert notes == snapshot


def test_json_has_the_keys_promised_in_their_order() -> None:
    report = json.loads(document_text(mapping_content(mapped(BEFORE))))
    assert list(report) == [
        "format", "before", "after", "method", "lower_bound", "proven_optimal", "hops_inside",
        "seconds", "permutation",
    ]  # fmt: skip
    assert list(report["before"]) == [
        "average_hops", "max_hops", "max_link_load", "hop_bytes", "internode_edges",
        "max_node_edges",
    ]  # fmt: skip
    assert report["permutation"] == [0, 2, 1, 3]
    assert (report["lower_bound"], report["proven_optimal"]) == (0.0, False)
    reached = json.loads(document_text(mapping_content(mapped(BEFORE, lower_bound=1.25))))
    assert (reached["lower_bound"], reached["proven_optimal"]) == (1.25, True)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("average_hops", 2.0, "2.00"),
        ("hop_bytes", 1e7, "10,000,000"),
        ("hop_bytes", 0.125, "0.125"),
        ("max_hops", 3, "3"),
    ],
)
def test_counts_are_whole_and_averages_have_two_decimals(
    name: str, value: float, text: str
) -> None:
    assert number(name, value) == text


# -- several jobs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([5], "5"), ([0, 1, 2, 4, 6, 7], "0-2, 4, 6-7")],
)
def test_slots_are_told_in_ranges(numbers: Sequence[int], text: str) -> None:
    assert ranges(numbers) == text


def division(foreign: float) -> Division:
    whole = synthetic_machine("torus:8")
    jobs = tuple(
        Job(name, open_grid((3,)), whole.take(np.array(slots)))
        for name, slots in (("A", [0, 2, 4]), ("B", [1, 3, 5]))
    )
    traffic = np.array([[6.0, foreign], [foreign / 2, 6.0]])
    return Division(jobs, (np.arange(3),) * 2, (BEFORE, BEFORE), traffic)


def test_jobs_report_has_each_pair_in_both_directions_and_their_sum(
    snapshot: SnapshotAssertion,
) -> None:
    sharing = Sharing(division(8.0), division(4.0), division(0.0))
    assert lines(sharing_document(sharing, "torus:8")) == snapshot


def test_jobs_report_says_when_no_division_is_better(snapshot: SnapshotAssertion) -> None:
    same = division(4.0)
    none = division(0.0)
    messages = {
        "no better division": Sharing(division(8.0), same, same),
        "nothing shared": Sharing(none, none, none),
    }
    assert {
        name: sharing_document(sharing, "torus:8")[1].notes for name, sharing in messages.items()
    } == snapshot


def test_jobs_json_has_three_states_with_slots_and_loads() -> None:
    report = json.loads(
        document_text(sharing_content(Sharing(division(8.0), division(4.0), division(0.0))))
    )
    assert list(report) == ["format", "before", "mapped", "divided"]
    assert report["before"]["foreign_load"] == 12.0
    assert report["before"]["loads"] == [[6.0, 8.0], [4.0, 6.0]]
    assert [job["slots"] for job in report["mapped"]["jobs"]] == [[0, 2, 4], [1, 3, 5]]


# -- dims ------------------------------------------------------------------------------------------


def test_dims_without_a_machine_are_a_grid_alone(snapshot: SnapshotAssertion) -> None:
    assert lines(dims_document([Factorisation("balanced", (9, 8), None)])) == snapshot


def test_dims_for_a_machine_come_with_what_they_cost(snapshot: SnapshotAssertion) -> None:
    found = [Factorisation("balanced", (9, 8), BEFORE), Factorisation("for m", (12, 6), BEFORE)]
    assert lines(dims_document(found)) == snapshot
    report = json.loads(document_text(grids_content(found)))
    assert [row["dims"] for row in report["grids"]] == [[9, 8], [12, 6]]
    assert report["grids"][0]["metrics"]["average_hops"] == 1.25
