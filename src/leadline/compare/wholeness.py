"""What of a run is damaged or missing, in words that say which run it is of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Run

INCOMPLETE = CaveatKind.INCOMPLETE.because("a run was interrupted: later blocks are missing")
HOSTS_DOWN = CaveatKind.HOST_DOWN.because("hosts went down: blocks with ranks on them are missing")


def unfinished(*runs: Run) -> list[Caveat]:
    """Why some of `runs` have fewer blocks than they were to have, each reason once."""
    missing = [HOSTS_DOWN if run.awaits_hosts else INCOMPLETE for run in runs if not run.complete]
    return list(dict.fromkeys(missing))


def not_whole(run: Run) -> list[Caveat]:
    """What of `run` is damaged or missing; each names it."""
    return named(run, (*run.damage, *unfinished(run)))


def named(run: Run, caveats: Iterable[Caveat]) -> list[Caveat]:
    """`caveats`, each of which says that it is of `run`."""
    names = f"{run.path}/", f"{run.path}:"
    return [
        one if one.cause.startswith(names) else replace(one, cause=f"{run.path}: {one.cause}")
        for one in caveats
    ]
