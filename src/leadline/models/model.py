"""A fitted model: of what it is, its form, what it was fitted to, and how far it may be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from leadline.compare.origins import Labelled
from leadline.models.forms import ClosedForm, Term
from leadline.record.caveats import Caveat
from leadline.record.run import Origin, WhoseTime
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats


@dataclass(frozen=True, slots=True)
class Subject(Labelled):
    """One variant and pattern, and how these were run."""

    variant: str
    pattern: str
    """With its options."""
    buffers: str
    cadence: str
    threads: int
    origin: Origin
    """Of what was measured, or stated; of models, of what they were fitted to."""
    whose_time: WhoseTime = field(default=WhoseTime.UNSTATED, kw_only=True)
    """How the times of all ranks became one: rank 0's, the slowest one's, or their mean."""


def subject_of(one: Subject) -> dict[str, Any]:
    """The fields that say what `one` is of, for what is made of it."""
    return {each.name: getattr(one, each.name) for each in fields(Subject)}


class Break(StrEnum):
    """What a breakpoint is, by what the curve does there."""

    PROTOCOL_SWITCH = "protocol switch"
    """The time jumps, or a byte costs less above it: another way of sending."""
    CACHE_EDGE = "cache edge"
    """No jump, and a byte costs more above it: the buffers leave a cache."""
    CHANGE = "change of form"
    """Blocks don't tell which."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where one piece ends and the next begins."""

    bytes: Estimate
    """Between the two measured sizes that it lies between; bounds enclose these at least."""
    kind: Break
    jump: Estimate
    """Time of the piece above over that of the piece below, there, at the most ranks."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The factor of one term."""

    term: Term
    value: Estimate
    """In the term's unit."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of sizes in which one set of coefficients holds."""

    least_bytes: int
    """The smallest size fitted."""
    most_bytes: int
    """The largest."""
    coefficients: tuple[Coefficient, ...]
    """In the order of the form's terms."""
    covariance: Floats
    """Of these, shape (terms, terms), over blocks; empty, shape (0, 0): the values were stated."""

    @property
    def latency_s(self) -> Estimate:
        """The constant, where there is one number of ranks."""
        return self.coefficients[0].value


@dataclass(frozen=True, slots=True)
class Misfit:
    """How far truth lies from predictions beyond noise, by what was held out."""

    deviation: float
    """Standard deviation, in natural logarithms."""
    quantile: float
    """Of Student's t, that makes an interval of 95 % of it, the noise and the fit's error."""


@dataclass(frozen=True, slots=True)
class RunSpread:
    """How far runs of a machine lie apart, beyond what their blocks show."""

    deviation: float
    """Standard deviation of a run's level, in natural logarithms."""
    quantile: float
    """Of Student's t, that makes an interval of 95 % of it."""
    runs: int
    """That show it; 0: it was stated."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """How far a new campaign's median lies from what is predicted."""

    noise: float
    """Standard error of a campaign's median in one cell, in natural logarithms."""
    between_sizes: Misfit
    """At the numbers of ranks fitted, and sizes from the least to the most."""
    between_ranks: Misfit
    """At numbers of ranks in between: no less than between sizes."""
    outside: Misfit
    """Of the form alone."""
    runs_apart: RunSpread | None = None
    """None: nobody knows, and intervals are of a campaign of the same hour."""


@dataclass(frozen=True, slots=True)
class Residuals:
    """What a form lacks at the points that it was fitted to, which predictions add."""

    seconds: Floats
    """What is no noise of medians less the form, shape (ranks, sizes); 0: nothing was measured."""
    between_ranks: float
    """Which share of it, 0 to 1, is added at numbers of ranks in between."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Relative errors at sizes and numbers of ranks that were left out, shares of 1.

    A time that is predicted too short by a factor is as far off as one too long by as much.
    """

    median_error: float
    p90_error: float
    form_error: float
    """The median error of the form alone, without residuals."""
    baseline_error: float
    """The median error of the constant."""
    baseline_p90_error: float


class RankSet(StrEnum):
    """Which numbers of ranks a set of pieces is for."""

    ALL = "all"
    POWERS_OF_TWO = "powers of two"
    OTHERS = "other numbers"


@dataclass(frozen=True, slots=True)
class Algorithm:
    """Which algorithm a library appears to use in a range of sizes."""

    least_bytes: int
    most_bytes: int
    name: str | None
    """None: undecided."""
    confidence: float | None
    """Share of resampled campaigns in which it fits best; None: nothing was resampled."""
    why: str
    """What decided, or why nothing did."""
    over_lower_bound: Estimate | None
    """Time over the least that any algorithm takes, at the most ranks and the largest size there;
    None: what a message takes between two ranks isn't known."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What all ranks together deliver at one number of them, in the limit of long messages."""

    ranks: int
    bytes_per_s: Estimate
    """R_inf(p) = lim f(m, p) / D(m, p); f is the payload of all ranks, docs/numbers.md."""
    half_bytes: Estimate
    """The size from which on half of it is reached for good; 0: every size has as much."""


@dataclass(frozen=True, slots=True)
class Model(Subject):
    """The closed form of one variant and pattern."""

    ranks: tuple[int, ...]
    """Fitted; one: it holds for this number alone."""
    sizes_bytes: tuple[int, ...]
    blocks: int
    """Behind a typical point of the number of ranks that has the fewest; 0: fitted to stated
    values, so that nothing has an interval."""
    form: ClosedForm
    pieces: tuple[tuple[RankSet, tuple[Piece, ...]], ...]
    """By size, of each family; one family unless powers of two are apart."""
    breakpoints: tuple[Breakpoint, ...]
    """Between successive pieces; of all families the same."""
    scatter: Scatter | None
    """None: there are no intervals."""
    held_out: HeldOut | None
    """None: too few sizes to leave any out."""
    residuals: Residuals | None = None
    """None: predictions follow the form alone."""
    algorithms: tuple[Algorithm, ...] = ()
    """By size; empty: none is known for the pattern."""
    aggregate: tuple[Aggregate, ...] = ()
    """By ranks; empty: no payload is defined, or no size has half of the limit."""
    handover_ns: float | None = None
    """A cache line's round trip between the ranks' cores while they were measured; None: it isn't
    known. Where the cores are in another state, times are others too."""
    caveats: tuple[Caveat, ...] = ()

    @property
    def has_intervals(self) -> bool:
        """Whether coefficients and predictions have any."""
        return self.scatter is not None

    @property
    def of_powers_alone(self) -> bool:
        """Whether all of several numbers of ranks are powers of two, so that others are unknown."""
        return len(self.ranks) > 1 and all(one.bit_count() == 1 for one in self.ranks)


@dataclass(frozen=True, slots=True)
class NotFitted:
    """Observations that no model is fitted to, and why."""

    variant: str
    pattern: str
    reason: str
    """What is lacking, what was there, what would do."""
