"""A study of a paper that never was: a stage, a table, and a claim for each unit of links."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from leadline.measure.spec import Request
from leadline.papers.estimates import Quantity, estimate
from leadline.papers.findings import Claim, Conclusion, Evidence, above
from leadline.papers.layout import Column, StudyTable, TableEntry, TableRow, measured, published
from leadline.papers.results import Measurand, Results, UnmeasuredError
from leadline.papers.study import Scale, Stage, Study
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

STAGE, LIBRARY, SIZE_BYTES = "link", "shm", 65_536
FIGURE = "ethernet-atm.peak.ethernet.mpich"
"""Of a paper, for want of one of its own."""
PAPER = FIGURE.partition(".")[0]
LINK_BYTES_PER_S, REACHED, MEAN_HOPS = 20e6, 0.75, 2.5
"""160 Mbit/s; of which messages got so much; over so many links."""


def _bandwidth(results: Results) -> Quantity:
    half_trip = results.time(Measurand(STAGE, LIBRARY, 2, "pingpong", SIZE_BYTES))
    return Quantity(half_trip.run, math.log(SIZE_BYTES) - half_trip.logs)


def _tables(results: Results) -> tuple[StudyTable, ...]:
    def of_the_link() -> Quantity:
        raise UnmeasuredError("a link between hosts: name them by --hosts")

    columns = (
        Column("Bandwidth", Unit.MEGABITS_PER_SECOND),
        Column("Of the link", Unit.PERCENT),
        Column("Way", Unit.HOPS),
    )
    bandwidth = measured(lambda: _bandwidth(results)).put_beside(LIBRARY, FIGURE)
    here = (bandwidth, measured(of_the_link), TableEntry(Estimate(0.0)))
    there = published(REACHED * LINK_BYTES_PER_S, REACHED, MEAN_HOPS)
    rows = (TableRow(("here",), here), TableRow(("RING/8",), there))
    return (StudyTable(7, "Links", ("System",), columns, rows, ()),)


def _claim(text: str, unit: Unit, of: Callable[[Estimate], Estimate]) -> Claim:
    def test(results: Results) -> Conclusion:
        return above(Evidence("it is {}", of(estimate(_bandwidth(results))), unit), 0)

    return Claim("table 7", text, test)


STUDY = Study(
    name="tiny",
    title="one link",
    question="Is shared memory faster than one link of a ring?",
    source="nobody",
    paper="ethernet-atm",
    scale=Scale({"RING/8": 8}, (2,)),
    full_s=12.0,
    quick_s=6.0,
    stages=lambda budget_s, quick, cores: [
        Stage(STAGE, Request(patterns=("pingpong",), sizes=(SIZE_BYTES,), budget_s=budget_s))
    ],
    tables=_tables,
    claims=(
        _claim("There is bandwidth", Unit.MEGABITS_PER_SECOND, lambda found: found),
        _claim("The link is used", Unit.PERCENT, lambda found: found.scaled(1 / LINK_BYTES_PER_S)),
        _claim("There is a way", Unit.HOPS, lambda _: Estimate(MEAN_HOPS, 2.0, 3.0)),
    ),
)


def put_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of all other studies: three seconds over raw shared memory, in 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("leadline.papers.catalogue.all_studies", lambda: [STUDY])
    monkeypatch.setattr("leadline.cli.stages._names", lambda *_: ["shm"])
