from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion

from leadline.compare.analysis import Analysis
from leadline.compare.core_latencies import State, States
from leadline.models.algorithms import forms_of
from leadline.models.fitted import fitted
from leadline.models.model import Model, NotFitted
from leadline.record.provenance import Sends
from leadline.record.run import Buffers, Run
from leadline.record.warnings import WarningKind

RANKS = (2, 3, 4, 6, 8, 12, 16)
SIZES = (8, 64, 512, 4096, 32_768, 262_144, 1_048_576)
ALPHA, BETA = 20e-6, 1e-9


def seconds_of(pattern: str, ranks: int, size_bytes: int) -> float:
    """A binomial broadcast over what a ping-pong says of messages."""
    cost = forms_of("bcast")["binomial"](ranks)
    assert cost is not None
    message = ALPHA + BETA * size_bytes
    return message if pattern == "pingpong" else cost.messages * message


def campaign(
    ranks: tuple[int, ...] = RANKS,
    crowded: Callable[[int], bool] = lambda ranks: False,
    blocks: int = 8,
) -> Run:
    """Of ping-pong and broadcast, 1 % from block to block."""
    configurations = [
        configuration("mpich", ranks=one, oversubscribed=crowded(one)) for one in ranks
    ]
    cells = [cell(size, pattern) for pattern in ("pingpong", "bcast") for size in SIZES]
    truth = np.array([[seconds_of(k.pattern, p, k.size_bytes) for k in cells] for p in ranks])
    noise = np.random.default_rng(5).normal(size=(len(ranks), len(cells), blocks))
    return run_of_blocks(truth[:, :, None] * np.exp(0.01 * noise), configurations, cells)


def models(run: Run, crowded: bool = False) -> Mapping[str, Model]:
    found = fitted(Analysis(run), crowded=crowded)
    return {one.pattern: one for one in found if isinstance(one, Model)}


def test_a_surface_comes_with_algorithm_bound_and_limit() -> None:
    found = models(campaign())
    assert list(found) == ["pingpong", "bcast"]
    broadcast = found["bcast"]
    assert {one.name for one in broadcast.algorithms} == {"binomial"}
    last = broadcast.algorithms[-1]
    # 4 messages of 1 MiB, each 1.069 ms, of which one at least has to be sent
    assert last.over_lower_bound is not None
    assert last.over_lower_bound.value == pytest.approx(4, rel=0.05)
    assert last.over_lower_bound.holds(4)
    limit = broadcast.aggregate[-1]
    assert limit.ranks == 16
    assert limit.bytes_per_s.value == pytest.approx(15 / 4 / BETA, rel=0.05)
    assert limit.half_bytes.value == pytest.approx(ALPHA / BETA, rel=0.1)


def test_a_ping_pong_has_a_limit_and_no_algorithm() -> None:
    message = models(campaign())["pingpong"]
    assert message.algorithms == ()
    assert {round(one.bytes_per_s.value * BETA, 1) for one in message.aggregate} == {1.0}


def test_one_number_of_ranks_is_held_to_the_lower_bound_alone(snapshot: SnapshotAssertion) -> None:
    (one,) = models(campaign((8,)))["bcast"].algorithms[-1:]
    assert (one.name, one.why) == snapshot
    assert one.over_lower_bound is not None
    assert one.over_lower_bound.value == pytest.approx(3, rel=0.05)


def test_the_link_is_known_though_its_pattern_isnt_asked_for() -> None:
    (one,) = fitted(Analysis(campaign()), patterns=("bcast",))
    assert isinstance(one, Model)
    assert one.algorithms[-1].over_lower_bound is not None


def test_ranks_that_share_cores_are_refused_and_the_others_fitted(
    snapshot: SnapshotAssertion,
) -> None:
    found = fitted(Analysis(campaign(crowded=lambda ranks: ranks > 8)))
    kept, refused = found[2:]
    assert isinstance(kept, Model) and kept.ranks == (2, 3, 4, 6, 8)
    assert isinstance(refused, NotFitted) and refused.pattern == "bcast"
    assert refused.reason == snapshot


def test_ranks_that_share_cores_are_fitted_when_asked_for_and_flagged(
    snapshot: SnapshotAssertion,
) -> None:
    run = campaign(crowded=lambda ranks: ranks > 8)
    found = models(run, crowded=True)["bcast"]
    assert found.ranks == RANKS
    assert WarningKind.OVERSUBSCRIBED.code in [one.code for one in found.warnings]
    assert {one.name for one in found.algorithms} == {None}
    assert found.algorithms[0].why == snapshot


def test_a_number_of_ranks_with_cores_of_its_own_isnt_taken_for_one_that_shares_them(
    snapshot: SnapshotAssertion,
) -> None:
    found = fitted(Analysis(campaign((4, 16), crowded=lambda ranks: ranks > 8)), ["bcast"], True)
    whys = {one.ranks: one.algorithms[0].why for one in found if isinstance(one, Model)}
    assert whys == snapshot


def test_everything_that_shares_cores_leaves_refusals_alone() -> None:
    found = fitted(Analysis(campaign(crowded=lambda ranks: True)))
    assert all(isinstance(one, NotFitted) for one in found) and len(found) == 2


def test_too_few_blocks_give_values_without_intervals() -> None:
    broadcast = models(campaign(blocks=3))["bcast"]
    one = broadcast.algorithms[-1]
    assert one.name == "binomial" and one.confidence is None
    assert one.over_lower_bound is not None and one.over_lower_bound.bounds is None
    assert broadcast.aggregate[-1].bytes_per_s.bounds is None


def test_a_single_block_is_enough_for_values() -> None:
    found = models(campaign(blocks=1))["bcast"]
    assert not math.isnan(found.aggregate[-1].bytes_per_s.value)


def test_a_ping_pong_with_other_buffers_is_no_link() -> None:
    run = campaign()
    cells = [
        replace(one, buffers=Buffers.COLD) if one.pattern == "pingpong" else one
        for one in run.cells
    ]
    broadcast = models(replace(run, cells=tuple(cells)))["bcast"]
    assert {one.name for one in broadcast.algorithms} == {"binomial"}
    assert {one.over_lower_bound for one in broadcast.algorithms} == {None}


def test_neighbours_on_a_grid_deliver_what_the_run_says_they_send() -> None:
    run = campaign((8,))
    cells = tuple(replace(one, pattern="halo:4x2") for one in run.cells[len(SIZES) :])
    sends = Sends("halo:4x2", 8, all_ranks=20, busiest_rank=3, in_pairs=False)
    of_halo = replace(
        run, cells=(*run.cells[: len(SIZES)], *cells), metadata={"sends": [asdict(sends)]}
    )
    (found,) = models(of_halo)["halo:4x2"].aggregate
    assert found.bytes_per_s.value == pytest.approx(20 / 3 / BETA, rel=0.05)


def test_models_name_the_state_of_the_cores_that_the_runs_times_are_of() -> None:
    analysis = Analysis(campaign())
    near, far = State(visits=40, core_latency_ns=107.0), State(visits=56, core_latency_ns=402.0)
    analysis.visits = replace(analysis.visits, states=States(near, far))
    found = fitted(analysis)
    assert [one.core_latency_ns for one in found if isinstance(one, Model)] == [402.0] * len(found)
    assert {one.core_latency_ns for one in models(campaign()).values()} == {None}
