from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.plans import cores, pattern, request, words
from tests.support.texts import numbers

from leadline.errors import UsageError
from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.kernels.description import Capability
from leadline.measure.budget import FEWEST_BLOCKS, few_measured
from leadline.measure.cells import Resources
from leadline.measure.plan import make_plan
from leadline.measure.spec import DEFAULT_SIZES
from leadline.patterns.pattern import OptionKind, PatternOption, parse_choice
from leadline.record.run import Buffers, Cadence

REDUCTION = words(op="sum max", type="double int64")
ROOTED = words(op="sum max", root="fixed rotating")
COUNTED = words(counts="even skewed")
LAID = {"grid": PatternOption("grid", OptionKind.DIMS, least=1, most=4)} | words(
    neighbours="faces corners"
)
PATTERNS = {
    "pingpong": pattern("pingpong", participants=2, whose_time="root", cadence="streaming"),
    "barrier": pattern("barrier", granularity=0),
    "barrier_futex": pattern("barrier_futex", granularity=0, algorithm="absent"),
    "gather": pattern("gather", least_bytes=1, blocks=0),
    "reduce": pattern("reduce", granularity=8, options=ROOTED),
    "gatherv": pattern("gatherv", least_bytes=1, blocks=0, largest_share=2, options=COUNTED),
    "multiple": pattern("multiple", participants=2, threads=1, cadence="streaming"),
    "threads": pattern("threads", participants=2, threads=2, blocks=2),
    "strided": pattern("strided", participants=2, granularity=8, least_bytes=8, stretch=3.0),
    "allreduce": pattern("allreduce", granularity=8, least_bytes=8, options=REDUCTION),
    "rate": pattern("rate", in_pairs=True, messages_in_flight=64, cadence="streaming"),
    "persistent": pattern("persistent", participants=2, one_buffer=True),
    "halo": pattern("halo", options=LAID, blocks=2, axes=3, reach="all axes"),
    "cyclic": pattern("cyclic", options=LAID, blocks=2, axes=2, reach="first axis"),
}
ABLE = Capability("mpi", True, 2**63, (), PATTERNS)
SMALL_COUNTS = Capability("mpi", True, 2**31 - 1, (), PATTERNS)


RESOURCES = Resources({"a": ABLE, "b": ABLE}, 1.0, cores(2), 16 * 2**30, 32 * 2**20)


def test_plan_of_the_usual_request_fills_the_budget_but_does_not_exceed_it() -> None:
    plan = make_plan(request("pingpong", "barrier"), RESOURCES)
    assert plan.blocks >= 8
    assert 0.5 * 60 < plan.estimate_s <= 60


def test_estimate_is_the_printed_sum() -> None:
    plan = make_plan(request("barrier", blocks=8, budget_s=1000.0), RESOURCES)
    slices = plan.visits * plan.groups[0].slices_per_visit
    assert plan.startup_s == pytest.approx(1.0 + 0.05 * 2 * 3)  # three more of either variant
    assert plan.estimate_s == pytest.approx(8 * (plan.startup_s + slices * (plan.slice_s + 0.003)))


def test_small_budget_drops_inner_sizes_first_and_says_which() -> None:
    plan = make_plan(request("pingpong", "barrier", budget_s=7.2), RESOURCES)
    sizes = {e.cell.size_bytes for e in plan.groups[0].cells if e.choice.name == "pingpong"}
    assert {0, 8, max(DEFAULT_SIZES)} <= sizes
    assert len(sizes) < len(DEFAULT_SIZES)
    assert [c.code for c in plan.warnings] == ["budget", "few_for_tests"]
    assert "sizes" in plan.warnings[0].cause
    assert plan.blocks == FEWEST_BLOCKS


def test_smaller_budget_drops_patterns_from_the_end() -> None:
    plan = make_plan(request("pingpong", "allreduce", sizes=(8,), budget_s=6.1), RESOURCES)
    assert {e.choice.name for e in plan.groups[0].cells} == {"pingpong"}
    assert "allreduce" in plan.warnings[0].cause


