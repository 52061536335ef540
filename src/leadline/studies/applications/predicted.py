"""What models would have said of a program: its calls by fits of the same run, and its computing.

T = T_null + sum of count * T_call(m): the time of the same program over no library, in the same
blocks, and of each call what its pattern takes: by its closed form, or where none fits, on the line
between the sizes measured. Bounds add up: what a model is wrong by it is wrong by in every call.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.models.calls import ProgramCall
from leadline.models.fitted import fitted
from leadline.models.model import Model, NotFitted
from leadline.models.program import UnservedError, call_times
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE
from leadline.studies.applications.calls import ProgramChoice, program_calls
from leadline.studies.applications.stages import COMPUTING, PARTS, PROGRAMS
from leadline.studies.estimates import estimate
from leadline.studies.results import Measurand, Results, UnmeasuredError


@lru_cache(maxsize=1)
def _fits(analysis: Analysis) -> tuple[Model | NotFitted, ...]:
    return fitted(analysis, PARTS)


def predicted(results: Results, program: ProgramChoice, variant: str, ranks: int) -> Estimate:
    """Seconds of a repetition; UnmeasuredError says what there is no time of."""
    computing = results.counted(Measurand(PROGRAMS, COMPUTING, ranks, program.label))
    calls = (
        _call(results, variant, ranks, call).scaled(call.count)
        for call in program_calls(program, ranks)
    )
    return _sum([estimate(computing), *calls])


def formless(results: Results, program: ProgramChoice, variant: str, ranks: int) -> list[str]:
    """Patterns of a program's calls that no closed form fits."""
    calls = program_calls(program, ranks)
    lacking = (one.pattern for one in calls if _by_form(results, variant, ranks, one) is None)
    return list(dict.fromkeys(lacking))


def _call(results: Results, variant: str, ranks: int, call: ProgramCall) -> Estimate:
    """Seconds of one call."""
    found = _by_form(results, variant, ranks, call)
    return found or _between_sizes(results, variant, ranks, call)


def _by_form(results: Results, variant: str, ranks: int, call: ProgramCall) -> Estimate | None:
    """None: no closed form was fitted."""
    models = [one for one in _fits(results.analyses[PROGRAMS]) if one.variant == variant]
    if not models:
        return None
    try:
        whole = call_times(models, call, 1, np.array([ranks])).seconds[0]
    except UnservedError:
        return None
    return whole.scaled(1 / call.count)


def _between_sizes(results: Results, variant: str, ranks: int, call: ProgramCall) -> Estimate:
    """On the line from the size measured below the call's to that above; at the ends nearest."""
    place = Measurand(PROGRAMS, variant, ranks, call.pattern)
    known = results.sizes(place)
    if not known:
        raise UnmeasuredError(results.why(place))
    wanted, sizes = call.size.bytes, sorted(known)
    above = min(bisect_left(sizes, wanted), len(sizes) - 1)
    below = max(above - 1, 0)
    a, b = sizes[below], sizes[above]
    share = min(max((wanted - a) / (b - a), 0.0), 1.0) if b > a else 0.0
    ends = ((size, part) for size, part in ((a, 1 - share), (b, share)) if part > 0)
    return _sum([estimate(known[size]).scaled(part) for size, part in ends])


def _sum(found: Sequence[Estimate]) -> Estimate:
    """Values and bounds added up."""
    value, n = math.fsum(one.value for one in found), min(one.n for one in found)
    bounds = [one.bounds for one in found if one.bounds]
    if len(bounds) < len(found):
        return Estimate(value, n=n)
    low, high = (math.fsum(one[k] for one in bounds) for k in (0, 1))
    return Estimate(value, low, high, CONFIDENCE, n)
