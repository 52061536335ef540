"""Times of programs over each library, what they are made of, and what models predict."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from leadline.papers.applications.measured import (
    RanProgram,
    foretold,
    formless,
    places,
    ranking,
    right_time,
    share,
)
from leadline.papers.applications.stages import (
    ALONE,
    CROWDED,
    KINDS,
    LIMIT,
    MG,
    MG_PUTS,
    PROGRAMS,
    ProgramChoice,
)
from leadline.papers.cray_mpt.nas_mg import CLASSES, MODIFIED_FOR_MPT
from leadline.papers.estimates import estimate, ratio
from leadline.papers.layout import Column, StudyTable, TableEntry, TableRow, measured, published
from leadline.papers.results import Measurand, Results, UnmeasuredError
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

FEW_BLOCKS = (
    "fewer than six blocks have both times: quieten the machine, or give leadline study a larger "
    "--budget"
)
"""A ratio of so few blocks may be anything, and contradict the medians beside it."""


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Times, what they are made of, messages against puts, and what was published."""
    return _times(results), _reasons(results), _puts(results), _published(results)


def _labels(place: RanProgram) -> tuple[str, ...]:
    return place.program.label, str(place.ranks), place.variant


# -- times -----------------------------------------------------------------------------------------


def _times(results: Results) -> StudyTable:
    columns = (
        Column("Time", Unit.MILLISECONDS),
        Column("Rate", Unit.MEGAOPERATIONS_PER_SECOND),
        Column("Of the\nfastest's", Unit.FACTOR),
        Column("Speed-up", Unit.FACTOR),
    )
    rows = tuple(TableRow(_labels(place), _time(results, place)) for place in places(results))
    return StudyTable(
        1,
        "A repetition of each program: which library is faster",
        ("Program", "Ranks", "Library"),
        columns,
        rows,
        (
            "A repetition: of MG a V-cycle and its residual, of STAP a cube; every solution was "
            "checked.",
            "Rate: MG's by NPB's count, 58 operations a point; STAP's by those of its loops.",
            "Of the fastest's: the time beside that of the fastest library, paired block by block; "
            "raw backends are limits, no libraries. Speed-up: over one rank, by the medians.",
            *(f"Not here: {results.missing[kind]}." for kind in KINDS if kind in results.missing),
        ),
    )


def _time(results: Results, place: RanProgram) -> tuple[TableEntry, ...]:
    time = measured(partial(right_time, results, place))
    seconds = time.estimate
    rate = seconds.inverse().scaled(1e6 * place.program.mop) if seconds else None
    beside, speed_up = _beside(results, place), _speed_up(results, place)
    return time, replace(time, estimate=rate, why=None), beside, speed_up


def _beside(results: Results, place: RanProgram) -> TableEntry:
    """Nothing of ranks that share cores, among which there is no verdict, nor without a time."""
    ranked = ranking(results, place.stage, place.program, place.ranks)
    if ranked is None or place.stage != PROGRAMS:
        return TableEntry(None)
    if place.variant == ranked.fastest:
        return TableEntry(Estimate(1.0))
    beside = ranked.others.get(place.variant)
    if beside is None:
        return TableEntry(None)
    if beside.effect.bounds is None:
        return TableEntry(None, why=FEW_BLOCKS)
    return TableEntry(beside.effect)


def _speed_up(results: Results, place: RanProgram) -> TableEntry:
    """On one rank puts and messages are the same: there are none."""
    if place.stage == ALONE:
        return TableEntry(None)
    name = MG if place.program.name == MG_PUTS else place.program.name
    alone = Measurand(ALONE, LIMIT, 1, ProgramChoice(name, place.program.problem).label)
    try:
        time, over = right_time(results, place), results.time(alone)
    except UnmeasuredError:
        return TableEntry(None)
    return TableEntry(ratio(over, time), crowded=time.crowded)


# -- what they are made of -------------------------------------------------------------------------


