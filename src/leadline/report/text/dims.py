"""What `leadline dims` prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from leadline.mapping import Metrics
from leadline.report.document import Document, Section, Table
from leadline.report.text.mapping import LABELS, number
from leadline.report.text.phrases import plural

SHOWN = ("average_hops", "hop_bytes", "internode_edges")
NOTE = "Of a domain in equal parts, after mapping; 1 is all that crosses one of its faces."


@dataclass(frozen=True, slots=True)
class Factorisation:
    """A grid that holds all ranks."""

    name: str
    dims: tuple[int, ...]
    metrics: Metrics | None
    """Of a cube cut so and mapped; None where no machine was given."""


def dims_document(found: Sequence[Factorisation]) -> Document:
    """A row a grid, with what it costs on the machine if there is one."""
    dims = found[0].dims
    heading = f"{plural(math.prod(dims), 'rank')} in {plural(len(dims), 'dimension')}"
    columns = ["", "grid", *(LABELS[name] for name in SHOWN)]
    rows = [(each.name, "x".join(map(str, each.dims)), *_costs(each)) for each in found]
    if found[0].metrics is None:
        columns = columns[:2]
    notes = (NOTE,) if found[0].metrics else ()
    return [Section(heading, Table(tuple(columns), tuple(rows)), notes)]


def _costs(found: Factorisation) -> tuple[str, ...]:
    if found.metrics is None:
        return ()
    values = asdict(found.metrics)
    return tuple(number(name, values[name]) for name in SHOWN)
