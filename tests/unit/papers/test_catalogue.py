from __future__ import annotations

import pytest

from leadline.papers.catalogue import STUDIES, all_studies, study_named
from leadline.papers.units import Unit


@pytest.mark.parametrize("name", STUDIES)
def test_study_has_the_name_of_its_line_and_says_what_it_asks(name: str) -> None:
    study = study_named(name)
    assert study.name == name
    assert study.title and study.question.endswith("?") and study.source
    assert study.scale.machines and sorted(study.scale.pes) == list(study.scale.pes)
    assert 0 < study.quick_s <= study.full_s
    assert study.claims


def test_all_studies_come_in_the_tables_order() -> None:
    assert [study.name for study in all_studies()] == list(STUDIES)


def test_unit_says_what_one_is_worth() -> None:
    values = {
        Unit.MICROSECONDS: (7e-6, 7),
        Unit.MEGABITS_PER_SECOND: (20e6, 160),
        Unit.PERCENT: (0.75, 75),
        Unit.HOPS: (2.5, 2.5),
    }
    for unit, (value, printed) in values.items():
        assert value / unit.worth == pytest.approx(printed)


def test_units_of_one_kind_share_the_unit_of_their_values() -> None:
    symbols = {unit.symbol: unit.si for unit in Unit}
    assert len(symbols) == len(Unit)
    assert {symbols[rate] for rate in ("B/s", "MB/s", "Mbit/s")} == {"B/s"}
    assert {symbols[time] for time in ("s", "ms", "us")} == {"s"}
