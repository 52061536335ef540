"""NAS MG: the published norms, and one residual grid, to the last bit, on every number of ranks."""

from __future__ import annotations

import itertools
import math
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import FLIPPED_STENCIL, SLOW_PUTS, kernel, local_backend, openshmem
from harness.ranks import said_by_rank_0
from harness.scripts import ids, obey, obeyed, results

from leadline.backends.backend import Backend
from leadline.backends.discovery import identify
from leadline.backends.kinds import INSTALLABLE
from leadline.backends.preparation import loopback_address
from leadline.kernels.build import describe
from leadline.kernels.messages import Fault, Message
from leadline.papers.cray_mpt.nas_mg import CLASSES
from leadline.patterns.pattern import Problem
from leadline.patterns.programs.multigrid import LEVELS

NORMS = {
    "S": (2.9337960976328e-03, 6.3150017906228e-04, 1.7360856792372e-04, 0.5307707005734e-04),
    "W": (3.6169808586063e-04, 7.7344445122371e-05, 2.1179611299340e-05, 0.6467329375339e-05),
}
"""After each iteration; the last ones are NPB 3.3's, the others an independent program's."""
POINTS = {name: one.points for name, one in CLASSES.items()}
PUBLISHED_CHARGE_OF_A = (211, 154, 98)
"""One of NPB's list for 256^3, whose places begin at 2."""
CHARGES_OF_S = """
7,1,20 19,29,31 2,0,3 4,22,3 1,16,21 21,31,6 12,15,12 30,4,25 28,0,28 17,26,17
0,11,2 13,8,17 5,14,0 4,28,15 12,2,1 5,17,8 20,19,11 26,15,31 8,25,22 7,14,26
"""
"""By an independent program: ten positive ones, ten negative ones."""
WAYS = ("mg", "mg_puts")
"""Patterns: by messages, by puts."""
shm, tcp, trace = (local_backend(kind) for kind in ("shm", "tcp", "trace"))


@dataclass(frozen=True)
class Solution:
    """What a job said."""

    courses: list[list[tuple[float, str]]]
    """Of each course the norm and the digest of the grid, at first and after each iteration."""
    communication_ns: int


def solved(program: Path, problem: str, way: str, ranks: int) -> Solution:
    words = f"pattern={way} class={problem}"
    *lines, last = said_by_rank_0(program, ranks, "solve", words).splitlines()
    courses: list[list[tuple[float, str]]] = []
    for number, norm, digest in map(str.split, lines):
        courses += [[]] * (number == "0")
        courses[-1] = [*courses[-1], (float(norm), digest)]
    return Solution(courses, int(last.removeprefix("communication ")))


