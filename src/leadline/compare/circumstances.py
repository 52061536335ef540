"""What went on while a cell was timed, and whether ranks above the core count may judge it.

Where ranks outnumber cores, the scheduler is timed along with the library, unless a link between
hosts is what they all wait for: then its counters show that it carried what its rate allows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.record.run import Run
from leadline.record.slices import StripConditions, Strips
from leadline.statistics.intervals import Floats

LINK_BOUND_SHARE = 0.70
"""Of what its rate allows: a link that carried less wasn't the limit."""
EXCEEDED_SHARE = 1.25
"""A link that carried more has another rate, or the slice was over before a burst was."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Of one cell under one configuration, over all its slices and the ranks that recorded."""

    oversubscribed: bool = False
    """More ranks, or threads of them, than cores."""
    run_delay_share: float | None = None
    """Share of the time watched for which ranks were ready and had no core; None: not known."""
    link: str | None = None
    """That was the busiest of a slice most often; None: links weren't watched."""
    link_share: float | None = None
    """What the busiest link of each slice carried, of what its rate allows; None: not known."""

    @property
    def link_bound(self) -> bool:
        """Whether a link is shown to be the limit."""
        return self.link_share is not None and LINK_BOUND_SHARE <= self.link_share <= EXCEEDED_SHARE

    @property
    def crowded(self) -> bool:
        """More ranks than cores, and no link that was the limit: part of no verdict."""
        return self.oversubscribed and not self.link_bound


CircumstancesByCell = tuple[tuple[Circumstances, ...], ...]
"""By configuration, then by cell."""


def circumstances_of(run: Run) -> CircumstancesByCell:
    """Those of every cell under every configuration of `run`."""
    shape = len(run.configurations), len(run.cells)
    delays = shares = np.full(shape, np.nan)
    links: dict[tuple[int, int], str] = {}
    if run.strips is not None and run.conditions is not None:
        place = run.strips.configuration, run.strips.cell
        delays = _run_delay_shares(place, run.conditions, shape)
        shares = _link_shares(place, run.conditions, shape)
        links = _links(run.strips, run.conditions)
    return tuple(
        tuple(
            Circumstances(one.oversubscribed, _known(delay), links.get((c, k)), _known(share))
            for k, (delay, share) in enumerate(zip(delays[c], shares[c], strict=True))
        )
        for c, one in enumerate(run.configurations)
    )


Place = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _run_delay_shares(place: Place, found: StripConditions, shape: tuple[int, int]) -> Floats:
    said = (found.run_delay_ns >= 0) & (found.window_ns > 0)
    waited = _summed(place, np.where(said, found.run_delay_ns, 0), shape)
    return _ratio(waited, _summed(place, np.where(said, found.window_ns, 0), shape))


def _link_shares(place: Place, found: StripConditions, shape: tuple[int, int]) -> Floats:
    """Not known where the link of any slice, or its rate, isn't.

    All ranks of a slice have the slice's link, so that summing over them weights every slice alike.
    """
    allowed = found.link_bytes_per_s * found.link_window_ns / 1e9
    shares = _ratio(_summed(place, found.link_bytes, shape), _summed(place, allowed, shape))
    unknown = _summed(place, allowed <= 0, shape) > 0
    return np.where(unknown, np.nan, shares)


def _summed(place: Place, values: npt.NDArray[np.generic], shape: tuple[int, int]) -> Floats:
    sums = np.zeros(shape)
    np.add.at(sums, place, values)
    return sums


def _ratio(part: Floats, whole: Floats) -> Floats:
    ratio: Floats = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio


def _links(strips: Strips, found: StripConditions) -> dict[tuple[int, int], str]:
    """The link named most often in each cell that has one."""
    watched = np.flatnonzero(found.link != "")
    named = Counter(
        zip(
            strips.configuration[watched].tolist(),
            strips.cell[watched].tolist(),
            found.link[watched].tolist(),
            strict=True,
        )
    )
    return {(c, k): link for (c, k, link), _ in reversed(named.most_common())}
