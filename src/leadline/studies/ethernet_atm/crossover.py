"""Where ATM overtakes Ethernet: between two sizes at which it is decided who is faster."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.curves import overtaken_at
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats
from leadline.studies.estimates import Quantity, ratio
from leadline.studies.ethernet_atm.curves import bandwidths
from leadline.studies.ethernet_atm.stages import network
from leadline.studies.published.ethernet_atm import ATM, ETHERNET
from leadline.studies.results import Results, UnmeasuredError


@dataclass(frozen=True, slots=True)
class Leads:
    """ATM's bandwidth over Ethernet's, by size, of one library."""

    variant: str
    ratios: dict[int, Estimate]
    """By size, rising; above 1 ATM is faster."""
    point: Estimate | None
    """From how many bytes on ATM is; None where it doesn't overtake Ethernet, or undecided."""
    crowded: bool
    """Measured with more PEs than cores."""

    @property
    def decided(self) -> dict[int, bool]:
        """Whether it is ATM that is faster, at the sizes where the interval says so."""
        bounds = {size: one.bounds for size, one in self.ratios.items()}
        return {
            size: bound[0] > 1
            for size, bound in bounds.items()
            if bound is not None and not bound[0] <= 1 <= bound[1]
        }

    @property
    def ahead(self) -> str | None:
        """The network that is faster wherever it is decided; None: each is somewhere.

        None, too, where it isn't decided at the end at which the other would be faster: the
        smallest size is Ethernet's, the largest ATM's, and the curves may cross before it.
        """
        decided = self.decided
        if set(decided.values()) == {True}:
            return ATM if min(self.ratios) in decided else None
        if set(decided.values()) == {False}:
            return ETHERNET if max(self.ratios) in decided else None
        return None

    @property
    def where(self) -> str:
        """At which sizes the network that is ahead is."""
        decided = len(self.decided) == len(self.ratios)
        return "at every size" if decided else "wherever it is decided"

    @property
    def overtakes(self) -> bool:
        """Whether ATM is faster only beyond sizes at which Ethernet is."""
        atm, ethernet = (
            [s for s, is_atm in self.decided.items() if is_atm is one] for one in (True, False)
        )
        return bool(atm and ethernet) and min(atm) > max(ethernet)


def leads(results: Results, variant: str) -> Leads:
    """Those up to the paper's largest message; UnmeasuredError where a network lacks them."""
    atm, ethernet = (bandwidths(results, network(name), variant) for name in (ATM, ETHERNET))
    common = sorted(atm.keys() & ethernet.keys())
    if not common:
        raise UnmeasuredError(f"{variant}: a size that was measured over both networks")
    ratios = {size: ratio(atm[size], ethernet[size]) for size in common}
    crowded = any(one.crowded for side in (atm, ethernet) for one in side.values())
    found = Leads(variant, ratios, None, crowded)
    if not found.overtakes:
        return found
    point = overtaken_at(common, _ethernet_leads(atm, ethernet, common))
    return replace(found, point=point)


def _ethernet_leads(
    atm: dict[int, Quantity], ethernet: dict[int, Quantity], common: list[int]
) -> Floats:
    """Logarithms of ATM's time over Ethernet's, shape (sizes, blocks).

    The runs' blocks are independent, so that any pairs of them are as good as these, in their
    order; a longer run's last ones have no partner.
    """
    blocks = min(len(one.logs) for side in (atm, ethernet) for one in side.values())
    return np.array([ethernet[size].logs[:blocks] - atm[size].logs[:blocks] for size in common])