def test_blocks_that_the_user_counts_are_all_kept_whatever_the_budget() -> None:
    plan = make_plan(request("pingpong", "barrier", budget_s=1.0, blocks=3), RESOURCES)
    assert (plan.blocks, plan.visits, plan.warnings) == (3, 1, ())
    assert len(plan.groups[0].cells) == len(DEFAULT_SIZES) + 1


def test_hopeless_budget_is_refused_with_one_that_suffices() -> None:
    with pytest.raises(UsageError, match=r"--budget \d+s"):
        make_plan(request("barrier", budget_s=1.0), RESOURCES)


def test_usual_plan_has_four_launches_for_eight_visits() -> None:
    plan = make_plan(request("pingpong", budget_s=60.0), RESOURCES)
    assert (plan.groups[0].launches, plan.visits, plan.slice_s) == (4, 8, 0.005)


def test_launches_are_dropped_before_visits_and_visits_before_slices() -> None:
    found = []
    for budget_s in (34.0, 28.0, 26.0, 17.0):
        plan = make_plan(request("pingpong", budget_s=budget_s), RESOURCES)
        found.append((plan.blocks, plan.groups[0].launches, plan.visits, plan.slice_s))
        assert plan.estimate_s <= budget_s
    assert found == [(10, 4, 8, 0.005), (9, 3, 8, 0.005), (9, 2, 7, 0.005), (9, 2, 4, 0.003)]


@pytest.mark.parametrize(
    ("sizes", "variants", "raw", "blocks"),
    # 12 sizes and their average; of four variants six pairs, 78 tests; of two beside two raw ones
    # one pair, 13; the usual 8 for three tests; a size alone has no average: 8 for three pairs
    [
        (12, 2, 0, 9), (12, 4, 0, 12), (12, 4, 2, 9), (12, 4, 4, 9), (2, 2, 0, 8), (1, 3, 0, 8),
        (1, 4, 0, 8), (1, 5, 0, 9),
    ],
)  # fmt: skip
def test_blocks_needed_follow_from_the_number_of_tests(
    sizes: int, variants: int, raw: int, blocks: int
) -> None:
    names = [f"v{i}" for i in range(variants)]
    resources = replace(RESOURCES, capabilities=dict.fromkeys(names, ABLE), raw=names[:raw])
    wanted = request("pingpong", "barrier", sizes=DEFAULT_SIZES[:sizes], budget_s=600.0)
    limits = make_plan(wanted, resources).limits
    assert (limits.fewest, limits.needed, limits.most) == (6, blocks, 64)
    assert limits.ample > limits.needed


def test_patterns_that_no_number_of_ranks_can_run_take_no_time_and_no_blocks() -> None:
    alone = request("barrier", ranks=(1,), budget_s=9.0)
    beside = replace(alone, patterns=("pingpong", "barrier"), sizes=DEFAULT_SIZES)
    found, expected = make_plan(beside, RESOURCES), make_plan(alone, RESOURCES)
    assert [warning.code for warning in found.warnings[:1]] == ["too_few_ranks"]
    assert replace(found, warnings=found.warnings[1:]) == expected


def test_a_run_of_too_few_blocks_says_so_and_one_of_enough_does_not(
    snapshot: SnapshotAssertion,
) -> None:
    assert few_measured(9, 9, 14.0, 14.0) is None
    warning = few_measured(7, 12, 60.0, 58.0)
    assert warning is not None
    assert "--budget 103s" in warning.remedy  # 60 s x 12 / 7
    one = few_measured(1, 12, 60.0, 58.0)
    assert one is not None
    assert [warning.cause, one.cause] == snapshot
    longer = few_measured(6, 12, 20.0, 103.0)
    assert longer is not None
    assert "--budget 206s" in longer.remedy


def test_budget_without_room_for_the_blocks_that_tests_need_says_which_would_do() -> None:
    plan = make_plan(request("pingpong", budget_s=14.0), RESOURCES)
    (warning,) = plan.warnings
    assert warning.code == "few_for_tests"
    assert numbers(warning.cause) == ["14", str(plan.blocks), "9"]
    enough_s = float(warning.remedy.split("--budget ")[1].split("s")[0])
    assert not make_plan(request("pingpong", budget_s=enough_s), RESOURCES).warnings
    assert make_plan(request("pingpong", budget_s=enough_s - 1), RESOURCES).warnings


