"""Closed forms of what was measured, and what a program takes by them on more PEs.

T(m, p) = t0(p) + D(p) m: a start-up and a transmission, of PEs with a core each.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from leadline.compare.analysis import Analysis
from leadline.models.calls import Calls, CallSize, ProgramCall
from leadline.models.fitted import fitted
from leadline.models.forms import Scaling, Term
from leadline.models.lines import estimate, lines
from leadline.models.model import Aggregate, Model, NotFitted
from leadline.models.program import TradeOff, UnservedError, trade_off
from leadline.papers.collectives.stages import (
    CALLS,
    COLLECTIVES,
    KINDS,
    PAPERS_PES,
    TOTAL_EXCHANGE,
    CollectiveCall,
    variants,
)
from leadline.papers.results import Results, UnmeasuredError
from leadline.statistics.estimate import Estimate

POWERS = tuple(2**k for k in range(1, PAPERS_PES.bit_length()))
WORK_S = 1.0
STEPS = 1000
EXCHANGED_BYTES = 262_144
"""Turned over in each step: each PE sends each other one its share, this over the PEs squared."""
PROGRAM = Calls(
    (ProgramCall(TOTAL_EXCHANGE.pattern, CallSize(EXCHANGED_BYTES, Fraction(2))),), STEPS
)
"""As STAP's corner turn: computation divided, then data that lie along one axis along another."""


@dataclass(frozen=True, slots=True)
class CollectiveForm:
    """The closed form of one operation over one library, or why there is none."""

    call: CollectiveCall
    variant: str
    model: Model | None
    why: str | None = None

    @property
    def limits(self) -> tuple[Aggregate, ...]:
        """R_inf by PEs; empty: none is in sight."""
        return self.model.aggregate if self.model else ()

    @property
    def no_limit(self) -> str:
        """Why there is no R_inf."""
        no_limit = f"{self.variant}: the longest messages show no limit; see docs/numbers.md"
        return self.why or no_limit


def closed_forms(results: Results) -> tuple[CollectiveForm, ...]:
    """By library and operation."""
    analysis = results.analyses.get(COLLECTIVES)
    if analysis is None:
        why = f"the stage {COLLECTIVES} wasn't measured"
        libraries = variants(results) or KINDS[:1]
        return tuple(
            CollectiveForm(call, library, None, why) for library in libraries for call in CALLS
        )
    return _closed_forms(analysis)


@lru_cache(maxsize=8)
def _closed_forms(analysis: Analysis) -> tuple[CollectiveForm, ...]:
    calls, forms = {call.pattern: call for call in CALLS}, []
    for result in fitted(analysis, calls):
        call, model, why = calls[result.pattern], None, None
        if isinstance(result, NotFitted):
            why = f"{result.variant}, {call.name}: {result.reason}"
        else:
            model = result
        forms.append(CollectiveForm(call, result.variant, model, why))
    return tuple(forms)


def startup(model: Model, pes: int) -> Estimate:
    """t0(p), s, of the shortest messages' piece."""
    first = lines(model, pes)[0]
    return estimate(model, first.startup_s, first.spread(1, 0))


def byte_s(model: Model, pes: int) -> Estimate:
    """D(p), s: what a byte takes in the longest messages' piece."""
    last = lines(model, pes)[-1]
    return estimate(model, last.slope_s_per_byte, last.spread(0, 1))


def startup_grows(model: Model) -> bool | None:
    """Whether the shortest messages' start-up surely grows with the PEs.

    False: a constant fits as well, or it falls. None: undecided.
    """
    if not model.has_intervals:
        return None
    scaling = model.form.startup
    if scaling is Scaling.CONSTANT:
        return False
    term = model.form.terms.index(Term(scaling, per_byte=False))
    intervals = [pieces[0].coefficients[term].value.bounds for _, pieces in model.pieces]
    if any(bounds is not None and bounds[1] <= 0 for bounds in intervals):
        return False
    return True if all(bounds is not None and bounds[0] > 0 for bounds in intervals) else None


def program_on(form: CollectiveForm) -> TradeOff:
    """What PROGRAM takes by the form of its total exchange.

    On powers of two up to the paper's 64 where the form says how times grow, else on those that it
    is of. UnmeasuredError: it has no form, or this speaks of other sizes alone.
    """
    if form.model is None:
        raise UnmeasuredError(form.why or f"{form.variant}: no form")
    pes = POWERS if len(form.model.ranks) > 1 else form.model.ranks
    try:
        return trade_off([form.model], WORK_S, 0.0, PROGRAM, pes)
    except UnservedError as error:
        raise UnmeasuredError(str(error)) from None
