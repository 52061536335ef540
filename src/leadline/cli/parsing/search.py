"""How `leadline map` looks for a mapping: what it is to make small, and for how long."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.errors import UsageError, unknown_name
from leadline.units import parse_duration

if TYPE_CHECKING:
    from leadline.report.text.mapping import Mapped
    from leadline.topology.job import Job


@dataclass(frozen=True, slots=True)
class Search:
    """What the mapping is to make small, and how long it may look for it."""

    metric: str
    steps: int
    seed: int
    method: str | None = None
    """The only one that proposes; None: all do."""

    def map(self, job: Job) -> Mapped:
        """The best mapping found for `job`."""
        from leadline.mapping import map_ranks
        from leadline.mapping.inside import arranged
        from leadline.report.text.mapping import Mapped

        found = map_ranks(
            job.pattern, job.allocation.machine,
            metric=self.metric, steps=self.steps, seed=self.seed, method=self.method,
        )  # fmt: skip
        alone, inside = self.method is not None, job.allocation.inside
        if inside is None:
            return Mapped(job, self.metric, found, alone)
        found, hops = arranged(job, inside, found, steps=self.steps, seed=self.seed)
        return Mapped(job, self.metric, found, alone, hops)


def read_search(arguments: argparse.Namespace) -> Search:
    """The Search that --metric, --method, --time and --seed ask for."""
    from leadline.mapping import DEFAULT_STEPS, METRICS, STEPS_PER_SECOND

    if arguments.metric not in METRICS:
        raise unknown_name("metric", arguments.metric, METRICS)
    if not 0 <= arguments.seed < 2**63:
        raise UsageError(f"--seed {arguments.seed} must be at least 0 and below 2^63")
    steps = DEFAULT_STEPS
    if arguments.time:
        steps = max(1, round(parse_duration(arguments.time) * STEPS_PER_SECOND))
    return Search(arguments.metric, steps, arguments.seed, _method(arguments.method))


def method_words() -> dict[str, str]:
    """Each method by the word that names it on the command line, where blanks are dashes."""
    from leadline.mapping import METHODS

    return {name.replace(" ", "-"): name for name in METHODS}


def _method(word: str | None) -> str | None:
    words = method_words()
    if word is None or word in words.values():
        return word
    if word not in words:
        raise unknown_name("method", word, words)
    return words[word]
