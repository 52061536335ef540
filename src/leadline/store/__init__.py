"""Run directories: the only room that writes results.

A run is a directory. While it is measured it holds `journal.jsonl`, appended to and synced line by
line, so that a kill loses at most the slice in flight. `finish` adds `batches.parquet`,
`slices.parquet` and `run.json`, which can always be made again from the journal. `plan.json`,
written before the first slice, has what `--resume` goes on with. The journal itself is locked
(flock) while a campaign writes to it; there are no lock files.

Public:
    here: bad_plan, check_unused, finish, Journal, load, read_plan, runs_below, runs_beside,
        write_plan
    directory: load, tabulate, whole_parquet
    parquet: literal_path, quoted

For: cli, measure, query, simulate.
Never: what a number means, how it is reduced or printed.
"""

from leadline.store.directory import finish, load, runs_below, runs_beside
from leadline.store.journal import Journal, check_unused
from leadline.store.plans import bad_plan, read_plan, write_plan

__all__ = [
    "Journal",
    "bad_plan",
    "check_unused",
    "finish",
    "load",
    "read_plan",
    "runs_below",
    "runs_beside",
    "write_plan",
]
