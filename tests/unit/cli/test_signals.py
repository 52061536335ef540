"""A terminal that closes ends a campaign as Ctrl-C does; with nohup it is none of its business."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from leadline.cli.process import end_as_by_ctrl_c

NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def as_started() -> Iterator[None]:
    """Signals as a process that was just started has them; afterwards as they were."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in NUMBERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.usefixtures("as_started")
def test_end_of_a_job_or_a_terminal_interrupts(number: signal.Signals) -> None:
    end_as_by_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


@pytest.mark.usefixtures("as_started")
def test_second_hang_up_does_not_disturb_the_end_that_the_first_began() -> None:
    end_as_by_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGHUP)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.usefixtures("as_started")
def test_signal_that_was_ignored_at_the_start_stays_so(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_IGN)
    end_as_by_ctrl_c()
    signal.raise_signal(number)
