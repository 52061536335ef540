"""The four numbers of the ping-pongs that a run measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.compare.summaries import Summary
from leadline.models.hockney import PointToPoint, point_to_point


@dataclass(frozen=True, slots=True)
class PingPong:
    """The four numbers of one configuration's ping-pong."""

    variant: str
    ranks: int
    buffers: str
    numbers: PointToPoint


def ping_pongs(rows: Sequence[Summary]) -> tuple[PingPong, ...]:
    """Latency, bandwidth, n_1/2 and the regression of every ping-pong among `rows`."""

    def curve(row: Summary) -> tuple[str, int, str, str]:
        return row.variant, row.ranks, row.buffers, row.cadence

    found = sorted(
        (row for row in rows if row.pattern == "pingpong"), key=lambda r: (*curve(r), r.size_bytes)
    )
    grouped = ((key, list(group)) for key, group in groupby(found, curve))
    return tuple(
        PingPong(*key[:3], point_to_point([r.size_bytes for r in g], [r.median_s for r in g]))
        for key, g in grouped
    )
