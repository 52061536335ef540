"""What was computed from a run, for all of its reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.compare.origins import competes, labelled
from leadline.compare.overlap import HiddenShare
from leadline.compare.ranking import Standings
from leadline.compare.summaries import Rates, Summary, gathered
from leadline.compare.warnings import unfinished
from leadline.models.fitted import Overview
from leadline.models.pingpong import PingPong
from leadline.record.caveats import Caveat
from leadline.record.run import Configuration, Run
from leadline.report.document import SEPARATOR, Section
from leadline.report.text.phrases import linked, listed, plural, stated_share


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that was computed from a run, for its report."""

    run: Run
    untimed: Sequence[Caveat]
    """Of cells that have no row."""
    rows: Sequence[Summary]
    standings: Standings
    pingpongs: Sequence[PingPong]
    threshold: float
    """Of the standings' verdicts."""
    overlaps: Sequence[HiddenShare]
    rates: Sequence[Rates]
    forms: Overview

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the run's, those of its cells that it doesn't say already, those of pairs."""
        said = {one.code for one in self.run.warnings}
        of_rows = [one for one in gathered(self.rows) if one.code not in said]
        of_pairs = [caveat for one in self.standings.curves for caveat in one.caveats]
        every = [*self.run.warnings, *unfinished(self.run), *self.untimed, *of_rows, *of_pairs]
        return tuple(dict.fromkeys(every))


MOST_NAMED = 8
"""Hosts; more are counted."""


def run_title(measured: Measured) -> Section:
    """The variants of a run, where and when, over what; how its verdicts come about, if any do."""
    run = measured.run
    title = SEPARATOR.join([_named(run), *_circumstances(run)])
    notes = (*version_notes(run), *link_notes(run), *standings_notes(measured))
    return Section(title, notes=notes)


def version_notes(run: Run) -> tuple[str, ...]:
    """Of each variant its version, and what carries its messages, as far as they are known."""
    told = (_version(configuration) for configuration in run.configurations)
    known = list(dict.fromkeys(filter(None, told)))
    return (f"{', '.join(known)}.",) if known else ()


def _version(configuration: Configuration) -> str:
    """E.g. "mpich 5.0.2 (posix)"; "" where nothing is known."""
    name = labelled(configuration.variant, configuration.origin)
    version = configuration.version if configuration.version != "unknown" else ""
    known = configuration.transport not in ("", "unknown", "none", configuration.variant)
    parts = [version, f"({configuration.transport})" * known]
    return " ".join([name, *filter(None, parts)]) if any(parts) else ""


def link_notes(run: Run) -> tuple[str, ...]:
    """What joins the hosts, where they are emulated."""
    link = run.provenance.link
    if link is None:
        return ()
    names = dict.fromkeys(name for one in run.configurations for name in one.hosts)
    who = listed(names) if 0 < len(names) <= MOST_NAMED else plural(len(names), "host")
    return (f"Between emulated hosts ({who}): {link.name}, {linked(link)}.",)


def _named(run: Run) -> str:
    """E.g. "first: mpich and openmpi, beside shm"."""
    label = variants(run.configurations, lambda one: labelled(one.variant, one.origin))
    return f"{run.path}: {label}".removesuffix(": ")


def variants(configurations: Sequence[Configuration], label: Callable[[Configuration], str]) -> str:
    """Those that compete, each once, beside all others: "mpich and openmpi, beside shm"."""
    rivals = [one for one in configurations if competes(one) and not is_raw(one.backend)]
    groups = rivals, [one for one in configurations if one not in rivals]
    return ", beside ".join(listed(map(label, group)) for group in groups if group)


def _circumstances(run: Run) -> Iterator[str]:
    """Ranks, host and time, as far as they are known."""
    numbers = sorted({one.ranks for one in run.configurations})
    if numbers:
        yield f"{listed(map(str, numbers))} rank{'s' * (numbers != [1])}"
    started = run.provenance.started or ""
    yield from filter(None, [run.machine.host or "", started[:16].replace("T", " ")])


def links_notes(runs: Sequence[Run]) -> Iterator[str]:
    """What joined the hosts of `runs`, said once where it is all the same."""
    told = [link_notes(run) for run in runs]
    if len(set(told)) == 1:
        yield from told[0]
        return
    for run, notes in zip(runs, told, strict=True):
        yield f"{run.path}: {notes[0] if notes else 'Not between emulated hosts.'}"


def standings_notes(measured: Measured) -> tuple[str, ...]:
    """How the verdicts of a run's standings come about, if there are any."""
    curves = measured.standings.curves
    pairs = any(curve.libraries > 2 for curve in curves)
    return (verdict_note(measured.threshold, pairs),) if curves else ()


def verdict_note(threshold: float, pairs: bool = False) -> str:
    """By which threshold and tests anything is faster, slower or the same.

    `pairs`: all pairs of several libraries are one family of tests.
    """
    beyond = stated_share(threshold)
    family = "all pairs of libraries and all sizes" if pairs else "all sizes"
    return (
        f"Faster, slower: by more than {beyond}, in the cell's 95 % interval and in a permutation "
        f"test over {family} (any wrong in 5 % at most); same: the interval within {beyond}."
    )
