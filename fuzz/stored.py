"""How a run whose files were changed is read: what is lost, or has come, is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from fuzz.bounds import SilentLossError
from fuzz.chance import chance
from fuzz.commands import said
from fuzz.runs import Content, Intact, content_of, intact_runs
from leadline import store
from leadline.errors import LeadlineError
from leadline.record.run import Run

RUN = Path("runs", "run")
FILES = ("journal.jsonl", "run.json", "batches.parquet", "slices.parquet")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("show", "RUN"), ("show", "RUN", "--json", "--tails"), ("show", "RUN", "--csv"),
    ("show", "RUN", "--markdown", "--by-ranks"), ("history", "."), ("fit", "RUN"),
    ("compare", "RUN", "--baseline", "mpich"), ("compare", "RUN", "RUN", "--json"),
    ("export", "RUN", "--csv"), ("export", "RUN", "--json"), ("export", "RUN", "--extrap"),
    ("sql", "FROM measurements", "RUN"), ("sql", "FROM batches", "RUN", "--json"),
    ("sql", "FROM blocks", "RUN", "--csv"),
)  # fmt: skip
"""What reads a run, each time one of them or none; `load` does always."""
USAGE, NOT_WHOLE = 2, 4
"""Exit statuses: a run can't be read at all, and under --strict, one isn't whole."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A run whose files aren't what they were, and what else reads it."""

    whole: Intact
    files: Mapping[str, bytes]
    command: tuple[str, ...] | None

    def judged(self, check: Callable[[Run, Content], None]) -> str:
        """How what `load` and a command say of RUN fits what it was; SilentLossError.

        `check` raises it where the run, of which no damage is named, isn't as allowed.
        """
        try:
            found = store.load(RUN)
            content = content_of(found)
        except LeadlineError:
            named: list[str] | None = None
        else:
            named = [one.cause for one in found.damage if one.cause not in self.whole.warnings]
            if not named:
                check(found, content)
        if self.command is not None:
            _check_command(self.command, named)
        return "refused" if named is None else "named" if named else "taken for what it says"


@st.composite
def readers(draw: st.DrawFn) -> tuple[str, ...] | None:
    """A command that reads a run besides; or none."""
    if not chance(draw, 50):
        return None
    return draw(st.sampled_from(COMMANDS)) + draw(st.sampled_from(((), ("--strict",))))


@st.composite
def wholes(draw: st.DrawFn) -> Intact:
    """A run to be changed; less often one with tables, which take longest to be read."""
    intact = intact_runs()
    tabulated = [one for one in intact if "run.json" in one.files]
    return draw(st.sampled_from(intact) | st.sampled_from(tabulated))


def write(files: Mapping[str, bytes]) -> None:
    """Makes RUN a directory of just these `files`, without neighbours."""
    shutil.rmtree(RUN.parent, ignore_errors=True)
    RUN.mkdir(parents=True)
    for name, content in files.items():
        (RUN / name).write_bytes(content)


def _check_command(command: tuple[str, ...], named: list[str] | None) -> None:
    """SilentLossError where a command that shows a damaged run doesn't name what is `named`."""
    answer = said(*({"RUN": str(RUN), ".": str(RUN.parent)}.get(word, word) for word in command))
    if not named or answer.status == USAGE:
        return
    places = {file for file in FILES for cause in named if file in cause}
    if places and not any(place in answer.out + answer.err for place in places):
        raise SilentLossError(f"leadline {command[0]} doesn't say: {named[0][:120]}")
    if "--strict" in command and answer.status != NOT_WHOLE:
        raise SilentLossError(f"leadline {' '.join(command)} has status {answer.status}")
