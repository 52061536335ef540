"""What a study is, and what its runs come to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.compare.analysis import Analysis
from leadline.compare.summaries import gathered
from leadline.compare.warnings import not_whole
from leadline.models.model import Model
from leadline.record.caveats import DAMAGE, Caveat, CaveatKind
from leadline.record.run import Run
from leadline.studies.figures import StudyFigure
from leadline.studies.findings import Claim, Finding, answered
from leadline.studies.programs import MeasuredProgram
from leadline.studies.results import Results, results_of
from leadline.studies.stage import Stage
from leadline.studies.tables import StudyTable

SAID_BY_TABLES = tuple(
    kind.code
    for kind in (
        CaveatKind.ABSENT,
        CaveatKind.OVERSUBSCRIBED,
        CaveatKind.BACKGROUND_LOAD,
        CaveatKind.LINK_BOUND,
    )
)
"""Codes of warnings that repeat what the tables say where it matters."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How large the paper's machines were, and how much of them it used."""

    machines: Mapping[str, int]
    """Processors by machine."""
    pes: tuple[int, ...]
    """The numbers of PEs, ascending, with which it measured."""


@dataclass(frozen=True, slots=True)
class Study:
    """A question that campaigns answer."""

    name: str
    title: str
    """What it is about, in a few words."""
    question: str
    source: str
    """Who asked it first: the paper."""
    scale: Scale
    """Of the paper."""
    full_s: float
    quick_s: float
    """Default budgets."""
    stages: Callable[[float, bool, int], Sequence[Stage]]
    """Of a budget in seconds, quick or not, on so many cores."""
    tables: Callable[[Results], Sequence[StudyTable]]
    claims: tuple[Claim, ...]
    kinds: tuple[str, ...] = ()
    """Libraries that take part unless others are named, the first version of each; empty: every
    usable one that a run takes by itself."""
    also: tuple[str, ...] = ()
    """Libraries that a run takes only where they are named, and this study takes by itself."""
    figures: Callable[[Results], Sequence[StudyFigure]] | None = None
    """None: the paper has none."""
    programs: Callable[[Results], Sequence[MeasuredProgram]] | None = None
    """None: it runs patterns alone."""
    paper: str = ""
    """The key of the one whose figures are beside its own; "": none has any."""
    own_claims: bool = False
    """The claims are questions of users', which the paper only gives the programs for."""
    models: Callable[[Results], Sequence[Model]] | None = None
    """None: nothing is fitted."""
    hosts: range | None = None
    """How many may be named to be measured in the place of emulated ones; None: none may."""


@dataclass(frozen=True, slots=True)
class Studied:
    """Everything that the runs of a study come to."""

    study: Study
    directories: tuple[str, ...]
    tables: tuple[StudyTable, ...]
    findings: tuple[Finding, ...]
    caveats: tuple[Caveat, ...]
    figures: tuple[StudyFigure, ...] = ()
    programs: tuple[MeasuredProgram, ...] = ()
    models: tuple[Model, ...] = ()


def studied(study: Study, runs: Mapping[str, Run], known: Sequence[Caveat] = ()) -> Studied:
    """What `runs`, by stage, come to, with what is `known` of runs besides.

    What isn't whole is said of each run; of the runs' other caveats with one remedy the first is
    kept, and of what their cells warn of one of a kind.
    """
    analyses = {stage: Analysis(run) for stage, run in runs.items()}
    results = results_of(analyses)
    untimed = [caveat for one in analyses.values() for caveat in one.untimed]
    of_cells = _of_cells(analyses.values())
    broken = [caveat for run in runs.values() for caveat in not_whole(run)]
    return Studied(
        study=study,
        directories=tuple(run.path for run in runs.values()),
        tables=tuple(study.tables(results)),
        findings=answered(study.claims, results),
        caveats=(*dict.fromkeys((*known, *broken)), *_usual(runs), *untimed, *of_cells),
        figures=tuple(study.figures(results)) if study.figures else (),
        programs=tuple(study.programs(results)) if study.programs else (),
        models=tuple(study.models(results)) if study.models else (),
    )


def _usual(runs: Mapping[str, Run]) -> list[Caveat]:
    """What `runs`, by stage, warn of but damage: the first of those with one remedy."""
    caveats = [
        _of_study(stage, caveat)
        for stage, run in runs.items()
        for caveat in run.warnings
        if caveat.code not in (*SAID_BY_TABLES, *DAMAGE) and not _is_moot(run, caveat)
    ]
    first: dict[tuple[str, str], Caveat] = {}
    for caveat in caveats:
        first.setdefault((caveat.code, caveat.remedy), caveat)
    return list(first.values())


def _of_cells(analyses: Collection[Analysis]) -> list[Caveat]:
    """What cells warn of that their runs don't say; of ranks on shared cores the tables do."""
    said = {caveat.code for one in analyses for caveat in one.run.warnings}
    rows = [row for one in analyses for row in one.summaries if not row.circumstances.crowded]
    return [one for one in gathered(rows) if one.code not in (*SAID_BY_TABLES, *said)]


def _is_moot(run: Run, caveat: Caveat) -> bool:
    """Whether it is about verdicts, of which a run on shared cores has none."""
    crowded = all(one.oversubscribed for one in run.configurations)
    return caveat.code == CaveatKind.FEW_FOR_TESTS.code and crowded


def _of_study(stage: str, caveat: Caveat) -> Caveat:
    """`caveat` of a stage's run; a budget that it names is the stage's, which nobody can give."""
    if caveat.code != CaveatKind.FEW_FOR_TESTS.code:
        return caveat
    remedy = "give the study a larger --budget; else a clear difference may stay undecided"
    return replace(caveat, cause=f"stage {stage}: {caveat.cause}", remedy=remedy)
