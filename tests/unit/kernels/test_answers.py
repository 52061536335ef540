"""What a rank answers is either recorded so that it can be read back, or named as wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from harness.answered import SliceError, answered, not_read_back
from harness.callers import hello

from leadline.record.quantities import LONGEST_NS

LINE = (
    "result id=1 rank={rank} repetitions={repetitions} bytes={bytes} warm_up=0:0:0 contends=0 "
    "window_ns={window} run_delay_ns=0 switches=0 faults={faults} core_latency_ns=-1\n"
)
HELLOS = (hello(0, 2), hello(1, 2))


def answer(
    rank: int,
    *rows: tuple[int, int, int],
    repetitions: int = 9,
    window: int = 100,
    faults: int = -1,
) -> bytes:
    numbers = np.array(rows, np.int64).tobytes()
    messages = {"repetitions": repetitions, "window": window, "faults": faults}
    return LINE.format(rank=rank, bytes=len(numbers), **messages).encode() + numbers


SOUND = answer(0, (10, 20, 1), (20, 30, 0))


def test_what_machines_measure_is_read_back(tmp_path: Path) -> None:
    results = answered(tmp_path, HELLOS, [SOUND, answer(1, (0, LONGEST_NS, 31), (5, 5, 0))])
    assert not_read_back(results) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        answer(1, (-1, 20, 0)),
        answer(1, (20, 19, 0)),
        answer(1, (10, LONGEST_NS + 1, 0)),
        answer(1, (10, 20, 32)),
        answer(1, (10, 20, -1)),
        answer(1, (10, 20, 0), repetitions=0),
        answer(1, (10, 20, 0), repetitions=2**31),
        answer(1, (10, 20, 0), window=LONGEST_NS + 1),
        answer(1, (10, 20, 0), faults=-2),
    ],
    ids=range(9),
)
def test_what_no_machine_measures_ends_the_launch_that_says_it(
    wrong: bytes, tmp_path: Path
) -> None:
    with pytest.raises(SliceError, match="'result id=1 rank=1") as ended:
        answered(tmp_path, HELLOS, [SOUND, wrong])
    assert ended.value.code == "protocol"


def test_answer_without_batches_has_no_repetitions(tmp_path: Path) -> None:
    empty = [answer(rank, repetitions=0) for rank in range(2)]
    found = answered(tmp_path, HELLOS, empty)
    assert [(one.repetitions, len(one.batches)) for one in found] == [(0, 0), (0, 0)]
