"""A study of a paper that never was, whose one stage has a network of its own."""

from __future__ import annotations

from leadline.measure.spec import Request
from leadline.papers.layout import Column, StudyTable, TableRow, measured
from leadline.papers.results import Measurand, Results
from leadline.papers.study import Scale, Stage, StageNetwork, Study
from leadline.papers.units import Unit

STAGE, LIBRARY, SIZE_BYTES = "line", "tcp", 4096
NETWORK = StageNetwork("tinystudy", "20Mbit", 2)


def _stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    request = Request(patterns=("pingpong",), sizes=(SIZE_BYTES,), budget_s=budget_s)
    return (Stage(STAGE, request, network=NETWORK),)


def _tables(results: Results) -> tuple[StudyTable, ...]:
    time = measured(lambda: results.time(Measurand(STAGE, LIBRARY, 2, "pingpong", SIZE_BYTES)))
    columns = (Column("Half round trip", Unit.MILLISECONDS),)
    return (StudyTable(1, "A line", ("System",), columns, (TableRow(("here",), (time,)),), ()),)


STUDY = Study(
    name="tiny-network",
    title="a line between two",
    question="How long is a line?",
    source="nobody",
    scale=Scale({"any two": 1}, (2,)),
    full_s=6.0,
    quick_s=3.0,
    stages=_stages,
    tables=_tables,
    claims=(),
    kinds=(LIBRARY,),
)
