"""The plan as it is printed before anything is measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.campaigns import planned
from tests.support.plans import cores, order, pattern

from leadline.hosts.cores import Site
from leadline.hosts.remains import Swept
from leadline.hosts.this_host import Load
from leadline.kernels.patterns import Capability
from leadline.measure.allotment import Allotment
from leadline.measure.budget import limits_of
from leadline.measure.pace import Shortfall
from leadline.measure.plan import Group, Plan, make_plan
from leadline.measure.resources import Resources
from leadline.report.text.plan import plan_lines, wrapped_plan
from leadline.report.text.progress import BarProgress, FailuresOnly, PlainProgress, left_words

PLAN = planned(Group(4, False, ()))


def test_plan_says_how_many_cores_several_hosts_have() -> None:
    emulated = [Site(name, "m", (0, 1)) for name in ("h1", "h2", "h3", "h4")]
    assert "hosts: 4 on 1 machine, with 2 cores for ranks" in plan_lines(PLAN, [], [], emulated)
    apart = [Site("a", "m1", (0, 1)), Site("b", "m2", (0,))]
    assert "hosts: 2 on 2 machines, with 3 cores for ranks" in plan_lines(PLAN, [], [], apart)


def test_one_host_is_not_worth_a_line() -> None:
    assert plan_lines(PLAN, [], [], [Site("n", "m", (0, 1))]) == plan_lines(PLAN, [], [])


def test_rate_that_links_are_held_against_is_said() -> None:
    assert "links: watched, held against 100 Mbit/s each way" in plan_lines(
        PLAN, [], [], link_bound=12.5e6
    )
    assert "links: watched, held against the speed of their interfaces each way" in plan_lines(
        PLAN, [], [], link_bound=0.0
    )
    assert not any("links" in line for line in plan_lines(PLAN, [], []))


def test_revision_says_the_most_visits(capsys: pytest.CaptureFixture[str]) -> None:
    """A block whose slices are taken again may end before the last of its visits."""
    PlainProgress().planned_anew(Allotment(blocks=1, visits=4, launches=2))
    words = "planned anew: 1 block more of up to 4 visits each, 2 launches of each variant\n"
    assert capsys.readouterr().err == words


FEW = Shortfall(40.0, 3, False, fewest=6, needed=11, enough_s=94.2, kept=True)


@pytest.mark.parametrize(
    ("found", "load", "line"),
    [
        (
            FEW,
            Load(8.2, 2),
            "at this pace 40 s end after 3 of 6 blocks (load 8 on 2 cores): times without "
            "intervals, no verdicts; 95 s would do",
        ),
        (
            replace(FEW, in_part=True),
            Load(2.0, 2),  # the campaign's own ranks
            "at this pace 40 s end after 3 of 6 blocks, of some cells 4: times without "
            "intervals, no verdicts; 95 s would do",
        ),
        (
            replace(FEW, blocks=7),
            Load(1.0, 1),
            "at this pace 40 s end after 7 blocks: intervals if all of them count, but it takes 11 "
            "until a clear difference is sure to show; 95 s would do",
        ),
        (
            replace(FEW, blocks=12),
            Load(9.0, 2),
            "at this pace 40 s suffice after all (load 9 on 2 cores): 12 blocks",
        ),
        (
            replace(FEW, kept=False),
            Load(9.0, 2),
            "at this pace the 6 blocks that intervals take last 95 s (load 9 on 2 cores), more "
            "than the usual 40 s; a --budget of your own is kept",
        ),
    ],
)
def test_shortfall_says_what_is_left_and_what_would_do(
    found: Shortfall, load: Load, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    PlainProgress().falls_short(found, load)
    assert capsys.readouterr().err == line + "\n"


@pytest.mark.parametrize(
    ("left_s", "words"),
    [
        (-3.0, "longer than expected"),
        (0.0, "longer than expected"),
        (0.2, "about 1 s left"),
        (12.4, "about 12 s left"),
        (48.0, "about 50 s left"),
        (99.4, "about 100 s left"),
        (99.6, "about 2 min left"),
        (700.0, "about 12 min left"),
    ],
)
def test_time_left_is_as_coarse_as_estimates_are(left_s: float, words: str) -> None:
    assert left_words(left_s) == words


def test_block_begins_with_the_time_left_once(capsys: pytest.CaptureFixture[str]) -> None:
    one = PlainProgress()
    one.expected(48.0)
    one.block_begins(1, 8, 2)
    one.block_begins(1, 8, 4)  # the same block with more ranks
    said = capsys.readouterr().err.splitlines()
    assert said == ["block 2 of 8, 2 ranks, about 50 s left", "block 2 of 8, 4 ranks"]


def test_bar_is_never_full_before_the_end_that_was_planned_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr("leadline.report.text.progress.time.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "dumb")
    one = BarProgress(total_s=40.0)
    shares = []
    for at_s, left_s in ((0.0, 40.0), (30.0, 70.0), (50.0, 40.0)):
        now[0] = at_s
        one.expected(left_s)
        one.block_begins(0, 6, 2)
        (task,) = one._progress.tasks
        shares.append((task.completed, task.total, task.fields["left"]))
    one.close()
    assert shares == [
        (0.0, 40.0, "about 40 s left"),
        (30.0, 100.0, "about 70 s left"),
        (50.0, 90.0, "about 40 s left"),
    ]


def absent(*patterns: str) -> Plan:
    """A plan that leaves so many patterns out of shm, as one does."""
    able = {name: pattern(name) for name in ("barrier", *patterns)}
    lacking = {name: replace(one, algorithm="absent") for name, one in able.items()}
    lacking["barrier"] = able["barrier"]
    capabilities = {
        "mpich": Capability("mpi", True, 2**63, (), able),
        "shm": Capability("shm", True, 2**63, (), lacking),
    }
    resources = Resources(capabilities, 1.0, cores(2), 2**34, None)
    return make_plan(order(*able, sizes=(8,)), resources)


def test_many_absent_patterns_are_counted_unless_the_whole_is_asked_for() -> None:
    names = [f"p{number}" for number in range(5)]
    said = {whole: plan_lines(absent(*names), [], [], whole=whole)[-1] for whole in (True, False)}
    assert said[True].startswith("absent: p0, p1, p2, p3, p4 make no sense over shm (")
    assert said[False] == "absent: 5 patterns need what shm hasn't (--dry-run names them)"
    few = absent(*names[:4])
    assert plan_lines(few, [], [], whole=False) == plan_lines(few, [], [], whole=True)


def test_plan_is_broken_between_words_alone() -> None:
    lines = [f"2 ranks: {', '.join(f'pattern-{n}:option x 12' for n in range(9))}", "  laid " * 30]
    for width in (40, 80):
        found = wrapped_plan(lines, width)
        assert max(map(len, found)) <= width
        words = " ".join(" ".join(found).split())
        assert words == " ".join(" ".join(lines).split())
        assert found[0].startswith("2 ranks:") and found[1].startswith("  pattern")


def test_single_block_is_never_planned_anew() -> None:
    two = replace(PLAN, allotment=replace(PLAN.allotment, blocks=2))
    said = [any("planned anew" in line for line in plan_lines(p, [], [])) for p in (PLAN, two)]
    assert said == [False, True]


@pytest.mark.parametrize(
    ("swept", "said"),
    [
        (Swept(), ""),
        (Swept(("a",)), "removed what killed front-ends left: 1 folder\n"),
        (
            Swept(("a", "b"), ("c",), 2),
            "removed what killed front-ends left: 2 folders, 1 segment, 2 processes\n",
        ),
    ],
)
def test_what_was_swept_is_one_line(
    capsys: pytest.CaptureFixture[str], swept: Swept, said: str
) -> None:
    PlainProgress().swept(swept)
    assert capsys.readouterr().err == said


def test_most_blocks_are_told_where_nobody_counted_them() -> None:
    said = "64 blocks are the most that a run has, whatever its --budget"
    at_most = replace(PLAN, limits=limits_of(None, 3), allotment=Allotment(64, 24, 1))
    assert said in plan_lines(at_most, [], [])
    fewer = replace(at_most, allotment=Allotment(63, 24, 1))
    counted = replace(at_most, limits=limits_of(64, 3))
    for plan in (fewer, counted):
        assert not any("are the most" in line for line in plan_lines(plan, [], []))


def test_command_of_each_variant_is_said_once_as_a_shell_takes_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = PlainProgress(verbose=True)
    for variant in ("mpich", "mpich", "shm"):
        one.launched(variant, ("/my mpi/mpiexec", "-n", "2"))
    assert capsys.readouterr().err.splitlines() == [
        "mpich is started by: '/my mpi/mpiexec' -n 2",
        "shm is started by: '/my mpi/mpiexec' -n 2",
    ]


def test_commands_are_said_to_nobody_who_has_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    PlainProgress().launched("mpich", ("mpiexec",))
    FailuresOnly().launched("mpich", ("mpiexec",))
    assert capsys.readouterr().err == ""
