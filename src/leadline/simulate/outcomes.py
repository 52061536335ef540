"""What cells come to: times that a run can state, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from leadline.errors import UsageError
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import LONGEST_S
from leadline.simulate.flow import NoMemoryError
from leadline.simulate.timing import Timed

YEAR_S = 365 * 86400.0
_MOST_YEARS = 10**6
"""More are said as "over"."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A cell that no time can be stated of."""

    label: str
    """E.g. "bcast 1 MiB on 16 ranks"."""
    kind: CaveatKind
    why: str


def outcome(label: str, timed: Callable[[], Timed]) -> Timed | LeftOut:
    """What `timed` gives where a run can state it, else why not.

    MachineError: there is no C compiler.
    """
    try:
        found = timed()
    except (MemoryError, NoMemoryError, UsageError) as error:
        return LeftOut(label, CaveatKind.UNSIMULATED, str(error))
    took = found.seconds
    if took == 0:
        return LeftOut(label, CaveatKind.NO_COST, "nothing of it costs time there")
    if not took < LONGEST_S:
        years = _years(took / YEAR_S)
        return LeftOut(f"{label} ({years})", CaveatKind.TOO_LONG, "longer than a run can state")
    return found


def _years(years: float) -> str:
    return f"over {_MOST_YEARS:,} years" if not years < _MOST_YEARS else f"{years:,.0f} years"


def caveats_of(left_out: Iterable[LeftOut]) -> Iterator[Caveat]:
    """A caveat for each reason, with all cells that it is the reason for, each once."""
    labels: dict[tuple[CaveatKind, str], dict[str, None]] = {}
    for one in left_out:
        labels.setdefault((one.kind, one.why), {})[one.label] = None
    for (kind, why), named in labels.items():
        yield kind.because(f"{', '.join(named)}: {why}")
