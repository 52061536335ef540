"""A cache line is handed over between ranks 2k and 2k + 1, or it isn't known how long that takes.

What the two share are atomic words, and each says by itself for which slice it stands: they order
no other memory. So no ordering can be too weak here, and all that the thread sanitizer could find
are words that aren't atomic.
"""

from __future__ import annotations

import os
import struct
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.support.kernels import NATIVE, kernel
from tests.support.orders import ending_of_handovers
from tests.support.scripts import obey, results

from leadline.kernels.build import LIBRARIES, SOURCES
from leadline.native.compiler import c_compiler, run
from leadline.record.slices import UNKNOWN

HANDOVER = SOURCES / "channel" / "handover.c"
BESIDE = (SOURCES / "channel" / "pages.c", NATIVE / "handovers.c")
SLICES, FEW_SLICES, PATIENCE_S = 400, 20, 60
MET = struct.pack("@4q", *[2**62] * 4)
"""A meeting at which nobody waits."""

Said = dict[int, dict[int, int]]
"""By rank and slice how long the hand-over took, ns."""


def program(into: Path, text: str) -> Path:
    """Ranks that do nothing but hand over; `text` is handover.c, or has a fault."""
    source = into / "handover.c"
    source.write_text(text)
    target = into / "handovers"
    words = [f"-I{SOURCES}", "-D_GNU_SOURCE", "-O2", *map(str, (source, *BESIDE)), *LIBRARIES]
    run([c_compiler(), *words, "-o", str(target)], {})
    return target


@pytest.fixture
def right(tmp_path: Path) -> Path:
    """The program without a fault."""
    return program(tmp_path, HANDOVER.read_text())


def planted(into: Path, text: str, instead: str) -> Path:
    """The program with a fault."""
    source = HANDOVER.read_text()
    assert source.count(text) == 1
    return program(into, source.replace(text, instead))


def surroundings(folder: Path, fault: str = "", slices: int = SLICES) -> dict[str, str]:
    pages = {"LEADLINE_HANDOVER": str(folder / "handover"), "MEETING": str(folder / "meeting")}
    return pages | {"HANDOVERS": str(slices), "LEADLINE_FAULT": fault}


def take(command: Path, around: Mapping[str, str], ranks: tuple[int, ...] = (0, 1)) -> Said:
    """What each of `ranks`, processes of their own, says."""
    running = [
        subprocess.Popen(
            [str(command)],
            env={**os.environ, **around, "LEADLINE_RANK": str(rank)},
            stdout=subprocess.PIPE,
        )
        for rank in ranks
    ]
    try:
        return read(b"".join(one.communicate(timeout=PATIENCE_S)[0] for one in running).decode())
    finally:
        for one in running:
            one.kill()
            one.communicate()


def read(lines: str) -> Said:
    said: Said = {}
    for line in lines.splitlines():
        rank, slice_, found_ns = map(int, line.split())
        said.setdefault(rank, {})[slice_] = found_ns
    return said


def alone(command: Path, folder: Path, *ranks: int, slices: int = FEW_SLICES) -> Said:
    """What ranks say that nobody meets."""
    (folder / "meeting.0").write_bytes(MET)
    return take(command, surroundings(folder, slices=slices), ranks)


