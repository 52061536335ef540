"""Run directories: the only room that writes results.

A run is a directory. While it is measured it holds `journal.jsonl`, appended to and synced line by
line, so that a kill loses at most the slice in flight. `finish` adds `batches.parquet`,
`slices.parquet` and `run.json`, which can always be made again from the journal. `plan.json`,
written before the first slice, has what `--resume` goes on with. The journal itself is locked
(flock) while a campaign writes to it; there are no lock files.

Public:
    here: bad_plan, check_unused, finish, finish_ended, is_own, Journal, left_out, load, read_plan,
        runs_below, runs_beside, stored, Stored, write_plan
    directory: tabulate
    parquet: is_sound, literal_path, quoted, raise_if_not_its_fault, REALS, registrable, said_by,
        settings, sound, uninterrupted, WORDS

For: cli, measure, query, simulate.
Never: what a number means, how it is reduced or printed.
"""

from leadline.store.directory import (
    Stored,
    finish,
    finish_ended,
    left_out,
    load,
    runs_below,
    runs_beside,
    stored,
)
from leadline.store.journal import Journal, check_unused
from leadline.store.own import is_own
from leadline.store.plans import bad_plan, read_plan, write_plan

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
