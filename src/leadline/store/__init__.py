"""Run directories: the only room that writes results.

A run is a directory. While it is measured it holds `journal.jsonl`, appended to and synced line by
line, so that a kill loses at most the slice in flight. `finish` adds `batches.parquet`,
`slices.parquet` and `run.json`, which can always be recreated from the journal. `plan.json`,
written before the first slice, holds what `--resume` goes on with. The journal itself is locked
(flock) while a campaign writes to it; there are no lock files.

Public:
    directory: tabulate
    parquet: is_sound, literal_path, quoted, raise_if_not_its_fault, REALS, registrable, said_by,
        settings, sound, uninterrupted, WORDS
    here: bad_plan, check_unused, finish, finish_ended, is_own, Journal, left_out, load, read_plan,
        runs_below, runs_beside, Stored, stored, write_plan

For: cli, measure, query, simulate.
Never: what a number means, how it is reduced or printed.
"""

from leadline.store.directory import (
    Stored,
    bad_plan,
    finish,
    finish_ended,
    is_own,
    left_out,
    load,
    read_plan,
    runs_below,
    runs_beside,
    stored,
    write_plan,
)
from leadline.store.journal import Journal, check_unused

__all__ = [
    "Journal",
    "Stored",
    "bad_plan",
    "check_unused",
    "finish",
    "finish_ended",
    "is_own",
    "left_out",
    "load",
    "read_plan",
    "runs_below",
    "runs_beside",
    "stored",
    "write_plan",
]