def again_and_again(command: Path, folder: Path, fault: str = "") -> Iterator[Said]:
    """Two ranks, for ever: on a busy machine it may take long until both have a core."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        (folder / "meeting.0").unlink(missing_ok=True)
        yield take(command, surroundings(folder, fault))
    pytest.fail("what was waited for never happened")


def known(said: Said) -> bool:
    return set(said[0].values()) != {UNKNOWN}


def unknown(said: Said, *ranks: int) -> bool:
    return all(set(said[rank].values()) == {UNKNOWN} for rank in ranks)


# -- two partners ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["", "interrupted"])
def test_both_partners_say_the_same(right: Path, fault: str, tmp_path: Path) -> None:
    for said in again_and_again(right, tmp_path, fault):
        assert said[0] == said[1]
        assert len(said[0]) == SLICES
        assert all(found_ns == UNKNOWN or found_ns > 0 for found_ns in said[0].values())
        if known(said):
            break


def test_result_that_no_one_agreed_to_differs_when_ranks_are_interrupted(tmp_path: Path) -> None:
    decides = "if (atomic_compare_exchange_strong("
    wrong = planted(tmp_path, decides, f"if (own == 0 || {decides.removeprefix('if (')}")
    assert any(said[0] != said[1] for said in again_and_again(wrong, tmp_path, "interrupted"))


def test_words_that_partners_share_are_atomic(tmp_path: Path) -> None:
    ending = ending_of_handovers(tmp_path, surroundings(tmp_path))
    assert ending.status == 0, ending.output
    said = read(ending.output)
    assert said[0] == said[1]


def test_ball_that_is_laid_down_by_a_plain_store_is_a_race(tmp_path: Path) -> None:
    atomic = "atomic_store_explicit(&page->ball, word(slice, ball + 1), memory_order_release);"
    served = f"        {atomic}\n        if (!met"
    source = HANDOVER.read_text()
    assert source.count(served) == 1
    plain = "        *(int64_t *)&page->ball = word(slice, ball + 1);\n        if (!met"
    wrong = tmp_path / "handover.c"
    wrong.write_text(source.replace(served, plain))
    end = time.monotonic() + PATIENCE_S
    while ending_of_handovers(tmp_path, surroundings(tmp_path), wrong).status == 0:
        assert time.monotonic() < end, "two ranks without a core hand nothing over"


# -- partners that are none -----------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["absent", "elsewhere"])
def test_partner_that_does_not_come_is_not_waited_for(
    right: Path, fault: str, tmp_path: Path
) -> None:
    said = take(right, surroundings(tmp_path, fault, FEW_SLICES))
    assert unknown(said, *said)


def test_partner_that_was_killed_is_not_waited_for(right: Path, tmp_path: Path) -> None:
    said = take(right, surroundings(tmp_path, "killed", FEW_SLICES))[0]
    assert len(said) == FEW_SLICES
    assert {said[slice_] for slice_ in said if slice_ > FEW_SLICES // 2} == {UNKNOWN}


def test_rank_without_a_partner_knows_nothing(right: Path, tmp_path: Path) -> None:
    assert unknown(alone(right, tmp_path, 0), 0)


def test_ranks_that_are_no_partners_share_nothing(right: Path, tmp_path: Path) -> None:
    assert unknown(alone(right, tmp_path, 1, 2), 1, 2)


def left_behind(folder: Path) -> None:
    """The pages of two ranks that knew something of their last slice."""
    command = program(folder, HANDOVER.read_text())
    for said in again_and_again(command, folder):
        if said[0][SLICES] != UNKNOWN:
            break


@pytest.mark.parametrize("rank", [0, 1])
def test_page_that_another_launch_left_says_nothing(rank: int, tmp_path: Path) -> None:
    left_behind(tmp_path)
    right = program(tmp_path, HANDOVER.read_text())
    assert unknown(alone(right, tmp_path, rank, slices=SLICES), rank)


def test_page_that_another_launch_left_is_believed_where_no_ball_is_asked_for(
    tmp_path: Path,
) -> None:
    left_behind(tmp_path)
    wrong = planted(tmp_path, "return ball > 1;", "return true;")
    assert alone(wrong, tmp_path, 1, slices=SLICES)[1][SLICES] > 0


# -- ranks of kernels -----------------------------------------------------------------------------

LINES = tuple(f"id={number} pattern=pingpong size=8" for number in range(1, 6))
ALL_RANKS = tuple(f"id={number} pattern=barrier" for number in range(1, 6))


def of_kernels(folder: Path, kind: str, ranks: int, lines: tuple[str, ...] = LINES) -> Said:
    around = {"LEADLINE_HANDOVER": str(folder / "handover")}
    said = obey(kernel(kind), lines, folder, ranks, environment=around)
    return {
        rank: {number: one.around.handover_ns for number, one in results(messages).items()}
        for rank, messages in enumerate(said)
    }


def test_kernels_say_how_long_a_line_takes_between_their_ranks(tmp_path: Path) -> None:
    end = time.monotonic() + PATIENCE_S
    said = of_kernels(tmp_path, "shm", 2)
    while not known(said):
        assert time.monotonic() < end, "no hand-over is ever known"
        said = of_kernels(tmp_path, "shm", 2)
    assert said[0] == said[1]


def test_last_of_three_ranks_has_no_partner(tmp_path: Path) -> None:
    said = of_kernels(tmp_path, "shm", 3, ALL_RANKS)
    assert said[0] == said[1]
    assert unknown(said, 2)


def test_rank_of_null_has_no_partner(tmp_path: Path) -> None:
    assert unknown(of_kernels(tmp_path, "null", 2), 0)


def test_ranks_that_are_told_of_no_page_know_nothing(tmp_path: Path) -> None:
    said = obey(kernel("shm"), LINES, tmp_path)
    assert {one.around.handover_ns for rank in said for one in results(rank).values()} == {UNKNOWN}
