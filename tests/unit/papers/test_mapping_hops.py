"""Table 1 of the study of mapping: what it says is computed is what is computed."""

from __future__ import annotations

import math

import pytest
from harness.mapping_cases import cray, grid
from syrupy.assertion import SnapshotAssertion
from tests.support.study_results import results

from leadline.mapping import map_ranks
from leadline.papers.t3e_mapping.printed import TABLE_1
from leadline.papers.t3e_mapping.tables import COMPUTED, ComputedHops, hops


@pytest.mark.parametrize("row", COMPUTED, ids=lambda row: row.grid)
def test_computed_hops_are_those_of_the_mapper(row: ComputedHops) -> None:
    pattern = grid(*map(int, row.grid.split("x")))
    machine = cray(math.prod(pattern.dims))
    found, by_sort = map_ranks(pattern, machine), map_ranks(pattern, machine, method="sort")
    assert found.before.average_hops == pytest.approx(row.without)
    assert by_sort.after.average_hops == pytest.approx(row.by_sort)
    assert found.after.average_hops == pytest.approx(row.mapped)


def test_papers_rows_are_rounded_computed_ones_where_the_note_does_not_say_otherwise(
    snapshot: SnapshotAssertion,
) -> None:
    for printed, computed in zip(TABLE_1, COMPUTED, strict=True):
        assert printed.grid == computed.grid
        assert printed.without == pytest.approx(computed.without, abs=0.0501)
        agrees = printed.reordered == pytest.approx(computed.by_sort, abs=0.05)
        assert agrees is (printed.reordered != 1.8)
    assert hops(results({})).notes[0] == snapshot
