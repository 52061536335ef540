"""How often whole campaigns are right, from plan to sentence, in virtual time on scripted machines.

A campaign of two libraries over 8 sizes goes the whole real way: it is planned, its ranks answer
over the campaign's socket, its journal becomes Parquet and its samples verdicts and sentences.
Right: what is planted is found, and nothing false; wrong: any verdict is false, or a sentence
says another thing than its verdict; undecided: the rest.

    python -m validation.truth.whole_campaigns [--trials N] [--seed N]    also says who was wrong
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from leadline.compare.analysis import THRESHOLD
from leadline.compare.pairs import ComparisonResult
from leadline.record.run import Run
from leadline.report.text.comparison import Compared, comparison_document
from leadline.scripted.grades import Grade, Graded, graded
from leadline.scripted.scenarios import SCENARIOS, Scenario
from validation.rates import ANY, Goal, Simulation

TRIALS, SEED = 1_000, 1
PROCESSES = 2
FEW = 16
"""Campaigns that this process plays by itself."""
APART = 1_000_000
"""Between the first campaigns of two series."""
MEMORY = Path("/dev/shm")
"""Where writing takes no time, if there is such a place."""
AT_MOST: Goal = (0.0, 0.05)
NEVER: Goal = (0.0, 0.0)
GOALS: Mapping[tuple[str, Grade], Goal] = {
    **{(scenario.name, Grade.WRONG): AT_MOST for scenario in SCENARIOS},
    ("3 to 5 blocks, 10 % planted", Grade.WRONG): NEVER,
    ("3 to 5 blocks, 10 % planted", Grade.UNDECIDED): (0.95, 1.0),
}
"""Other shares depend on noise and time alone: they are told, and have none."""


def sentences(run: Run, result: ComparisonResult) -> list[str]:
    """What `leadline compare` prints below its tables."""
    document = comparison_document(Compared((run,), result, THRESHOLD))
    return [note for section in document for note in section.notes]


def played(scenario: Scenario, seed: int) -> Graded:
    """One campaign; its directory is removed."""
    with tempfile.TemporaryDirectory(prefix="leadline-truth-") as folder:
        return graded(scenario, seed, Path(folder, "run"), sentences)


@functools.cache
def series(scenario: Scenario, number: int, seed: int = SEED) -> Sequence[Graded]:
    """So many campaigns, the same in however many processes."""
    seeds = range(seed * APART, seed * APART + number)
    play = partial(played, scenario)
    if number <= FEW:
        return list(map(play, seeds))
    with multiprocessing.get_context("spawn").Pool(PROCESSES, _write_to_memory) as pool:
        return pool.map(play, seeds, chunksize=8)


def _write_to_memory() -> None:
    if MEMORY.is_dir():
        tempfile.tempdir = str(MEMORY)


def share(scenario: Scenario, grade: Grade, number: int, seed: int = SEED) -> float:
    """Of so many campaigns, those of `grade`."""
    return Counter(one.grade for one in series(scenario, number, seed))[grade] / number


def simulations(trials: int = TRIALS, seed: int = SEED) -> Iterator[Simulation]:
    """All grades of all scenarios, of as many campaigns as trials."""
    for scenario in SCENARIOS:
        for grade in Grade:
            goal = GOALS.get((scenario.name, grade), ANY)
            counted = partial(share, scenario, grade, seed=seed)
            yield Simulation(f"whole campaigns: {scenario.name}, {grade}", goal, trials, counted)


def main() -> None:
    """Prints all shares, and of each scenario the campaigns that were wrong."""
    from validation.truth import line

    parser = argparse.ArgumentParser(prog="python -m validation.truth.whole_campaigns")
    parser.add_argument("--trials", type=int, default=TRIALS, help="campaigns of each scenario")
    parser.add_argument("--seed", type=int, default=SEED, help="number of the series")
    asked = parser.parse_args()
    for one in simulations(asked.trials, asked.seed):
        print(line(one.row()), flush=True)
    for scenario in SCENARIOS:
        for number, found in enumerate(series(scenario, asked.trials, asked.seed)):
            if found.errors:
                print(f"{scenario.name}, {asked.seed * APART + number}: {', '.join(found.errors)}")
    print(f"{time.process_time():.0f} s here, {_children_s():.0f} s in other processes")


def _children_s() -> float:
    import resource

    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


if __name__ == "__main__":
    main()
