"""Fitted models: subject, form, the points fitted, and the uncertainty of the predictions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta

from leadline.compare.origins import Labelled
from leadline.models.forms import ClosedForm, Term
from leadline.record.run import Origin, WhoseTime
from leadline.record.warnings import RunWarning
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats

LARGEST = 1e30
"""Largest absolute value of a coefficient, variance or ratio."""
FARTHEST_APART = math.log(1e12)
"""Largest variation between runs: intervals of predictions aren't wider."""

Bounded = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]
NotNegative = Annotated[float, Meta(ge=0, le=LARGEST)]
Share = Annotated[float, Meta(ge=0, le=1)]
Bytes = Annotated[int, Meta(ge=0, le=2**50)]
Ranks = Annotated[int, Meta(ge=1, le=2**31)]
Blocks = Annotated[int, Meta(ge=0, le=2**20)]
"""Bounds of what a model file may have, models/file.py."""


@dataclass(frozen=True, slots=True)
class Subject(Labelled):
    """One variant and pattern, and the settings that these were run with."""

    variant: str
    pattern: str
    """Name of the pattern, with its options."""
    buffers: str
    cadence: str
    threads: int
    origin: Origin
    """Origin of what was measured, or stated; for models, of what they were fitted to."""
    whose_time: WhoseTime = field(default=WhoseTime.UNSTATED, kw_only=True)
    """How the times of all ranks were reduced to one: rank 0's, the slowest one's, or the mean."""


def subject_of(subject: Subject) -> dict[str, Any]:
    """Fields of Subject in `subject`, to construct what is derived from it."""
    return {each.name: getattr(subject, each.name) for each in fields(Subject)}


class Break(StrEnum):
    """Kind of a breakpoint, by what the curve does there."""

    PROTOCOL_SWITCH = "protocol switch"
    """The time jumps, or a byte costs less above it: another protocol."""
    CACHE_EDGE = "cache edge"
    """No jump, and a byte costs more above it: the buffers leave a cache."""
    CHANGE = "change of form"
    """The blocks don't decide between the other two."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Size at which one piece ends and the next begins."""

    bytes: Estimate
    """Between two neighbouring measured sizes; the bounds enclose both of these at least."""
    kind: Break
    jump: Estimate
    """Ratio at this size of the time of the piece above to that of the piece below, at the most
    ranks."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """Coefficient of one term."""

    term: Term
    value: Estimate
    """Value in the term's unit."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Range of sizes in which one set of coefficients holds."""

    least_bytes: int
    """Smallest size fitted."""
    most_bytes: int
    """Largest size fitted."""
    coefficients: tuple[Coefficient, ...]
    """Coefficients in the order of the form's terms."""
    covariance: Floats
    """Covariance of the coefficients over blocks, shape (terms, terms); empty, shape (0, 0): the
    values were stated."""

    @property
    def latency_s(self) -> Estimate:
        """Constant term, where there is one number of ranks."""
        return self.coefficients[0].value


@dataclass(frozen=True, slots=True)
class Misfit:
    """Deviation of the truth from predictions beyond noise, by what was held out."""

    deviation: NotNegative
    """Standard deviation, in natural logarithms."""
    quantile: NotNegative
    """Quantile of Student's t by which this, the noise and the fit's error make a 95 % interval."""


@dataclass(frozen=True, slots=True)
class RunSpread:
    """Variation between runs of a machine, beyond what their blocks show."""

    deviation: Annotated[float, Meta(ge=0, le=FARTHEST_APART)]
    """Standard deviation of a run's level, in natural logarithms."""
    quantile: NotNegative
    """Quantile of Student's t by which it makes a 95 % interval."""
    runs: Blocks
    """Number of runs that it was estimated from; 0: it was stated."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """Scatter of a new campaign's median about its prediction."""

    noise: NotNegative
    """Standard error of a campaign's median in one cell, in natural logarithms."""
    between_sizes: Misfit
    """Misfit at the numbers of ranks fitted, and sizes from the least to the most."""
    between_ranks: Misfit
    """Misfit at numbers of ranks in between: no less than between sizes."""
    outside: Misfit
    """Misfit of the form alone."""
    runs_apart: RunSpread | None
    """Variation between runs; None: unknown, and intervals are for a campaign of the same hour."""


