"""What a mutation may come to that is wrong: beside any other exception, these."""

from __future__ import annotations

import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from leadline.cli.process import LEAST_ADDRESS_SPACE_BYTES

LIMIT_S = 5.0
"""Of the processor's time, where nothing else runs."""
BESIDE_OTHERS = 10
"""Times as much the suite allows, beside whatever else runs."""
STUCK_S = 600.0
"""After which what waits for something is ended."""
MOST_BYTES = 2**30
"""What a mutation may have the process take, beyond what that has before, or what commands need."""


class SilentLossError(Exception):
    """What a mutation took away, or changed, isn't named by a warning nor an error."""


class RawTextError(Exception):
    """An output has what a terminal would obey."""


class OvertimeError(Exception):
    """A mutation takes longer than it may."""


class _Interruption(BaseException):  # no handler of errors is to stop it
    pass


MET: Counter[tuple[str, str]] = Counter()
"""How often each attack was met in which way."""


def met(attack: Callable[..., str], *mutation: object) -> None:
    """Has `attack`, a function that says how it is met, read `mutation` within bounds.

    Raises what it raises: whatever that is, it is wrong.
    """
    with _time_bounded(), _memory_bounded():
        words = attack(*mutation)
    MET[attack.__name__, words] += 1
    event(words)


def attempt(attack: Callable[..., str], most: int, *mutations: SearchStrategy[object]) -> None:
    """Raises what `attack` comes to with the first of at most so many `mutations`, unshrunk.

    For tests of what a property would see.
    """

    @settings(max_examples=most, phases=[Phase.generate], database=None)
    @given(st.tuples(*mutations))
    def attempted(mutation: tuple[object, ...]) -> None:
        met(attack, *mutation)

    attempted()


@contextmanager
def _time_bounded() -> Iterator[None]:
    before = {one: signal.signal(one, _interrupt) for one in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, _limit_s())
    signal.setitimer(signal.ITIMER_REAL, STUCK_S)
    try:
        yield
    except _Interruption as error:
        raise OvertimeError(str(error)) from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in before.items():
            signal.signal(one, handler)


def _limit_s() -> float:
    is_suite = settings.get_current_profile_name() == "suite"
    return LIMIT_S * BESIDE_OTHERS if is_suite else LIMIT_S


def _interrupt(number: int, _: Any) -> None:
    spent = f"{_limit_s():g} s of the processor" if number == signal.SIGPROF else f"{STUCK_S:g} s"
    raise _Interruption(f"not done in {spent}")


@contextmanager
def _memory_bounded() -> Iterator[None]:
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    allowed = [one for one in (before, hard) if one != resource.RLIM_INFINITY]
    own = max(pages * resource.getpagesize() + MOST_BYTES, LEAST_ADDRESS_SPACE_BYTES)
    most = min([own, *allowed])
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
