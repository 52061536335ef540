from __future__ import annotations

import numpy as np
from harness.blocks import cell, configuration

from leadline.measure.schedule import Precision
from leadline.record.slices import Slice


def taken(index: int, visit: int, elapsed_ns: int, cell_index: int = 0) -> Slice:
    start = np.zeros((1, 3), np.int64)
    ranks, flags = np.zeros(1, np.int32), np.zeros((1, 3), np.int32)
    return Slice(index, cell_index, 0, visit, 1, ranks, start, start + elapsed_ns, flags)


def after(blocks: int, second: tuple[int, int], first: tuple[int, int] = (1000, 2000)) -> Precision:
    """Blocks of two visits; the machine is twice as slow at every second one."""
    precision = Precision(0.02, (cell(8),))
    for index in (0, 1):
        precision.know(index, configuration(f"v{index}"))
    for _ in range(blocks):
        for visit in (0, 1):
            precision.add(taken(0, visit, first[visit]))
            precision.add(taken(1, visit, second[visit]))
        precision.end_block()
    return precision


def test_steady_ratio_suffices_from_six_blocks_on_however_the_times_move() -> None:
    assert not after(5, (1500, 3000)).reached()
    assert after(6, (1500, 3000)).reached()


def test_unsteady_ratio_does_not_suffice() -> None:
    precision = after(4, (1500, 3000))
    for _ in range(4):
        precision.add(taken(0, 0, 1000))
        precision.add(taken(1, 0, 1900))
        precision.end_block()
    assert not precision.reached()


def test_nothing_measured_is_never_enough() -> None:
    assert not Precision(0.02, ()).reached()
    empty = after(0, (1, 1))
    for _ in range(8):
        empty.end_block()
    assert not empty.reached()


def test_cells_that_compute_do_not_keep_a_campaign_going() -> None:
    precision = Precision(0.02, (cell(8, "ibcast"), cell(8, "ibcast:computing")))
    precision.know(0, configuration("a"))
    for block in range(8):
        precision.add(taken(0, 0, 100_000))
        precision.add(taken(0, 0, 100_000 * (block + 1), cell_index=1))
        precision.end_block()
    assert precision.reached()


def test_cells_settle_whose_first_2_ms_say_what_the_whole_slice_does() -> None:
    precision = Precision(0.02, (cell(8), cell(1024)))
    for index in (0, 1):
        precision.know(index, configuration(f"v{index}"))
    for visit in range(4):
        for index in (0, 1):
            steady = 100_000 + 1000 * visit * index
            precision.add(long_slice(index, visit, 0, [steady] * 50))
            precision.add(long_slice(index, visit, 1, [steady] * 20 + [steady * (1 + index)] * 30))
    precision.end_block()
    assert precision.settled == {0}
    for index in (0, 1):  # later blocks have shorter slices
        precision.add(long_slice(index, 0, 1, [100_000] * 20))
    precision.end_block()
    assert precision.settled == {0}


def long_slice(index: int, visit: int, cell_index: int, elapsed_ns: list[int]) -> Slice:
    """Batches one right after the other."""
    end = np.cumsum(elapsed_ns, dtype=np.int64)[None]
    ranks, flags = np.zeros(1, np.int32), np.zeros(end.shape, np.int32)
    return Slice(index, cell_index, 0, visit, 1, ranks, end - elapsed_ns, end, flags)