@pytest.fixture(scope="module")
def alone() -> Iterator[dict[str, Solution]]:
    """By class what one rank finds."""
    yield {name: solved(contract("multigrid", shm), name, "mg", 1) for name in NORMS}


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where ranks over tcp and over trace meet."""
    monkeypatch.setenv("LEADLINE_RENDEZVOUS", loopback_address())
    monkeypatch.setenv("LEADLINE_INBOX", str(tmp_path / "inbox"))


def over_null(what: str, problem: str, ranks: int = 1) -> list[list[str]]:
    words = [str(contract("multigrid", local_backend("null"))), what, f"pattern=mg class={problem}"]
    environment = os.environ | {"LEADLINE_RANKS": str(ranks)}
    output = subprocess.check_output(words, env=environment, text=True)
    return [line.split() for line in output.splitlines()]


@pytest.mark.parametrize("problem", NORMS)
def test_norms_are_the_published_ones(problem: str, alone: dict[str, Solution]) -> None:
    at_first = math.sqrt(20 / POINTS[problem] ** 3)
    for course in alone[problem].courses:
        norms = [norm for norm, _ in course]
        assert norms == pytest.approx([at_first, *NORMS[problem]], rel=1e-11)


def test_second_course_begins_anew(alone: dict[str, Solution]) -> None:
    first, second = alone["S"].courses
    assert first == second


@pytest.mark.parametrize("ranks", [2, 4, 8, 16, 64])
@pytest.mark.parametrize("way", WAYS)
def test_grid_is_the_same_to_the_last_bit_on_every_number_of_ranks(
    way: str, ranks: int, alone: dict[str, Solution]
) -> None:
    assert_same(solved(contract("multigrid", shm), "S", way, ranks), alone["S"])


@pytest.mark.parametrize("way", WAYS)
def test_larger_grid_is_too(way: str, alone: dict[str, Solution]) -> None:
    assert_same(solved(contract("multigrid", shm), "W", way, 8), alone["W"])


@pytest.mark.parametrize("ranks", [2, 8])
def test_sockets_carry_the_same_numbers(ranks: int, alone: dict[str, Solution]) -> None:
    assert_same(solved(contract("multigrid", tcp), "S", "mg", ranks), alone["S"])


@pytest.mark.parametrize("way", WAYS)
def test_sanitisers_find_nothing(way: str, alone: dict[str, Solution]) -> None:
    program = contract("multigrid", shm, sanitised=True)
    assert_same(solved(program, "S", way, 4), alone["S"])


def assert_same(found: Solution, expected: Solution) -> None:
    """Bit by bit; norms are sums whose order differs."""
    for mine, theirs in zip(found.courses, expected.courses, strict=True):
        assert [digest for _, digest in mine] == [digest for _, digest in theirs]
        assert [norm for norm, _ in mine] == pytest.approx([norm for norm, _ in theirs], rel=1e-13)
    assert found.communication_ns > 0
    assert expected.communication_ns == 0


@pytest.mark.parametrize("ranks", [1, 2])
def test_flipped_coefficient_misses_the_norm(ranks: int) -> None:
    planted = solved(contract("multigrid", shm, "flipped_stencil"), "S", "mg", ranks)
    assert abs(planted.courses[0][-1][0] / NORMS["S"][-1] - 1) > 1e-3


# -- over libraries, timed by the engine -----------------------------------------------------------


CELLS = tuple(
    f"id={number} pattern={way} class={problem}"
    for number, (way, problem) in enumerate(itertools.product(WAYS, NORMS), 1)
)


def assert_solved(message: Sequence[list[Message]]) -> None:
    assert [one for rank in message for one in rank if isinstance(one, Fault)] == []
    for rank in message:
        assert sorted(results(rank)) == ids(CELLS)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_kernel_times_solutions_that_are_right(ranks: int, tmp_path: Path) -> None:
    assert_solved(obey(kernel("shm"), CELLS, tmp_path, ranks))


@pytest.mark.parametrize("kind", INSTALLABLE)
def test_mpi_libraries_solve_it_by_messages_and_by_puts(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    assert_solved(obeyed(installed_backends[kind], CELLS, 2, tmp_path))


def test_ranks_that_wait_for_puts_let_the_library_take_in_those_of_others(tmp_path: Path) -> None:
    """Four ranks on two cores: MPICH 4.0 over UCX, where MPI_Iprobe alone doesn't."""
    mpich = identify(Path(str(shutil.which("mpicc.mpich"))))
    assert mpich.usable, mpich.reason
    cell = "id=1 pattern=mg_puts class=S max_batches=4 warm_up_ns=1"
    output = obeyed(mpich, (cell,), 4, tmp_path)
    assert [sorted(results(rank)) for rank in output] == [[1]] * 4


def test_openshmem_solves_it_by_messages_and_by_puts(tmp_path: Path) -> None:
    assert_solved(obeyed(openshmem(), CELLS, 2, tmp_path))


@pytest.mark.parametrize("ranks", [2, 16])
def test_puts_that_set_off_late_are_waited_for(ranks: int, tmp_path: Path) -> None:
    lines = tuple(f"id={number} pattern=mg_puts class=S" for number in (1, 2))
    output = obey(kernel("shm", SLOW_PUTS), lines, tmp_path, ranks)
    assert [one for rank in output for one in rank if isinstance(one, Fault)] == []
    assert all(sorted(results(rank)) == [1, 2] for rank in output)


@pytest.mark.parametrize("cell", ["pattern=mg class=S", "pattern=mg_puts class=S"])
def test_flipped_coefficient_fails_the_cell(cell: str, tmp_path: Path) -> None:
    output = obey(kernel("shm", FLIPPED_STENCIL), (f"id=1 {cell}",), tmp_path)
    found = [one for rank in output for one in rank if isinstance(one, Fault)]
    assert [one.code for one in found] == ["wrong_result"] * 2
    assert "norm" in found[0].text
    assert "5.30770700573" in found[0].text


