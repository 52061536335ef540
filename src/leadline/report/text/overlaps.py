"""Which share of non-blocking operations computation hides: one table a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.compare.overlap import HiddenShare
from leadline.record.curve import CurveKey
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.phrases import MISSING, plural, size


def overlap_sections(found: Sequence[HiddenShare]) -> Iterator[Section]:
    """One table for each pattern, number of ranks, buffers policy and cadence."""
    by_curve: dict[CurveKey, list[HiddenShare]] = {}
    for share in found:
        by_curve.setdefault(share.curve, []).append(share)
    for curve, members in by_curve.items():
        parts = [
            curve.pattern,
            "share of the operation that computation hides",
            plural(curve.ranks, "rank"),
            curve.cadence,
            f"{curve.buffers} buffers",
        ]
        if members[0].oversubscribed:
            parts.append("oversubscribed")
        if any(share.hidden.bounds for share in members):
            parts.append("95 % intervals")
        yield Section(SEPARATOR.join(parts), _table(members))


def _table(members: Sequence[HiddenShare]) -> Table:
    labels = list(dict.fromkeys(share.label for share in members))
    sizes = sorted({share.size_bytes for share in members})
    known = {(share.label, share.size_bytes): _percent(share) for share in members}
    rows = tuple(
        (size(each, len(sizes)), *(known.get((label, each), MISSING) for label in labels))
        for each in sizes
    )
    return Table(("size", *labels), rows)


def _percent(share: HiddenShare) -> str:
    """E.g. "62 % (55 to 68)"; with too few blocks for an interval "62 %, 2 blocks"."""
    value = f"{100 * share.hidden.value:.0f} %"
    if share.hidden.bounds is None:
        return f"{value}, {plural(share.blocks, 'block')}"
    low, high = share.hidden.bounds
    return f"{value} ({100 * low:.0f} to {100 * high:.0f})"
