"""Mappings for programs: one job, several jobs on one machine, and grids to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.mapping import Metrics
from leadline.mapping.inside import HopsInside
from leadline.mapping.interference import Division, Sharing
from leadline.report.formats.json_text import numbers
from leadline.report.programs.rows import row_of
from leadline.report.text.mapping import Factorisation, Mapped


class MappingContent(TypedDict):
    """Metrics before and after, and the permutation."""

    before: Metrics
    """Metrics of the identity: rank i in slot i."""
    after: Metrics
    """Metrics of the mapping."""
    method: str
    """The method that found it."""
    lower_bound: float
    """A bound that no mapping's metric is below."""
    proven_optimal: bool
    """Whether the mapping's metric equals the bound."""
    hops_inside: HopsInside | None
    """Null: the machine has no description of the inside of hosts."""
    seconds: float
    """Time of the search."""
    permutation: Sequence[int]
    """The slot of each rank."""


class JobRow(TypedDict):
    """One of several jobs."""

    name: str
    slots: Sequence[int]
    permutation: Sequence[int]
    """The index in `slots` of each rank's slot."""
    metrics: Metrics


class DivisionRow(TypedDict):
    """The slots of each job, and the load that jobs cause each other."""

    jobs: Sequence[JobRow]
    foreign_load: float
    loads: Sequence[Sequence[float]]
    """[i][j]: the load by job j on the links of job i."""


class SharingContent(TypedDict):
    """Several jobs on one machine, in three states."""

    before: DivisionRow
    mapped: DivisionRow
    divided: DivisionRow


class GridRow(TypedDict):
    """A grid that holds all ranks."""

    name: str
    dims: Sequence[int]
    metrics: Metrics | None
    """Those of a cube divided like this and mapped; null: no machine was given."""


class GridsContent(TypedDict):
    """Grids to choose from."""

    grids: Sequence[GridRow]


def mapping_content(mapped: Mapped) -> MappingContent:
    """Metrics before and after, and the permutation."""
    result = mapped.mapping
    permutation = numbers(result.permutation)
    return row_of(MappingContent, result, hops_inside=mapped.inside, permutation=permutation)


def sharing_content(sharing: Sharing) -> SharingContent:
    """The jobs in each of the three states, and the loads that they cause each other."""
    return {
        "before": _division(sharing.before),
        "mapped": _division(sharing.mapped),
        "divided": _division(sharing.divided),
    }


def _division(division: Division) -> DivisionRow:
    jobs: list[JobRow] = [
        {
            "name": job.name,
            "slots": job.allocation.numbers.tolist(),
            "permutation": permutation.tolist(),
            "metrics": metrics,
        }
        for job, permutation, metrics in zip(
            division.jobs, division.permutations, division.metrics, strict=True
        )
    ]
    return {"jobs": jobs, "foreign_load": division.foreign, "loads": division.traffic.tolist()}


def grids_content(factorisations: Sequence[Factorisation]) -> GridsContent:
    """All grids, each with its name, lengths and metrics."""
    return {"grids": [row_of(GridRow, each) for each in factorisations]}