@dataclass(frozen=True, slots=True)
class Residuals:
    """Residuals of a form at the points that it was fitted to, which predictions add."""

    seconds: Floats
    """Part of medians minus form that is no noise, shape (ranks, sizes); 0: not measured."""
    between_ranks: float
    """Share of it, 0 to 1, that is added at numbers of ranks in between."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Relative errors at sizes and numbers of ranks that were left out, as fractions of 1.

    A time predicted too short by a factor counts as much as one too long by the same factor.
    """

    median_error: NotNegative
    p90_error: NotNegative
    form_error: NotNegative
    """Median error of the form alone, without residuals."""
    baseline_error: NotNegative
    """Median error of the constant."""
    baseline_p90_error: NotNegative


class RankSet(StrEnum):
    """Numbers of ranks that a set of pieces is for."""

    ALL = "all"
    POWERS_OF_TWO = "powers of two"
    OTHERS = "other numbers"


@dataclass(frozen=True, slots=True)
class Algorithm:
    """Algorithm that a library appears to use in a range of sizes."""

    least_bytes: int
    most_bytes: int
    name: str | None
    """Name of the algorithm; None: undecided."""
    confidence: float | None
    """Share of resampled campaigns in which it fits best; None: nothing was resampled."""
    why: str
    """Grounds of the decision, or the reason why there is none."""
    over_lower_bound: Estimate | None
    """Ratio of the time to the least that any algorithm takes, at the most ranks and the largest
    size there; None: the time of a message between two ranks isn't known."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Aggregate bandwidth of all ranks at one number of them, in the limit of long messages."""

    ranks: int
    bytes_per_s: Estimate
    """R_inf(p) = lim f(m, p) / D(m, p); f is the payload of all ranks, docs/numbers.md."""
    half_bytes: Estimate
    """Size from which on half of it is reached for good; 0: at every size."""


@dataclass(frozen=True, slots=True)
class Model(Subject):
    """Fitted model of one variant and pattern."""

    ranks: tuple[int, ...]
    """Numbers of ranks fitted; if there is one, the model holds for this number alone."""
    sizes_bytes: tuple[int, ...]
    blocks: int
    """Blocks of a typical point at the number of ranks that has the fewest; 0: fitted to stated
    values, so that nothing has an interval."""
    form: ClosedForm
    pieces: tuple[tuple[RankSet, tuple[Piece, ...]], ...]
    """Pieces by size, for each family; one family unless powers of two are apart."""
    breakpoints: tuple[Breakpoint, ...]
    """Breakpoints between successive pieces; the same for all families."""
    scatter: Scatter | None
    """Scatter about predictions; None: there are no intervals."""
    held_out: HeldOut | None
    """Errors at points left out; None: too few sizes to leave any out."""
    residuals: Residuals | None = None
    """Residuals that predictions add; None: predictions follow the form alone."""
    algorithms: tuple[Algorithm, ...] = ()
    """Algorithms by size; empty: none is known for the pattern."""
    aggregate: tuple[Aggregate, ...] = ()
    """Aggregate bandwidth by ranks; empty: no payload is defined, or no size has half of the
    limit."""
    core_latency_ns: float | None = None
    """Core-to-core latency (round trip of a cache line) between the ranks' cores while they were
    measured; None: not known. Where the cores are in another state, times differ too."""
    warnings: tuple[RunWarning, ...] = ()

    @property
    def has_intervals(self) -> bool:
        """Whether coefficients and predictions have intervals."""
        return self.scatter is not None

    @property
    def of_powers_alone(self) -> bool:
        """Whether all of several numbers of ranks are powers of two, so that others are unknown."""
        return len(self.ranks) > 1 and all(ranks.bit_count() == 1 for ranks in self.ranks)


@dataclass(frozen=True, slots=True)
class NotFitted:
    """Observations that no model is fitted to, with the reason."""

    variant: str
    pattern: str
    reason: str
    """What is missing, what was there, and what to do."""
