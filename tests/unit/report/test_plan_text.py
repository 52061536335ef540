"""The plan as it is printed before anything is measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import planned
from tests.support.plans import cores, pattern, request

from leadline.hosts.cleanup.sweep import Swept
from leadline.hosts.cores import Site
from leadline.hosts.this_host import Load
from leadline.kernels.description import Capability
from leadline.measure.budget import Allotment, limits_of
from leadline.measure.cells import Resources
from leadline.measure.plan import Group, Plan, make_plan
from leadline.measure.schedule import Shortfall
from leadline.report.text.plan import plan_lines, wrapped_plan
from leadline.report.text.progress import BarProgress, FailuresOnly, PlainProgress, left_words

PLAN = planned(Group(4, False, ()))


def test_plan_says_how_many_cores_several_hosts_have(snapshot: SnapshotAssertion) -> None:
    emulated = [Site(name, "m", (0, 1)) for name in ("h1", "h2", "h3", "h4")]
    apart = [Site("a", "m1", (0, 1)), Site("b", "m2", (0,))]
    alone = plan_lines(PLAN, [], [])
    added = [
        [line for line in plan_lines(PLAN, [], [], sites) if line not in alone]
        for sites in (emulated, apart)
    ]
    assert added == snapshot


def test_one_host_is_not_worth_a_line() -> None:
    assert plan_lines(PLAN, [], [], [Site("n", "m", (0, 1))]) == plan_lines(PLAN, [], [])


def test_rate_that_links_are_held_against_is_said(snapshot: SnapshotAssertion) -> None:
    unwatched = plan_lines(PLAN, [], [])
    added = {
        bound: [
            line for line in plan_lines(PLAN, [], [], link_bound=bound) if line not in unwatched
        ]
        for bound in (12.5e6, 0.0)
    }
    assert added == snapshot
    assert not any("links" in line for line in unwatched)


def test_revision_says_the_most_visits(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """A block whose slices are taken again may end before the last of its visits."""
    PlainProgress().replanned(Allotment(blocks=1, visits=4, launches=2))
    assert capsys.readouterr().err == snapshot


FEW = Shortfall(40.0, 3, False, fewest=6, needed=11, enough_s=94.2, kept=True)


@pytest.mark.parametrize(
    ("found", "load"),
    [
        (FEW, Load(8.2, 2)),
        (replace(FEW, in_part=True), Load(2.0, 2)),  # the campaign's own ranks
        (replace(FEW, blocks=7), Load(1.0, 1)),
        (replace(FEW, blocks=12), Load(9.0, 2)),
        (replace(FEW, kept=False), Load(9.0, 2)),
    ],
    ids=["few", "few of some cells", "enough for intervals", "suffices", "more than usual"],
)
def test_shortfall_says_what_is_left_and_what_would_do(
    found: Shortfall, load: Load, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    PlainProgress().falls_short(found, load)
    assert capsys.readouterr().err == snapshot


def test_time_left_is_as_coarse_as_estimates_are(snapshot: SnapshotAssertion) -> None:
    left_s = (-3.0, 0.0, 0.2, 12.4, 48.0, 99.4, 99.6, 700.0)
    assert {each: left_words(each) for each in left_s} == snapshot


def test_block_begins_with_the_time_left_once(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    one = PlainProgress()
    one.expected(48.0)
    one.block_begins(1, 8, 2)
    one.block_begins(1, 8, 4)  # the same block with more ranks
    assert capsys.readouterr().err == snapshot


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
        shares.append((task.completed, task.total))
        assert task.fields["left"] == left_words(left_s)
    one.close()
    assert shares == [(0.0, 40.0), (30.0, 100.0), (50.0, 90.0)]


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
    return make_plan(request(*able, sizes=(8,)), resources)


def test_many_absent_patterns_are_counted_unless_the_whole_is_asked_for(
    snapshot: SnapshotAssertion,
) -> None:
    names = [f"p{number}" for number in range(5)]
    messages = {
        whole: plan_lines(absent(*names), [], [], whole=whole)[-1] for whole in (True, False)
    }
    assert messages == snapshot
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


def test_single_block_is_never_planned_anew(snapshot: SnapshotAssertion) -> None:
    two = replace(PLAN, allotment=replace(PLAN.allotment, blocks=2))
    assert [plan_lines(plan, [], []) for plan in (PLAN, two)] == snapshot


@pytest.mark.parametrize(
    "swept",
    [Swept(), Swept(("a",)), Swept(("a", "b"), ("c",), 2)],
    ids=["nothing", "a folder", "several"],
)
def test_what_was_swept_is_one_line(
    capsys: pytest.CaptureFixture[str], swept: Swept, snapshot: SnapshotAssertion
) -> None:
    PlainProgress().swept(swept)
    assert capsys.readouterr().err == snapshot


def test_most_blocks_are_told_where_nobody_counted_them(snapshot: SnapshotAssertion) -> None:
    at_most = replace(PLAN, limits=limits_of(None, 3), allotment=Allotment(64, 24, 1))
    fewer = replace(at_most, allotment=Allotment(63, 24, 1))
    counted = replace(at_most, limits=limits_of(64, 3))
    messages = {
        "64 blocks": at_most, "63 blocks": fewer, "64 blocks asked for": counted,
    }  # fmt: skip
    assert {name: plan_lines(plan, [], []) for name, plan in messages.items()} == snapshot


def test_command_of_each_variant_is_said_once_as_a_shell_takes_it(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    one = PlainProgress(verbose=True)
    for variant in ("mpich", "mpich", "shm"):
        one.launched(variant, ("/my mpi/mpiexec", "-n", "2"))
    assert capsys.readouterr().err == snapshot


def test_commands_are_said_to_nobody_who_has_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    PlainProgress().launched("mpich", ("mpiexec",))
    FailuresOnly().launched("mpich", ("mpiexec",))
    assert capsys.readouterr().err == ""