def test_ranks_that_share_cores_are_launched_once_a_block() -> None:
    plan = make_plan(
        request("barrier", budget_s=60.0, ranks=(2, 16)), replace(RESOURCES, memory_bytes=2**40)
    )
    assert [(g.oversubscribed, g.launches == 1) for g in plan.groups] == [
        (False, False),
        (True, True),
    ]


def test_variant_in_launches_of_another_costs_slices_but_neither_start_up_nor_memory() -> None:
    shared = replace(RESOURCES, carriers={"a": "a", "b": "a"})
    plan = make_plan(request("barrier", blocks=8, budget_s=1000.0), shared)
    assert plan.groups[0].slices_per_visit == 2
    assert plan.startup_s == pytest.approx(1.0 + 0.05 * (plan.groups[0].launches - 1))
    large = request("pingpong", sizes=(5 * 2**28,), budget_s=900.0)
    assert make_plan(large, shared).together
    assert not make_plan(large, RESOURCES).together


def test_buffer_holds_the_longest_message_of_the_group_or_as_much_as_is_cold() -> None:
    plan = make_plan(request("pingpong", "barrier", sizes=(8, 4096)), RESOURCES)
    (group,) = plan.groups
    assert plan.buffer_bytes(group) == 4096
    assert replace(plan, cold_bytes=10_000).buffer_bytes(group) == 10_000


def test_variants_too_large_to_live_together_are_interleaved_and_said_to_be(
    snapshot: SnapshotAssertion,
) -> None:
    plan = make_plan(request("pingpong", sizes=(5 * 2**28,), budget_s=900.0), RESOURCES)
    assert not plan.together
    assert plan.warnings[0].code == "interleaved"
    assert plan.warnings[0].cause == snapshot


def test_size_beyond_memory_is_refused_before_anything_starts() -> None:
    with pytest.raises(UsageError, match=r" GB .*\b2\b"):
        make_plan(request("pingpong", sizes=(8 * 2**30,)), RESOURCES)


def test_size_beyond_int_counts_is_left_out_for_that_variant_only(
    snapshot: SnapshotAssertion,
) -> None:
    resources = replace(RESOURCES, capabilities={"a": ABLE, "b": SMALL_COUNTS}, memory_bytes=2**40)
    plan = make_plan(request("pingpong", sizes=(8, 2**31), budget_s=5000.0), resources)
    variants = {e.cell.size_bytes: e.variants for e in plan.groups[0].cells}
    assert variants == {8: ("a", "b"), 2**31: ("a",)}
    assert plan.warnings[0].cause == snapshot


def test_absent_pattern_is_named_and_the_rest_is_measured() -> None:
    plan = make_plan(request("barrier", "barrier_futex"), RESOURCES)
    assert [e.choice.name for e in plan.groups[0].cells] == ["barrier"]
    assert plan.warnings[0].code == "absent"


def test_only_absent_patterns_are_refused() -> None:
    with pytest.raises(UsageError, match=r"\bbarrier_futex\b.*\ba, b\b"):
        make_plan(request("barrier_futex"), RESOURCES)


def test_uneven_size_is_dropped_for_reductions_with_the_size_that_would_do() -> None:
    plan = make_plan(request("allreduce", sizes=(8, 103)), RESOURCES)
    assert [e.cell.size_bytes for e in plan.groups[0].cells] == [8]
    assert numbers(plan.warnings[0].remedy) == ["96"]
    assert "--sizes" in plan.warnings[0].remedy


def test_more_ranks_than_cores_stream_and_are_flagged() -> None:
    plan = make_plan(request("barrier", ranks=(2, 4)), RESOURCES)
    assert [g.oversubscribed for g in plan.groups] == [False, True]
    assert plan.groups[0].cells[0].cell.cadence is Cadence.ISOLATED
    assert plan.groups[1].cells[0].cell.cadence is Cadence.STREAMING
    assert "oversubscribed" in {c.code for c in plan.warnings}