# -- what is computed ------------------------------------------------------------------------------


def test_charges_are_where_the_numbers_are_extreme() -> None:
    found = [f"{x},{y},{z}" for x, y, z, _ in over_null("charges", "S")]
    assert found == CHARGES_OF_S.split()
    assert [value for *_, value in over_null("charges", "S")] == ["1"] * 10 + ["-1"] * 10
    of_a = {tuple(int(place) + 2 for place in line[:3]) for line in over_null("charges", "A")}
    assert PUBLISHED_CHARGE_OF_A in of_a


# -- what an iteration sends -----------------------------------------------------------------------


def calls(way: str, ranks: int) -> list[list[str]]:
    """Fields of rank 0's log of an iteration of class S."""
    words = f"pattern={way} class=S"
    output = said_by_rank_0(contract("multigrid", trace), ranks, "calls", words)
    return [line.split("\t") for line in output.splitlines()]


def face_bytes(points: int) -> Counter[int]:
    """What a rank with so many points along each axis sends in an exchange: by size how often."""
    sizes = [8 * points**2, 8 * (points + 2) * points, 8 * (points + 2) ** 2]
    return Counter(dict.fromkeys(sizes, 2))


@pytest.mark.parametrize(("way", "sent"), [("mg", "send"), ("mg_puts", "put")])
def test_eight_ranks_send_eighteen_messages_a_grid(way: str, sent: str) -> None:
    found = Counter(int(line[2]) for line in calls(way, 8) if line[0] == sent and not line[5])
    expected: Counter[int] = Counter()
    for points in (16, 8, 4, 2):
        for _ in range(3):
            expected += face_bytes(points)
    assert found == expected
    assert found.total() == 4 * 18


@pytest.mark.parametrize("ranks", [1, 2, 8])
def test_log_has_the_work_of_all_grids(ranks: int) -> None:
    """Everybody does the whole of the coarsest grid, of 2 x 2 x 2 points."""
    coarsest = 15 * 8
    shared = described("S").flop - coarsest
    work = [int(line[3]) for line in calls("mg", ranks) if line[0] == "work"]
    assert sum(work) == shared / ranks + coarsest


# -- what it needs ---------------------------------------------------------------------------------


def described(problem: str) -> Problem:
    application = describe(kernel("null")).patterns["mg"].application
    assert application is not None
    return application.problems[problem]


@pytest.mark.parametrize("problem", POINTS)
def test_memory_is_that_of_all_grids_and_as_described(problem: str) -> None:
    ((fields, messages),) = over_null("needs", problem)
    least = (2 * 8 / 7 + 1) * 8 * POINTS[problem] ** 3
    assert least < int(fields) < least * (1 + 2 / POINTS[problem]) ** 3 * 1.1
    assert int(fields) == pytest.approx(described(problem).bytes, rel=0.1)
    assert int(messages) == 8


def test_ranks_share_memory() -> None:
    ((alone, _),) = over_null("needs", "A")
    ((shared, messages),) = over_null("needs", "A", 8)
    assert int(shared) == pytest.approx(int(alone) / 8, rel=0.05)
    faces = 128**2 + 130 * 128 + 130**2
    assert int(messages) == 8 * (4 * faces + 2**3 + 1)


def test_classes_have_as_many_points_and_iterations_wherever_they_stand() -> None:
    for problem, found in CLASSES.items():
        assert described(problem).repetitions == found.iterations
        assert 1 << LEVELS[problem] == found.points
    assert CLASSES.keys() == LEVELS.keys()


def test_flop_is_that_of_usual_counts() -> None:
    """NPB says 58 a point; the sums of neighbours are made once here."""
    for problem, points in POINTS.items():
        assert 45 < described(problem).flop / points**3 < 58


@pytest.mark.parametrize("ranks", [3, 24, 128])
def test_ranks_that_cant_divide_the_grid_are_refused(ranks: int) -> None:
    assert "ranks" in " ".join(*over_null("needs", "S", ranks))


def test_sixty_four_ranks_divide_the_smallest() -> None:
    assert len(*over_null("needs", "S", 64)) == 2
