"""Several jobs of `leadline map` on one machine."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

from leadline.cli.job_words import JobWords, parse_job_words, read_pattern, words_in
from leadline.cli.machines import read_allocation
from leadline.cli.search import Search
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.topology.allocation import Allocation
    from leadline.topology.job import Job


def map_jobs(arguments: argparse.Namespace, search: Search, whole: Allocation) -> None:
    """Prints what the jobs do to each other, and how the machine is best divided among them."""
    from leadline.mapping.interference import share_machine
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.terminal import print_document
    from leadline.report.programs.mapping import sharing_content
    from leadline.report.text.jobs import sharing_document

    if replace(words_in(arguments), allocation=None) != JobWords():
        raise UsageError("with --job each job has its own pattern: --job grid=4x4x4,periodic=1,1,0")
    if search.method:
        raise UsageError("--method is for one job; with --job all methods are tried")
    free = read_allocation(whole, arguments.allocation) if arguments.allocation else None
    jobs = read_jobs([parse_job_words(text) for text in arguments.job], free or whole, whole)
    rough = replace(search, steps=0)
    sharing = share_machine(
        _pool(jobs, free, whole),
        jobs,
        lambda job: rough.map(job).mapping,
        lambda job: search.map(job).mapping,
    )
    if arguments.json:
        print(document_text(sharing_content(sharing), indent=None))
    else:
        print_document(sharing_document(sharing, whole.name))


def read_jobs(words: Sequence[JobWords], free: Allocation, whole: Allocation) -> list[Job]:
    """The jobs, on slots that no two of them share.

    A job without an allocation gets the first slots of `free` that no job before it has and none
    asks for, as a batch system would give them.

    Raises:
        UsageError: Too few slots, two jobs of one name or on one slot.
    """
    named = [replace(job, name=job.name or _letter(i)) for i, job in enumerate(words)]
    owners: dict[int, str] = {}
    placed: dict[str, Job] = {}
    for job in sorted(named, key=lambda job: job.allocation is None):
        if job.name in placed:
            raise UsageError(f"two jobs are called {job.name!r}; give other names")
        placed[str(job.name)] = _read_job(job, free, whole, owners)
    return [placed[str(job.name)] for job in named]


def _letter(index: int) -> str:
    return ascii_uppercase[index] if index < len(ascii_uppercase) else f"J{index + 1}"


def _read_job(words: JobWords, free: Allocation, whole: Allocation, owners: dict[int, str]) -> Job:
    """The job on its slots, which are noted in `owners`."""
    import numpy as np

    from leadline.topology.allocation import first_slots
    from leadline.topology.job import Job, check_fit, ranks_of

    pattern = read_pattern(words)
    if words.allocation is None:
        left = np.flatnonzero(~np.isin(free.numbers, list(owners)))
        chosen = first_slots(free.take(left), ranks_of(pattern))
    else:
        chosen = read_allocation(whole, words.allocation)
    check_fit(pattern, chosen)
    for number in chosen.numbers.tolist():
        if owners.setdefault(number, str(words.name)) != words.name:
            raise UsageError(
                f"jobs {owners[number]} and {words.name} both have slot {number} of {whole.name}; "
                "allocations of jobs must be disjoint"
            )
    return Job(str(words.name), pattern, chosen)


def _pool(jobs: Sequence[Job], free: Allocation | None, whole: Allocation) -> Allocation:
    """What the jobs may be moved to: their own slots, and those of --allocation."""
    import numpy as np

    own = [job.allocation.numbers for job in jobs]
    return whole.take(np.unique(np.concatenate([*own, *([free.numbers] if free else [])])))