def _reasons(results: Results) -> StudyTable:
    columns = (
        Column("Communication", Unit.PERCENT),
        Column("Predicted", Unit.MILLISECONDS),
        Column("Predicted\nover measured", Unit.FACTOR),
    )
    rows = tuple(
        TableRow(_labels(place), _reason(results, place))
        for place in places(results)
        if place.stage != ALONE
    )
    by_pattern: dict[str, list[str]] = {}  # variants for which no closed form of it was found
    for place in places(results):
        if place.stage == PROGRAMS:
            for pattern in formless(results, place.program, place.variant, place.ranks):
                by_pattern.setdefault(pattern, []).append(place.variant)
    return StudyTable(
        2,
        "Why, and would a model have predicted it",
        ("Program", "Ranks", "Library"),
        columns,
        rows,
        (
            "Communication: of the time that in calls of the library, the mean over ranks.",
            "Predicted: the program over no library, one rank at a time, and each of its calls as "
            "the closed form of its pattern says, fitted in the same run, or where none fits, "
            "between its times at other sizes. Ranks that wait for each other, or share the way to "
            "memory, are in no model.",
            *(
                f"No closed form: {pattern} over {', '.join(dict.fromkeys(variants))}."
                for pattern, variants in by_pattern.items()
            ),
        ),
    )


def _reason(results: Results, place: RanProgram) -> tuple[TableEntry, ...]:
    communication = measured(partial(share, results, place))
    try:
        prediction = foretold(results, place)
    except UnmeasuredError as lack:
        why = None if place.stage == CROWDED else str(lack)
        return communication, TableEntry(None, why=why), TableEntry(None)
    try:
        seconds = estimate(right_time(results, place)).value
    except UnmeasuredError:
        return communication, TableEntry(prediction), TableEntry(None)
    # as sure as the prediction
    return communication, TableEntry(prediction), TableEntry(prediction.scaled(1 / seconds))


# -- messages against puts -------------------------------------------------------------------------


def _puts(results: Results) -> StudyTable:
    rows = []
    for puts in (place for place in places(results) if place.program.name == MG_PUTS):
        messages = replace(puts, program=ProgramChoice(MG, puts.program.problem))
        entries = (measured(partial(right_time, results, way)) for way in (messages, puts))
        try:
            times = [right_time(results, way) for way in (messages, puts)]
        except UnmeasuredError:
            over = TableEntry(None)
        else:
            factor, crowded = ratio(times[1], times[0]), times[0].crowded
            over = TableEntry(factor, crowded=crowded)
            if factor.bounds is None:
                over = TableEntry(None, why=FEW_BLOCKS)
        labels = puts.program.problem, str(puts.ranks), puts.variant
        rows.append(TableRow(labels, (*entries, over)))
    columns = (
        Column("Messages", Unit.MILLISECONDS),
        Column("Puts", Unit.MILLISECONDS),
        Column("Puts over\nmessages", Unit.FACTOR),
    )
    return StudyTable(
        3,
        "MG by messages and by puts with flags",
        ("Class", "Ranks", "Library"),
        columns,
        tuple(rows),
        (
            "The same grids, faces and bytes: messages to both neighbours are under way together; "
            "puts go into their memory, and each waits for the flags of both.",
        ),
    )


# -- published -------------------------------------------------------------------------------------


_T3D_S, _J90_S = (row.time_s for row in MODIFIED_FOR_MPT)
_J90_BESIDE = _J90_S / _T3D_S


def _published(results: Results) -> StudyTable:
    papers = (
        TableRow((row.system, "", str(row.pes)), published(row.time_s)) for row in MODIFIED_FOR_MPT
    )
    ours = []
    for place in places(results):
        if place.program.name == MG_PUTS and place.stage == PROGRAMS:
            entry = measured(partial(right_time, results, place))
            if entry.estimate:
                iterations = CLASSES[place.program.problem].iterations
                entry = replace(entry, estimate=entry.estimate.scaled(iterations))
            labels = f"here, {place.variant}", place.program.problem, str(place.ranks)
            ours.append(TableRow(labels, (entry,)))
    return StudyTable(
        4,
        "NAS MG, a whole solution",
        ("System", "Class", "PEs"),
        (Column("Time", Unit.SECONDS),),
        (*papers, *ours),
        (
            "The paper names neither the class nor its iterations, nor what its time holds: its "
            f"systems can be compared with each other, the J90 takes {_J90_BESIDE:.2g} times the "
            "T3D's time, and with nothing else.",
            "Here: the iterations of the class, by puts.",
        ),
    )
