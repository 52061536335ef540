"""The four numbers of the ping-pongs that a run measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.compare.origins import Labelled
from leadline.compare.summaries import Summary
from leadline.models.hockney import PointToPoint, point_to_point
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Origin


@dataclass(frozen=True, slots=True)
class PingPong(OnCurve, Labelled):
    """The four numbers of one configuration's ping-pong."""

    curve: CurveKey
    variant: str
    numbers: PointToPoint
    origin: Origin = Origin.MEASURED


def ping_pongs(rows: Sequence[Summary]) -> tuple[PingPong, ...]:
    """Latency, bandwidth, n_1/2 and the regression of every ping-pong among `rows`."""
    found = sorted(
        (row for row in rows if row.pattern == "pingpong"), key=lambda r: (*_owner(r), r.size_bytes)
    )
    return tuple(
        PingPong(curve, variant, _numbers(list(group)), origin)
        for (variant, origin, curve), group in groupby(found, _owner)
    )


def _owner(row: Summary) -> tuple[str, Origin, CurveKey]:
    return row.variant, row.origin, row.curve


def _numbers(rows: Sequence[Summary]) -> PointToPoint:
    return point_to_point([row.size_bytes for row in rows], [row.median_s for row in rows])