def test_patterns_with_threads_have_launches_of_their_own() -> None:
    plan = make_plan(request("threads", "multiple", "pingpong", sizes=(8,)), RESOURCES)
    names = [[entry.choice.name for entry in group.cells] for group in plan.groups]
    assert names == [["pingpong"], ["multiple"], ["threads"]]
    assert [group.key for group in plan.groups] == [(2, 0), (2, 1), (2, 2)]
    assert [group.environment for group in plan.groups[:2]] == [{}, {"LEADLINE_THREADS": "1"}]


def test_more_threads_than_cores_stream_and_are_flagged(snapshot: SnapshotAssertion) -> None:
    plan = make_plan(request("threads", "multiple", sizes=(8,)), RESOURCES)
    assert [group.oversubscribed for group in plan.groups] == [False, True]
    assert plan.groups[1].cells[0].cell.cadence is Cadence.STREAMING
    assert [c.cause for c in plan.warnings] == snapshot
    roomy = make_plan(request("threads", sizes=(8,)), replace(RESOURCES, sites=cores(4)))
    assert not roomy.groups[0].oversubscribed


def test_launches_for_threads_are_part_of_the_estimate() -> None:
    alone = make_plan(request("pingpong", sizes=(8,), blocks=6), RESOURCES)
    both = make_plan(request("pingpong", "multiple", sizes=(8,), blocks=6), RESOURCES)
    assert both.startup_s == pytest.approx(2 * alone.startup_s)
    assert both.estimate_s / both.blocks > both.startup_s


def test_messages_with_gaps_need_memory_for_them_and_for_a_packed_copy() -> None:
    size = 2**20
    plan = make_plan(request("strided", sizes=(size,)), RESOURCES)
    (entry,) = plan.groups[0].cells
    assert (entry.message_bytes(2), entry.memory_bytes(2)) == (size, 3 * size)


