"""What was computed from a run, for all of its reports, and the lines that reports begin with.

These say what was measured where, and how verdicts come about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.compare.origins import competes, labelled
from leadline.compare.overlap import HiddenShare
from leadline.compare.ranking import Rankings
from leadline.compare.summaries import Rates, Summary, gathered
from leadline.compare.warnings import unfinished
from leadline.models.fitted import Overview
from leadline.models.pingpong import PingPong
from leadline.record.run import Configuration, Run
from leadline.record.warnings import RunWarning
from leadline.report.document import SEPARATOR, Section
from leadline.report.text.catalogue import RunWords
from leadline.report.text.phrases import linked, listed, minute, plural, stated_share


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that was computed from a run, for its report."""

    run: Run
    untimed: Sequence[RunWarning]
    """Warnings of cells that have no row."""
    rows: Sequence[Summary]
    rankings: Rankings
    pingpongs: Sequence[PingPong]
    threshold: float
    """Threshold of the verdicts of the rankings, a share."""
    overlaps: Sequence[HiddenShare]
    rates: Sequence[Rates]
    forms: Overview

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings of the run, of its cells where the run has none of that code, and of pairs."""
        of_run = {warning.code for warning in self.run.warnings}
        of_rows = [warning for warning in gathered(self.rows) if warning.code not in of_run]
        of_pairs = [warning for curve in self.rankings.curves for warning in curve.warnings]
        every = [*self.run.warnings, *unfinished(self.run), *self.untimed, *of_rows, *of_pairs]
        return tuple(dict.fromkeys(every))


MOST_NAMED = 8
"""Hosts that are listed by name; more are counted."""


def run_title(measured: Measured) -> Section:
    """The run's line; versions, links, and the test behind verdicts."""
    run = measured.run
    notes = (*version_notes(run), *link_notes(run), *rankings_notes(measured))
    return Section(run_line(run), notes=notes)


def run_line(run: Run) -> str:
    """The run, its variants, ranks, host and time: "first: mpich and openmpi, beside shm"."""
    label = variants(
        run.configurations,
        lambda configuration: labelled(configuration.variant, configuration.origin),
    )
    parts = [f"{run.path}: {label}".removesuffix(": ")]
    if numbers := sorted({configuration.ranks for configuration in run.configurations}):
        parts.append(f"{listed(map(str, numbers))} rank{'s' * (numbers != [1])}")
    parts += filter(None, [run.machine.host or "", minute(run.provenance.started or "")])
    return SEPARATOR.join(parts)


def variants(configurations: Sequence[Configuration], label: Callable[[Configuration], str]) -> str:
    """Those that compete, each once, beside all others: "mpich and openmpi, beside shm"."""
    rivals = [
        configuration
        for configuration in configurations
        if competes(configuration) and not is_raw(configuration.backend)
    ]
    groups = (
        rivals,
        [configuration for configuration in configurations if configuration not in rivals],
    )
    return ", beside ".join(listed(map(label, group)) for group in groups if group)


def version_notes(run: Run) -> tuple[str, ...]:
    """Version and transport of each variant, as far as they are known.

    E.g. "mpich 5.0.2 (posix), openmpi 5.0.8.".
    """
    known: list[str] = []
    for configuration in run.configurations:
        version = configuration.version if configuration.version != "unknown" else ""
        carried = configuration.transport not in ("", "unknown", "none", configuration.variant)
        parts = [version, f"({configuration.transport})" * carried]
        if any(parts):
            known.append(
                " ".join(
                    [labelled(configuration.variant, configuration.origin), *filter(None, parts)]
                )
            )
    return (f"{', '.join(dict.fromkeys(known))}.",) if known else ()


def link_notes(run: Run) -> tuple[str, ...]:
    """What joins the hosts, where they are emulated."""
    link = run.provenance.link
    if link is None:
        return ()
    names = dict.fromkeys(
        name for configuration in run.configurations for name in configuration.hosts
    )
    who = listed(names) if 0 < len(names) <= MOST_NAMED else plural(len(names), "host")
    return (RunWords.LINK(hosts=who, link=link.name, words=linked(link)),)


def links_notes(runs: Sequence[Run]) -> Iterator[str]:
    """What joined the hosts of several runs, once where it is the same for all."""
    by_run = [link_notes(run) for run in runs]
    if len(set(by_run)) == 1:
        yield from by_run[0]
        return
    for run, notes in zip(runs, by_run, strict=True):
        yield f"{run.path}: {notes[0] if notes else RunWords.NO_LINK()}"


def rankings_notes(measured: Measured) -> tuple[str, ...]:
    """How the verdicts of a run's rankings come about, if there are any."""
    curves = measured.rankings.curves
    pairs = any(curve.libraries > 2 for curve in curves)
    return (verdict_note(measured.threshold, pairs),) if curves else ()


def verdict_note(threshold: float, pairs: bool = False) -> str:
    """By which threshold and tests anything is faster, slower or the same.

    Args:
        threshold: A share.
        pairs: Whether all pairs of several libraries are one family of tests.
    """
    return RunWords.VERDICTS(threshold=stated_share(threshold), pairs=pairs)
