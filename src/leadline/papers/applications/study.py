"""Questions of users who run programs, as claims that measurements decide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from leadline.compare.verdict import Verdict, Why
from leadline.papers.applications.measured import (
    ProgramRanking,
    RanProgram,
    counted_time,
    foretold,
    labels,
    libraries,
    measured_programs,
    ranking,
    share,
)
from leadline.papers.applications.stages import (
    FULL_S,
    KINDS,
    MG,
    MG_PUTS,
    PROGRAMS,
    QUICK_S,
    STAP,
    ProgramChoice,
    stages,
)
from leadline.papers.applications.tables import tables
from leadline.papers.cray_mpt import SOURCE
from leadline.papers.cray_mpt.printed import PROCESSORS
from leadline.papers.estimates import estimate, ratio
from leadline.papers.findings import (
    MORE_BLOCKS,
    SOME_BLOCKS,
    Claim,
    Conclusion,
    Evidence,
    Outcome,
    between,
    unless,
)
from leadline.papers.results import Measurand, Results, UnmeasuredError
from leadline.papers.study import Scale, Study
from leadline.papers.units import Unit

HALF = 0.5
NEAR = 1.25
"""A prediction within this factor of what was measured is good enough."""
LACKING = {
    Why.FEW_BLOCKS: SOME_BLOCKS,
    Why.NOT_MEASURED: "six blocks with both times; quieten the machine, or give leadline study a "
    "larger --budget",
    Why.DISTURBED: "cores that nothing else takes: ranks waited for them",
    Why.CORE_STATES: "cores in one state; quieten the machine",
}
"""What it would take to decide between two libraries."""
TITLES = {MG: "NAS MG by messages", MG_PUTS: "NAS MG by puts", STAP: "the STAP pipeline"}


@dataclass(frozen=True, slots=True)
class _Race:
    """A program of its largest class, on the most ranks that have a core each."""

    program: ProgramChoice
    ranks: int
    ranking: ProgramRanking
    lacks: tuple[str, ...]
    """Why each library that has no time has none: it might be the fastest, or worst predicted."""

    @property
    def label(self) -> str:
        """E.g. "mg:S on 2 ranks"."""
        return f"{self.program.label} on {self.ranks} ranks"

    def over(self, variant: str, program: ProgramChoice | None = None) -> RanProgram:
        """The program, or another one, over a library."""
        return RanProgram(PROGRAMS, program or self.program, variant, self.ranks)


def _race(results: Results, name: str) -> _Race:
    """The largest class on the most ranks; UnmeasuredError where no library has a time of any.

    Then the message says why one that was to be measured has none.
    """
    reasons = list[str]()
    choices = [ProgramChoice.of(label) for label in labels(results)]
    for program in reversed([choice for choice in choices if choice.name == name]):
        for ranks in reversed(results.pes(PROGRAMS)):
            ranked = ranking(results, PROGRAMS, program, ranks)
            timed = ranked.rivals if ranked else ()
            lacks = tuple(
                results.why(Measurand(PROGRAMS, library, ranks, program.label))
                for library in libraries(results, PROGRAMS, limits=False)
                if library not in timed and not results.absent(PROGRAMS, library, program.label)
            )
            if ranked is not None:
                race = _Race(program, ranks, ranked, lacks)
                counted_time(results, race.over(ranked.fastest))
                return race
            reasons += lacks
    reasons.append(f"{name} over a library, with a core for each rank")
    raise UnmeasuredError(reasons[0])


def _one_is_fastest(name: str, results: Results) -> Conclusion:
    race = _race(results, name)
    first, *others = race.ranking.rivals
    seconds = estimate(counted_time(results, race.over(first)))
    shown = [Evidence(f"{race.label} takes {{}} over {first}", seconds, Unit.SECONDS)]
    if not others:
        needs = race.lacks[0] if race.lacks else "a second library"
        return Conclusion(Outcome.OPEN, tuple(shown), needs)
    beside = [race.ranking.others[other] for other in others]
    shown += [
        Evidence(f"over {comparison.candidate} {{}} times that", comparison.effect)
        for comparison in beside
        if comparison.effect.bounds
    ]
    if race.lacks:
        return Conclusion(Outcome.OPEN, tuple(shown), race.lacks[0])
    if any(comparison.verdict is Verdict.SAME for comparison in beside):
        return Conclusion(Outcome.FAILS, tuple(shown))
    undecided = [
        comparison.why for comparison in beside if comparison.verdict is not Verdict.SLOWER
    ]
    if undecided:
        needs = LACKING.get(undecided[0] or Why.CROSSES, MORE_BLOCKS)
        return Conclusion(Outcome.OPEN, tuple(shown), needs)
    return Conclusion(Outcome.HOLDS, tuple(shown))


def _puts_are_faster(results: Results) -> Conclusion:
    race, shmem = _race(results, MG), results.library("shmem")
    fastest, puts = race.ranking.fastest, ProgramChoice(MG_PUTS, race.program.problem)
    factor = ratio(
        counted_time(results, race.over(shmem, puts)), counted_time(results, race.over(fastest))
    )
    if factor.bounds is None:
        raise UnmeasuredError(LACKING[Why.NOT_MEASURED])
    text = f"puts over {shmem} take {{}} times the messages of {race.label} over {fastest}"
    own = []  # each library's puts beside its own messages, where it has both
    for rival in race.ranking.rivals:
        try:
            ways = [counted_time(results, race.over(rival, way)) for way in (puts, None)]
        except UnmeasuredError:
            continue
        own.append(Evidence(f"over {rival} puts take {{}} times its own messages", ratio(*ways)))
    shown = (evidence for evidence in own if evidence.estimate.bounds)
    return unless(between(Evidence(text, factor), None, 1, *shown), race.lacks)


def _mostly_computes(name: str, results: Results) -> Conclusion:
    race = _race(results, name)
    first, *others = (
        Evidence(f"over {rival} {{}}", estimate(share(results, race.over(rival))), Unit.PERCENT)
        for rival in race.ranking.rivals
    )
    text = f"over {race.ranking.fastest} {race.label} communicates for {{}} of the time"
    conclusion = between(replace(first, text=text), None, HALF, *others)
    return (
        replace(conclusion, answer=Outcome.OPEN, needs=race.lacks[0]) if race.lacks else conclusion
    )


def _model_tells(name: str, results: Results) -> Conclusion:
    race = _race(results, name)
    beside = []
    for rival in race.ranking.rivals:
        seconds = estimate(counted_time(results, race.over(rival))).value
        over = foretold(results, race.over(rival)).scaled(1 / seconds)  # as sure as the prediction
        beside.append(Evidence(f"over {rival} {{}} times", over))
    first, *others = beside
    text = f"for {race.label} over {race.ranking.fastest} it says {{}} times what was measured"
    shown = replace(first, text=text), *others
    answers = {between(evidence, 1 / NEAR, NEAR).answer for evidence in shown}
    if Outcome.FAILS in answers:
        return Conclusion(Outcome.FAILS, shown)
    if Outcome.OPEN in answers:
        return Conclusion(Outcome.OPEN, shown, "more blocks, or a quieter machine")
    return unless(Conclusion(Outcome.HOLDS, shown), race.lacks)


CLAIMS = (
    *(
        Claim(name, f"One library is the fastest for {title}", partial(_one_is_fastest, name))
        for name, title in TITLES.items()
    ),
    Claim(MG, "Puts are faster than any library's messages, over OpenSHMEM", _puts_are_faster),
    *(
        Claim(
            name,
            f"{title[0].upper()}{title[1:]} computes for most of its time over its fastest library",
            partial(_mostly_computes, name),
        )
        for name, title in TITLES.items()
    ),
    *(
        Claim(
            name,
            f"A model tells the time of {title} within a factor of {NEAR}, over every library",
            partial(_model_tells, name),
        )
        for name, title in TITLES.items()
    ),
)
"""One of each kind for each program."""


# -- the study -------------------------------------------------------------------------------------


STUDY = Study(
    name="applications",
    title="NAS MG and a STAP pipeline",
    question=(
        "Which library makes a program faster, by how much, why, and would a model have "
        "predicted it?"
    ),
    source=f"{SOURCE}, and Hwang et al., HPCA 1997",
    scale=Scale(PROCESSORS, (16,)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    programs=measured_programs,
    own_claims=True,
)
