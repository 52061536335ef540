"""One mutation: what is attempted with it, within bounds, and what that comes to."""

from __future__ import annotations

import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LIMIT_S = 5.0
"""Of the processor's time; the machine may be busy."""
HELD, TRACEBACK, SILENT, RAW = "held", "traceback", "silent loss", "raw text"
SLOW, MEMORY, DIED = "over the time", "over the memory", "died"
KINDS = (TRACEBACK, SILENT, RAW, SLOW, MEMORY, DIED)
"""What a mutation may come to that is wrong."""
FRAMES = 3

Attack = Callable[[random.Random], str]
"""Makes one mutation of what it has and reads it; says in a word how it was met, as "named".

It raises SilentLossError where something was lost, or is wrong, without a word of it; all else that
it raises is what the tool should have said in words.
"""
Maker = Callable[[Path], Attack]
"""Sets an attack up in an empty folder of its own."""


class SilentLossError(Exception):
    """What a mutation took away, or changed, isn't named by a caveat nor an error."""


class RawTextError(Exception):
    """An output has what a terminal would obey."""


class OvertimeError(BaseException):
    """A mutation takes longer than it may; no handler of errors is to stop it."""


@dataclass(frozen=True, slots=True)
class Case:
    """A mutation that can be made again: by its name alone."""

    mutator: str
    seed: int
    number: int

    @classmethod
    def named(cls, text: str) -> Case:
        """The case that `str` of one has named; ValueError if it is no such name."""
        mutator, seed, number = text.split(":")
        return cls(mutator, int(seed), int(number))

    def __str__(self) -> str:
        """E.g. "raw:20261124:4711"."""
        return f"{self.mutator}:{self.seed}:{self.number}"

    def rng(self) -> random.Random:
        """What draws the mutation; the same in all versions of Python."""
        return random.Random(str(self))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case."""

    case: Case
    kind: str
    """HELD, or what is wrong."""
    words: str
    """How it was met; else what is wrong, and where."""
    seconds: float
    """Of the processor's time."""


def attempt(attack: Attack, case: Case) -> Outcome:
    """Has `attack` make the mutation `case`; raises nothing."""
    begin = time.process_time()
    kind = HELD
    try:
        with _at_most(LIMIT_S):
            words = attack(case.rng())
    except SilentLossError as loss:
        kind, words = SILENT, str(loss)
    except RawTextError as error:
        kind, words = RAW, str(error)
    except OvertimeError as error:
        kind, words = SLOW, _where(error)
    except MemoryError as error:
        kind, words = MEMORY, _where(error)
    except BaseException as error:  # also the end of the program: nothing may pass
        kind, words = TRACEBACK, f"{type(error).__name__}: {error} ({_where(error)})"
    return Outcome(case, kind, words, time.process_time() - begin)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raises OvertimeError inside, once it has used so much of the processor's time."""
    signal.signal(signal.SIGPROF, _overtime)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _overtime(*_: object) -> None:
    raise OvertimeError


def _where(error: BaseException) -> str:
    """The last calls that led to `error`, the innermost last."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return " > ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in frames)
