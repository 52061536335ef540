"""Stored runs whose bytes are damaged: what reads them says what is lost."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.faults_bytes import damaged
from bench.faults_case import Attack, SilentLossError
from bench.faults_commands import said
from bench.faults_runs import Content, Intact, content_of, intact_runs
from leadline.errors import LeadlineError
from leadline.record.run import Run
from leadline.store import load

FILES = ("journal.jsonl", "run.json", "batches.parquet", "slices.parquet")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("show", "RUN"), ("show", "RUN", "--json", "--tails"), ("show", "RUN", "--csv"),
    ("show", "RUN", "--markdown", "--by-ranks"), ("history", "."), ("fit", "RUN"),
    ("compare", "RUN", "--baseline", "mpich"), ("compare", "RUN", "RUN", "--json"),
    ("export", "RUN", "--csv"), ("export", "RUN", "--json"), ("export", "RUN", "--extrap"),
    ("sql", "FROM measurements", "RUN"), ("sql", "FROM batches", "RUN", "--json"),
    ("sql", "FROM blocks", "RUN", "--csv"),
)  # fmt: skip
"""What reads a run; each mutation is read by a third of them in turn, and by `load` always."""
SHARE = 0.3
SPECIAL_SHARE = 0.1
"""Of mutations, in which one file is besides a pipe, a device, a folder or a link to nothing."""
USAGE, NOT_WHOLE = 2, 4
"""Exit statuses: a run can't be read at all, and under --strict, one isn't whole."""


def raw(folder: Path) -> Attack:
    """Files of runs with damaged bytes, some gone, some of another run's."""
    intact, run = corpus(folder)

    def attack(rng: random.Random) -> str:
        whole = drawn_of(intact, rng)
        files = _mutated(whole, rng.choice(intact), rng)
        write(run, files)
        if rng.random() < SPECIAL_SHARE:
            make_special(run / rng.choice(list(whole.files)), rng)
        return judged(run, whole, rng, partial(_check, whole=whole, files=files))

    return attack


def corpus(folder: Path) -> tuple[list[Intact], Path]:
    """Runs to be mutated, and the directory of the one that is, which has no neighbours."""
    (folder / "runs").mkdir()
    return intact_runs(), folder / "runs" / "run"


def drawn_of(intact: Sequence[Intact], rng: random.Random) -> Intact:
    """One of `intact`; less often one with tables, which take longest to be read."""
    tabulated = [one for one in intact if "run.json" in one.files]
    return rng.choice(tabulated if rng.random() < 0.5 else intact)


def write(run: Path, files: Mapping[str, bytes]) -> None:
    """Makes `run` a directory of just these `files`."""
    shutil.rmtree(run, ignore_errors=True)
    run.mkdir()
    for name, content in files.items():
        (run / name).write_bytes(content)


def make_special(path: Path, rng: random.Random) -> None:
    """Puts something at `path` that is no plain file: nobody is to wait for it, or read on."""
    path.unlink(missing_ok=True)
    kind = rng.choice(("pipe", "endless", "loop", "folder", "nowhere"))
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"endless": "/dev/zero", "loop": path.name, "nowhere": "gone"}[kind])


def _mutated(whole: Intact, other: Intact, rng: random.Random) -> Mapping[str, bytes]:
    """The files of `whole`, at least one of them damaged, gone, or that of `other`."""
    names = [name for name in whole.files if rng.random() < 0.4] or [rng.choice(list(whole.files))]
    files = dict(whole.files)
    for name in names:
        if rng.random() < 0.08:
            del files[name]
        elif rng.random() < 0.08 and name in other.files and _told_apart(whole, other):
            files[name] = other.files[name]
        else:
            files[name] = damaged(files[name], rng, other.files.get(name, b""))
    return files


def _told_apart(whole: Intact, other: Intact) -> bool:
    """Whether a file of `other` among those of `whole` can be seen: one alone is a run itself."""
    return bool(whole.id and other.id) and len(whole.files) > 1


def judged(
    run: Path, whole: Intact, rng: random.Random, check: Callable[[Run, Content], None]
) -> str:
    """How what `load` and a command say of `run` fits what `whole` was; SilentLossError.

    `check` raises it where the run, of which no damage is named, and its content aren't as allowed.
    """
    try:
        found = load(run)
        content = content_of(found)
    except LeadlineError:
        named: list[str] | None = None
    else:
        named = [one.cause for one in found.damage if one.cause not in whole.warnings]
        if not named:
            check(found, content)
    if rng.random() < SHARE:
        check_command(run, rng, named)
    return "refused" if named is None else "named" if named else "taken for what it says"


def _check(found: Run, content: Content, whole: Intact, files: Mapping[str, bytes]) -> None:
    if not _is_interrupted(found, whole, files):
        check_same(whole.content, content)


def check_same(was: Content, found: Content) -> None:
    """SilentLossError unless both hold the same."""
    gone = was.lost(found)
    if gone:
        raise SilentLossError(f"without a word {'; '.join(gone)}")
    come = found.lost(was)
    if come:
        raise SilentLossError(f"shown as if they were the run's: {'; '.join(come)}")


def _is_interrupted(found: Run, whole: Intact, files: Mapping[str, bytes]) -> bool:
    """Whether it says of itself that it ends early, and its journal is the beginning of a whole."""
    journal = files.get("journal.jsonl", b"").removesuffix(b"\n").split(b"\n")
    lines = whole.files["journal.jsonl"].split(b"\n")
    return not found.complete and journal == lines[: len(journal)]


def check_command(run: Path, rng: random.Random, named: list[str] | None) -> None:
    """SilentLossError where a command that shows a damaged `run` doesn't name what is `named`."""
    words = [
        {"RUN": str(run), ".": str(run.parent)}.get(word, word) for word in rng.choice(COMMANDS)
    ]
    strict = rng.random() < 0.5
    answer = said(*words, *["--strict"] * strict)
    if not named or answer.status == USAGE:
        return
    places = {file for file in FILES for cause in named if file in cause}
    if places and not any(place in answer.all for place in places):
        raise SilentLossError(f"leadline {words[0]} doesn't say: {named[0][:120]}")
    if strict and answer.status != NOT_WHOLE:
        raise SilentLossError(f"leadline {words[0]} --strict has status {answer.status}")
