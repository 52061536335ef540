"""Stored runs whose bytes are damaged: what reads them says what is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

import pytest
from harness.examples import share
from hypothesis import given
from hypothesis import strategies as st

from fuzz import bounds, planted
from fuzz.bounds import OvertimeError, SilentLossError, attempt, met
from fuzz.chance import chance
from fuzz.edits import Edited, damaged
from fuzz.runs import Content, Intact, intact_runs
from fuzz.stored import RUN, Mutation, readers, wholes, write
from leadline import store
from leadline.cli.parsing.reading import Reader
from leadline.record.run import Run

SPECIAL = {"endless": "/dev/zero", "loop": "run/loop", "nowhere": "gone", "pipe": "", "folder": ""}
"""What is no plain file, and of links what they lead to."""


@dataclass(frozen=True, slots=True)
class Damage(Mutation):
    """Damaged bytes."""

    special: tuple[str, str] | None
    """In place of which file what is that is none; nobody is to wait for it, or read on."""


@st.composite
def damages(draw: st.DrawFn) -> Damage:
    """A run, of whose files at least one is damaged, gone, or another run's."""
    whole, other = draw(wholes()), draw(st.sampled_from(intact_runs()))
    files = {name: Edited(content) for name, content in whole.files.items()}
    names = st.sampled_from(list(files))
    for name in sorted(draw(st.sets(names, min_size=1))):
        strays = other.files.get(name, b"")
        if chance(draw, 8):
            del files[name]
        elif chance(draw, 8) and strays and _told_apart(whole, other):
            files[name] = Edited(strays, f"that of {other.name}")
        else:
            files[name] = draw(damaged(files[name], strays))
    kinds = st.sampled_from(list(SPECIAL))
    special = draw(st.tuples(names, kinds)) if chance(draw, 20) else None
    return Damage(whole, files, draw(readers()), special)


def _told_apart(whole: Intact, other: Intact) -> bool:
    """Whether a file of `other` among those of `whole` can be seen: one alone is a run itself."""
    return bool(whole.id and other.id) and len(whole.files) > 1


@share(0.05)
@given(damages())
def test_damage_is_named_or_refused(damage: Damage) -> None:
    met(_read, damage)


def _read(damage: Damage) -> str:
    write(damage.files)
    if damage.special:
        _make_special(RUN / damage.special[0], damage.special[1])
    return damage.judged(partial(_check, damage))


def _make_special(path: Path, kind: str) -> None:
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path.name if kind == "loop" else SPECIAL[kind])


def _check(damage: Damage, found: Run, content: Content) -> None:
    """SilentLossError unless both hold the same, or it says that it was interrupted."""
    was = damage.whole.content
    if _is_interrupted(damage, found):
        return
    if gone := was.lost(content):
        raise SilentLossError(f"without a word {'; '.join(gone)}")
    if come := content.lost(was):
        raise SilentLossError(f"shown as if they were the run's: {'; '.join(come)}")


def _is_interrupted(damage: Damage, found: Run) -> bool:
    """Whether it says that it ends early, and each line of its journal was written with its number.

    For which run can't be told: a line names none.
    """
    lines = damage.files.get("journal.jsonl", b"").removesuffix(b"\n").split(b"\n")
    return not found.complete and _written().issuperset(enumerate(lines))


@cache
def _written() -> frozenset[tuple[int, bytes]]:
    """Each line of all runs, with its place."""
    journals = [one.files["journal.jsonl"].split(b"\n") for one in intact_runs()]
    return frozenset(line for journal in journals for line in enumerate(journal))


# -- faults that it must see -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        (planted.raises, IndexError),
        (planted.drops, SilentLossError),
        (planted.allocates, MemoryError),
    ],
)
def test_fault_of_a_reader_is_seen(fault: Callable[..., object], seen: type[Exception]) -> None:
    with patch.object(store, "load", fault), pytest.raises(seen):
        attempt(_read, 30, damages())


@pytest.mark.parametrize(
    ("fault", "limit"), [(planted.turns, "LIMIT_S"), (planted.waits, "STUCK_S")]
)
def test_reader_that_does_not_end_is_ended(fault: Callable[..., object], limit: str) -> None:
    with (
        patch.object(store, "load", fault),
        patch.object(bounds, limit, 0.05),
        pytest.raises(OvertimeError),
    ):
        attempt(_read, 1, damages())


@patch.object(Reader, "_tell", lambda *_: [])
def test_commands_that_say_nothing_are_seen() -> None:
    with pytest.raises(SilentLossError):
        attempt(_read, 300, damages())