def test_ping_pong_with_one_rank_is_refused_with_the_remedy(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as refused:
        make_plan(request("pingpong", ranks=(1,)), RESOURCES)
    assert str(refused.value) == snapshot


def test_pairs_are_left_out_for_odd_numbers_of_ranks_with_the_remedy(
    snapshot: SnapshotAssertion,
) -> None:
    plan = make_plan(request("barrier", "rate", sizes=(8,), ranks=(1, 2, 3)), RESOURCES)
    names = {group.ranks: {e.choice.name for e in group.cells} for group in plan.groups}
    assert names == {1: {"barrier"}, 2: {"barrier", "rate"}, 3: {"barrier"}}
    messages = {c.code: (c.cause, c.remedy) for c in plan.warnings}
    assert {code: messages[code] for code in ("too_few_ranks", "odd_ranks")} == snapshot


def test_grid_needs_a_vertex_for_each_rank(snapshot: SnapshotAssertion) -> None:
    plan = make_plan(
        request("barrier", "halo", "halo:4x2:corners", "halo:2x2", sizes=(8,), ranks=(4, 8)),
        RESOURCES,
    )
    labels = {group.ranks: [e.choice.label for e in group.cells] for group in plan.groups}
    assert labels == {
        4: ["barrier", "halo", "halo:2x2"],
        8: ["barrier", "halo", "halo:4x2:corners"],
    }
    causes = [warning.cause for warning in plan.warnings if warning.code == "grid_ranks"]
    assert causes == snapshot
    for text in ("halo:2x2", "halo:1x1"):
        with pytest.raises(UsageError) as refused:
            make_plan(request(text, sizes=(8,), ranks=(2,)), RESOURCES)
        assert str(refused.value) == snapshot


def test_grid_without_neighbours_is_left_out_with_the_reason(snapshot: SnapshotAssertion) -> None:
    choices = ("barrier", "halo", "halo:1x4", "cyclic", "cyclic:4", "cyclic:1x4")
    plan = make_plan(request(*choices, sizes=(8,), ranks=(1, 4)), RESOURCES)
    labels = {group.ranks: [e.choice.label for e in group.cells] for group in plan.groups}
    assert labels == {1: ["barrier"], 4: ["barrier", "halo", "halo:1x4", "cyclic", "cyclic:4"]}
    causes = {warning.code: warning.cause for warning in plan.warnings}
    assert {code: causes[code] for code in ("too_few_ranks", "no_neighbours")} == snapshot


def test_every_neighbour_needs_memory() -> None:
    choices = ("halo", "halo:4", "halo:2x2:corners", "cyclic")
    plan = make_plan(request(*choices, sizes=(1000,), ranks=(4,)), RESOURCES)
    assert [e.memory_bytes(4) for e in plan.groups[0].cells] == [6000, 2000, 8000, 2000]


def test_window_of_messages_needs_memory_for_each() -> None:
    (entry,) = make_plan(request("rate", sizes=(1000,)), RESOURCES).groups[0].cells
    assert entry.memory_bytes(2) == 64_000
    with pytest.raises(UsageError, match=r" 34\.4 GB"):
        make_plan(request("rate", sizes=(2**26,)), RESOURCES)


def test_operations_bound_to_their_buffers_are_left_out_of_cold_ones(
    snapshot: SnapshotAssertion,
) -> None:
    plan = make_plan(request("pingpong", "persistent", buffers=Buffers.COLD), RESOURCES)
    assert {e.choice.name for e in plan.groups[0].cells} == {"pingpong"}
    assert "buffers_bound" in {warning.code for warning in plan.warnings}
    with pytest.raises(UsageError) as refused:
        make_plan(request("persistent", buffers=Buffers.COLD), RESOURCES)
    assert str(refused.value) == snapshot


def test_cold_buffers_rotate_through_more_than_the_cache() -> None:
    plan = make_plan(request("barrier", buffers=Buffers.COLD), RESOURCES)
    assert plan.cold_bytes > 32 * 2**20


def test_blocks_for_every_rank_take_memory_for_all_of_them() -> None:
    resources = replace(RESOURCES, capabilities={"a": ABLE}, sites=cores(64), memory_bytes=2**33)
    with pytest.raises(UsageError, match=r" 17\.3 GB .*\b8\b"):
        make_plan(request("gather", sizes=(2**26,), ranks=(8,)), resources)
    make_plan(request("barrier", ranks=(8,)), resources)


def test_fixed_root_is_part_of_the_label_of_patterns_that_have_one() -> None:
    labels = [
        parse_choice(text, PATTERNS).rooted_at(3, PATTERNS).label
        for text in ("reduce", "reduce:max", "reduce:rotating", "gather", "barrier")
    ]
    assert labels == [
        "reduce:root=3", "reduce:max:root=3", "reduce:rotating", "gather", "barrier"
    ]  # fmt: skip


def test_messages_take_room_for_all_ranks_blocks_and_for_the_largest_share() -> None:
    plan = make_plan(
        request("gather", "gatherv", "gatherv:skewed", "reduce", sizes=(104,)), RESOURCES
    )
    bytes_of = {e.choice.label: e.message_bytes(8) for e in plan.groups[0].cells}
    assert bytes_of == {
        "gather": 832, "gatherv": 832, "gatherv:skewed": 1664, "reduce": 104
    }  # fmt: skip


def test_hosts_with_clocks_of_their_own_change_no_cadence() -> None:
    two = (Site("n1", "m1", (0,)), Site("n2", "m2", (0,)))
    resources = replace(RESOURCES, sites=two, hosts=Hosts(("n1", "n2")))
    plan = make_plan(request("barrier", "pingpong"), resources)
    cadences = {one.cell.pattern: one.cell.cadence for one in plan.groups[0].cells}
    assert cadences == {"barrier": Cadence.ISOLATED, "pingpong": Cadence.STREAMING}
    assert "clocks" not in [warning.code for warning in plan.warnings]
    isolated = make_plan(request("pingpong", cadence=Cadence.ISOLATED), resources)
    assert isolated.groups[0].cells[0].cell.cadence is Cadence.ISOLATED
