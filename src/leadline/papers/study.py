"""What a study is: campaigns, their stages, and what their runs come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.compare.analysis import Analysis
from leadline.compare.summaries import gathered
from leadline.compare.warnings import not_whole
from leadline.measure.spec import Request, VariantSpec
from leadline.models.model import Model
from leadline.papers.findings import Claim, Finding, answered
from leadline.papers.layout import StudyFigure, StudyTable
from leadline.papers.results import Results, kind_of, results_of
from leadline.record.run import Run
from leadline.record.slices import Verified
from leadline.record.warnings import DAMAGE, Remedy, RunWarning, WarningKind
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Addition:
    """Patterns and variants that are measured besides, where a library takes part."""

    backend: str
    patterns: tuple[str, ...] = ()
    variants: tuple[VariantSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class StageNetwork:
    """What a stage's ranks are joined by: hosts emulated on this machine."""

    prefix: str
    """Begins the hosts' names, PREFIX1, PREFIX2 ..."""
    link: str
    """As `leadline hosts up --link` takes it."""
    hosts: int = 2
    watched: bool = False
    """Whether it is measured what the links carry, of what their rate allows."""


def mapped(library: str) -> str:
    """The variant of `library` whose ranks a stage maps."""
    return f"{library}-mapped"


@dataclass(frozen=True, slots=True)
class Stage:
    """One campaign of a study."""

    name: str
    """What its run directory is called."""
    request: Request
    """What is measured, whatever the libraries; its budget is this stage's part of the study's."""
    kinds: tuple[str, ...] = ()
    """Libraries that take part; empty: all."""
    additions: tuple[Addition, ...] = ()
    network: StageNetwork | None = None
    """None: ranks run on this host."""
    beside: tuple[str, ...] = ()
    """Backends that take part besides those asked for: what the others are compared with."""
    map: str = ""
    """The metric by which each library's ranks are mapped in a variant besides; "": none are."""

    def takes(self, backends: Sequence[str]) -> list[str]:
        """The `backends` that take part."""
        return [name for name in backends if not self.kinds or kind_of(name) in self.kinds]

    def over(self, backends: Sequence[str], wrappers: Sequence[str] = ()) -> Request:
        """What is measured over `backends`, and MPIs of further compiler `wrappers`."""
        taken = list(dict.fromkeys((*self.takes(backends), *self.beside)))
        added = [addition for addition in self.additions if addition.backend in taken]
        maps = (VariantSpec(mapped(name), name, map=self.map) for name in taken if self.map)
        patterns = (
            *self.request.patterns,
            *(name for addition in added for name in addition.patterns),
        )
        return replace(
            self.request,
            patterns=tuple(dict.fromkeys(patterns)),
            backends=tuple(taken),
            variants=(*(spec for addition in added for spec in addition.variants), *maps),
            wrappers=tuple(wrappers),
        )


# -- programs --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MeasuredProgram:
    """One program of one problem class over one library, on so many ranks."""

    name: str
    problem: str
    """The class, e.g. "S", "medium"."""
    variant: str
    ranks: int
    seconds: Estimate | None
    """Time of a repetition; None: it failed, or nothing of it counts."""
    mop: float
    """Millions of operations of a repetition, all ranks together."""
    verified: bool
    """Every solution was checked, and was right, and one was reached."""
    norm: Verified | None
    """NAS MG's residual, of the solution furthest off, or that was wrong; None: not known."""
    communication_share: Estimate | None
    """Share of the time, the mean over ranks; None: not known."""
    predicted: Estimate | None
    """Seconds by the models of the same run; None: they say nothing of it."""
    why_unpredicted: str | None = None
    crowded: bool = False
    """Measured with more ranks than cores."""

    @property
    def mop_per_s(self) -> float | None:
        """None where there is no time."""
        return self.mop / self.seconds.value if self.seconds else None


# -- studies ---------------------------------------------------------------------------------------


SAID_BY_TABLES = tuple(
    kind.code
    for kind in (
        WarningKind.ABSENT,
        WarningKind.OVERSUBSCRIBED,
        WarningKind.BACKGROUND_LOAD,
        WarningKind.LINK_BOUND,
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
    """The paper's."""
    full_s: float
    quick_s: float
    """Default budgets."""
    stages: Callable[[float, bool, int], Sequence[Stage]]
    """From a budget in seconds, quick or not, and the number of cores."""
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
    """How many hosts may be named in the place of emulated ones; None: none may."""


@dataclass(frozen=True, slots=True)
class Studied:
    """A study's results: its tables, findings, figures, programs, models and warnings."""

    study: Study
    directories: tuple[str, ...]
    tables: tuple[StudyTable, ...]
    findings: tuple[Finding, ...]
    warnings: tuple[RunWarning, ...]
    figures: tuple[StudyFigure, ...] = ()
    programs: tuple[MeasuredProgram, ...] = ()
    models: tuple[Model, ...] = ()


def studied(study: Study, runs: Mapping[str, Run], known: Sequence[RunWarning] = ()) -> Studied:
    """What `runs`, by stage, come to, with what is `known` of runs besides.

    What isn't whole is said of each run; of the runs' other warnings with one remedy the first is
    kept, and of what their cells warn of one of a kind.
    """
    analyses = {stage: Analysis(run) for stage, run in runs.items()}
    results = results_of(analyses)
    untimed = [warning for analysis in analyses.values() for warning in analysis.untimed]
    # ranks on shared cores: the tables say so, so that their cells' warnings are left out
    rows = [
        row
        for analysis in analyses.values()
        for row in analysis.summaries
        if not row.circumstances.crowded
    ]
    known_codes = {
        *SAID_BY_TABLES,
        *(warning.code for run in runs.values() for warning in run.warnings),
    }
    of_cells = [warning for warning in gathered(rows) if warning.code not in known_codes]
    broken = [warning for run in runs.values() for warning in not_whole(run)]
    return Studied(
        study=study,
        directories=tuple(run.path for run in runs.values()),
        tables=tuple(study.tables(results)),
        findings=answered(study.claims, results),
        warnings=(*dict.fromkeys((*known, *broken)), *_usual(runs), *untimed, *of_cells),
        figures=tuple(study.figures(results)) if study.figures else (),
        programs=tuple(study.programs(results)) if study.programs else (),
        models=tuple(study.models(results)) if study.models else (),
    )


def _usual(runs: Mapping[str, Run]) -> list[RunWarning]:
    """What `runs`, by stage, warn of but damage: the first of those with one remedy.

    That there are too few blocks for verdicts is left out where there are none: of a run whose
    ranks all share cores. Else its remedy is the study's: a stage's budget nobody can give.
    """
    first: dict[tuple[str, str], RunWarning] = {}
    for stage, run in runs.items():
        crowded = all(configuration.oversubscribed for configuration in run.configurations)
        for warning in run.warnings:
            about_verdicts = warning.code == WarningKind.FEW_FOR_TESTS.code
            if warning.code in (*SAID_BY_TABLES, *DAMAGE) or (about_verdicts and crowded):
                continue
            shown = warning
            if about_verdicts:
                shown = replace(warning.of(f"stage {stage}"), remedy=Remedy.STUDY_BUDGET())
            first.setdefault((shown.code, shown.remedy), shown)
    return list(first.values())
