"""Where the clocks are a part of a time: reading one, and how far those of hosts were apart."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.backends.kinds import is_raw
from leadline.compare.circumstances import Circumstances
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Configuration
from leadline.units import format_time

NOTABLE_READING = 0.02
"""Of a batch, the clock's part: as much as a verdict's threshold usually is."""
USUAL_READING_NS = 30.0
"""Of the clock, where a machine doesn't say."""
NOTABLE_RESIDUAL = 0.02
"""Of an operation's time: what hosts' clocks may be apart where it begins on all at once."""


def clock_bound(
    configuration: Configuration, flagged: bool, batch_s: float, reading_s: float
) -> Iterator[Caveat]:
    """That readings of the clock are a notable part of a library's batches; raw limits have none.

    `flagged`: many of the batches are, by what their launch found. A smaller part decides nothing:
    verdicts are of ratios that differ by more.
    """
    if flagged and not is_raw(configuration.backend) and reading_s > NOTABLE_READING * batch_s:
        yield CaveatKind.CLOCK_BOUND.because(
            f"reading the clock takes {100 * reading_s / batch_s:.0f} % of what is timed at once"
        )


def clocks_apart(around: Circumstances, operation_s: float) -> Iterator[Caveat]:
    """That a common beginning wasn't as common as an operation of so many seconds asks for."""
    residual_ns = around.clock_residual_ns
    if residual_ns is not None and residual_ns * 1e-9 > NOTABLE_RESIDUAL * operation_s:
        yield CaveatKind.CLOCKS.because(
            f"hosts' clocks were {format_time(residual_ns * 1e-9)} apart at the end of visits, "
            f"{100 * residual_ns * 1e-9 / operation_s:.0f} % of the time that is measured from a "
            "common beginning"
        )
