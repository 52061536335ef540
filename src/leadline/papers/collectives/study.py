"""What the abstract says, compared with the MPIs of today, and the study as a whole."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations, product

from leadline.models.model import Model
from leadline.papers.catalogue import figure_of
from leadline.papers.collectives import KEY, PARAGON, SOURCE, SP2, T3D
from leadline.papers.collectives.forms import closed_forms, startup_grows
from leadline.papers.collectives.stages import (
    BARRIER,
    CALLS,
    COLLECTIVES,
    FEWEST,
    FULL_S,
    KINDS,
    LONG_BYTES,
    NUMBERS_OF_PES,
    PAPERS_PES,
    QUICK_S,
    SHORT_BYTES,
    TOTAL_EXCHANGE,
    TWO_LIBRARIES,
    CollectiveCall,
    counted,
    sizes,
    stages,
    surely_faster,
    surely_first,
    variants,
    widest,
)
from leadline.papers.collectives.tables import figures, tables
from leadline.papers.estimates import estimate, ratio
from leadline.papers.findings import (
    MORE_BLOCKS,
    Claim,
    Conclusion,
    Evidence,
    Outcome,
    above,
    between,
    unless,
)
from leadline.papers.results import Results, UnmeasuredError, cores_for
from leadline.papers.study import Scale, Study
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

AS_MANY = cores_for(PAPERS_PES)
ALMOST_ALL = 0.8
"""Share of all operations and sizes."""
SWITCHING = tuple(call for call in CALLS if call.pattern in ("alltoall", "scatter", "gather"))
"""Where the paper says that the SP2 leads short messages, and the Paragon long ones."""
T3D_RATE, T3D_BARRIER = "collectives.total-exchange.t3d.64", "collectives.barrier.t3d.time"
LEAST, MOST = "collectives.range.64.least", "collectives.range.64.most"


def _hardware_barrier(results: Results) -> Conclusion:
    """The fastest barrier of any library beside the T3D's; one that was lost might be faster.

    Where fewer PEs than the paper's are slower, so are as many; where they are faster, that shows
    nothing: a barrier of fewer is easier. On how many PEs its 3 us are the abstract doesn't say; it
    has 64.
    """
    pes, known, lost = widest(results), dict[str, Estimate](), list[str]()
    for library in variants(results):
        try:
            known[library] = estimate(counted(results, library, BARRIER, pes, 0))
        except UnmeasuredError as lack:
            if not results.absent(COLLECTIVES, library, BARRIER.pattern):
                lost.append(str(lack))
    if not known:
        raise UnmeasuredError("no library's barrier was measured")
    _, variant = min((time.value, library) for library, time in known.items())
    in_seconds = Evidence("it is {}", known[variant], Unit.SECONDS)
    beside = known[variant].scaled(1 / figure_of(T3D_BARRIER).si)
    conclusion = above(
        Evidence(f"{variant}'s of {pes} PEs takes {{}} times the T3D's", beside), 1, in_seconds
    )
    if conclusion.answer is Outcome.FAILS and pes < PAPERS_PES:
        return Conclusion(Outcome.OPEN, conclusion.evidence, AS_MANY)
    return unless(conclusion, lost)


def _startups_grow(results: Results) -> Conclusion:
    answers = [
        startup_grows(form.model)
        for form in closed_forms(results)
        if form.model and len(form.model.ranks) >= FEWEST
    ]
    if not answers:
        raise UnmeasuredError(cores_for(NUMBERS_OF_PES[FEWEST - 1]))
    sure, undecided = answers.count(True) / len(answers), answers.count(None) / len(answers)
    text = (
        "{}" + f" of {len(answers)} closed forms have a start-up that surely grows as log2 p or p"
    )
    shown = Evidence(text, Estimate(sure), Unit.PERCENT)
    return _almost_all(sure, undecided, shown)


def _almost_all(
    sure: float, undecided: float, *shown: Evidence, needs: str = MORE_BLOCKS
) -> Conclusion:
    """Holds where the share that is sure suffices, fails where the undecided don't help it.

    `needs`: what it takes to decide them.
    """
    if sure >= ALMOST_ALL:
        return Conclusion(Outcome.HOLDS, shown)
    if sure + undecided < ALMOST_ALL:
        return Conclusion(Outcome.FAILS, shown)
    return Conclusion(Outcome.OPEN, shown, needs)


# -- who leads -------------------------------------------------------------------------------------


def _two_libraries(results: Results) -> list[str]:
    """All that were measured; UnmeasuredError if they are fewer than two."""
    libraries = variants(results)
    if len(libraries) < 2:
        raise UnmeasuredError(TWO_LIBRARIES)
    return libraries


def _one_is_best(results: Results) -> Conclusion:
    """Who surely leads each operation at each size, if anybody does; what was lost is undecided."""
    _two_libraries(results)
    pes, leads, lost = widest(results), list[str | None](), list[str]()
    for call in CALLS:
        for size in sizes(results) if call.sized else [0]:
            try:
                leads.append(surely_first(results, call, pes, size))
            except UnmeasuredError as lack:
                leads.append(None)
                lost.append(str(lack))
    names = [lead for lead in leads if lead]
    sure, open_ = 0.0, leads.count(None) / len(leads)
    shown = [Evidence(f"nobody surely leads {{}} of {len(leads)}", Estimate(open_), Unit.PERCENT)]
    if names:
        best = max(dict.fromkeys(names), key=names.count)
        sure = names.count(best) / len(leads)
        text = f"{best} surely leads {{}} of operations and sizes"
        shown.insert(0, Evidence(text, Estimate(sure), Unit.PERCENT))
    return _almost_all(sure, open_, *shown, needs=lost[0] if lost else MORE_BLOCKS)


def _leaders_change(results: Results) -> Conclusion:
    """Whether of two libraries one surely leads short messages, the other long ones, anywhere."""
    known, lost = _two_libraries(results), list[UnmeasuredError]()
    for call, (library, other) in product(SWITCHING, permutations(known, 2)):
        try:
            if _faster(results, call, library, other, SHORT_BYTES) and _faster(
                results, call, other, library, LONG_BYTES
            ):
                return Conclusion(Outcome.HOLDS, _crossing(results, call, library, other))
        except UnmeasuredError as lack:
            lost.append(lack)
    if lost:
        raise lost[0]
    for call, (library, other) in product(SWITCHING, combinations(known, 2)):
        decided = (
            _faster(results, call, library, other, size)
            or _faster(results, call, other, library, size)
            for size in (SHORT_BYTES, LONG_BYTES)
        )
        if not all(decided):
            return Conclusion(Outcome.OPEN, _crossing(results, call, library, other), MORE_BLOCKS)
    return Conclusion(Outcome.FAILS, _crossing(results, SWITCHING[0], *known[:2]))


def _faster(
    results: Results, call: CollectiveCall, library: str, other: str, size_bytes: int
) -> bool:
    pes = widest(results)
    times = (counted(results, variant, call, pes, size_bytes) for variant in (library, other))
    return surely_faster(*times)


def _crossing(
    results: Results, call: CollectiveCall, library: str, other: str
) -> tuple[Evidence, ...]:
    pes = widest(results)
    return tuple(
        Evidence(
            f"{call.name} of {size:,} B on {pes} PEs: {other}'s takes {{}} times {library}'s",
            ratio(
                counted(results, other, call, pes, size), counted(results, library, call, pes, size)
            ),
        )
        for size in (SHORT_BYTES, LONG_BYTES)
    )


# -- long messages on 64 PEs -----------------------------------------------------------------------


def _within_the_range(which: int, results: Results) -> Conclusion:
    """The fastest, 0, or the slowest, -1, of all libraries' beside that end of the paper's range.

    Of operations of the paper's long message. Where one was lost nobody knows whether it lies
    between them. Fewer PEs than the paper's are shown, and decide nothing.
    """
    pes, times, lost = widest(results), list[Evidence](), list[str]()
    for call, variant in product(filter(lambda call: call.sized, CALLS), variants(results)):
        try:
            time = estimate(counted(results, variant, call, pes, LONG_BYTES))
        except UnmeasuredError as lack:
            if not results.absent(COLLECTIVES, variant, call.pattern):
                lost.append(str(lack))
        else:
            text = f"{variant}'s {call.name} on {pes} PEs takes {{}}"
            times.append(Evidence(text, time, Unit.SECONDS))
    if not times:
        raise UnmeasuredError(f"operations of {LONG_BYTES:,} B with a core for each PE")
    shown = sorted(times, key=lambda evidence: evidence.estimate.value)[which]
    if pes < PAPERS_PES:
        return Conclusion(Outcome.OPEN, (shown,), AS_MANY)
    ends = (None, figure_of(MOST).si) if which else (figure_of(LEAST).si, None)
    return unless(between(shown, *ends), lost)


def _aggregated(results: Results) -> Conclusion:
    """The highest of any library, on any number of PEs with a core each.

    Where fewer PEs than the paper's deliver more, the claim fails; where less, that shows nothing.
    """
    forms = [form for form in closed_forms(results) if form.call == TOTAL_EXCHANGE]
    rates = [
        (aggregate.bytes_per_s, form.variant, aggregate.ranks)
        for form in forms
        for aggregate in form.limits
    ]
    if not rates:
        raise UnmeasuredError("a total exchange whose longest messages show a bandwidth")
    rate, variant, pes = max(rates, key=lambda row: row[0].value)
    t3ds, most = figure_of(T3D_RATE).si, widest(results)
    lacks = [form.no_limit for form in forms if most not in [limit.ranks for limit in form.limits]]
    conclusion = between(
        Evidence(
            f"{variant}'s of {pes} PEs is {{}} times that of {PAPERS_PES} of the T3D's",
            rate.scaled(1 / t3ds),
        ),
        None,
        1,
        Evidence("it is {}", rate, Unit.BYTES_PER_SECOND),
    )
    return unless(conclusion, [AS_MANY] if most < PAPERS_PES else lacks)


CLAIMS = (
    Claim(
        "abstract", "One of those compared is the fastest in almost all operations", _one_is_best
    ),
    Claim("abstract", "The T3D's hardwired barrier beats one in software", _hardware_barrier),
    Claim(
        "abstract",
        "Start-ups grow as the PEs or as their logarithm",
        _startups_grow,
    ),
    Claim(
        "abstract",
        "Who leads short messages in scatter, gather or total exchange is not who leads long ones",
        _leaders_change,
    ),
    Claim(
        "abstract",
        "64 KiB over 64 PEs take no operation longer than 675 ms",
        partial(_within_the_range, -1),
    ),
    Claim(
        "abstract",
        "64 KiB over 64 PEs take no operation less than 5.12 ms",
        partial(_within_the_range, 0),
    ),
    Claim(
        "abstract",
        "64 PEs of the T3D deliver the most in a total exchange: 1.745 GB/s",
        _aggregated,
    ),
)


# -- the study -------------------------------------------------------------------------------------


def models(results: Results) -> tuple[Model, ...]:
    """All closed forms that were found."""
    return tuple(form.model for form in closed_forms(results) if form.model)


STUDY = Study(
    name="collectives",
    title="collective operations in closed forms",
    question="How do collective operations grow with size and PEs, and what do they deliver?",
    source=SOURCE,
    paper=KEY,
    scale=Scale(dict.fromkeys((SP2, T3D, PARAGON), PAPERS_PES), (PAPERS_PES,)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    figures=figures,
    models=models,
)
