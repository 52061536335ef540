"""Campaigns that ask again what carries messages, and settle once what launches would choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.scripted import QUIET, Played, Theatre, hosts_named, request, spread_over

from leadline.backends.backend import UNKNOWN
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Variant, VariantSpec
from leadline.measure.transports import OTHER_KIND, chosen
from leadline.scripted.campaigns import variant
from leadline.scripted.machine import START_S
from leadline.scripted.script import LoadPeriod, RankFault, SlowPeriod, Trouble

BLOCKS, FOREVER_S = 5, 1e9
ASKED = request(blocks=BLOCKS, budget_s=0.0)


def theatre(out: Path, **script: object) -> Theatre:
    return Theatre(out, {"a": QUIET, "b": QUIET}, ASKED, script={"mood": 0.0} | script)


@pytest.fixture
def between(tmp_path: Path) -> list[float]:
    """Moments, by block, after the launches of the block before have measured."""
    run = theatre(tmp_path / "calm").play().run
    blocks = [run.batches.block == block for block in range(BLOCKS)]
    ends_s = [float(run.batches.end_ns[one].max()) * 1e-9 - START_S for one in blocks]
    return [0.0, *(end_s + 1e-6 for end_s in ends_s)]


def transports(found: Played) -> dict[str, str]:
    return {one.variant: one.transport for one in found.run.configurations}


def warned(found: Played) -> list[str]:
    return [one.cause for one in found.run.warnings if one.code == "transport"]


# -- memory ----------------------------------------------------------------------------------------


def test_memory_that_stays_as_it_is_lets_nobody_ask(tmp_path: Path) -> None:
    for short in ((), ((0.0, FOREVER_S),)):
        found = theatre(tmp_path / str(len(short)), short_memory=short).play()
        assert not found.machine.asked
        assert transports(found) == {"a": "scripted", "b": "scripted"}


def test_memory_that_fills_during_a_campaign_and_sends_another_way_leaves_it_unknown(
    tmp_path: Path, between: list[float], snapshot: SnapshotAssertion
) -> None:
    short = ((between[2], FOREVER_S),)
    found = theatre(tmp_path / "run", short_memory=short, transports={"a": ("sockets",)}).play()
    assert transports(found) == {"a": UNKNOWN, "b": "scripted"}
    assert warned(found) == snapshot
    assert found.machine.asked == {"a": 1, "b": 1}, "once for the same signs, in all blocks"


def test_memory_that_has_room_again_is_as_at_the_beginning(
    tmp_path: Path, between: list[float]
) -> None:
    short = ((between[1], between[2]), (between[3], FOREVER_S))
    found = theatre(tmp_path / "run", short_memory=short).play()
    assert found.machine.asked == {"a": 1, "b": 1}
    assert warned(found) == []
    assert transports(found) == {"a": "scripted", "b": "scripted"}


def test_memory_that_was_full_and_isnt_is_a_sign_as_well(
    tmp_path: Path, between: list[float], snapshot: SnapshotAssertion
) -> None:
    short = ((0.0, between[1]),)
    found = theatre(tmp_path / "run", short_memory=short, transports={"b": (UNKNOWN,)}).play()
    assert transports(found) == {"a": "scripted", "b": UNKNOWN}
    assert warned(found) == snapshot


def test_launch_that_is_started_again_is_looked_at(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """The first one crashes in its first slice, when memory has just become short."""
    asked = request(blocks=1, budget_s=0.0)
    calm = Theatre(tmp_path / "calm", {"a": QUIET}, asked).play().run
    # its first batch comes after a warm-up of 20 ms, the crash half way through the slice
    starts_s = min(calm.batches.start_ns.tolist()) * 1e-9 - START_S - 0.015
    crash = RankFault(Trouble.CRASH, "a", times=1)
    script = {"faults": (crash,), "short_memory": ((starts_s, FOREVER_S),),
              "transports": {"a": ("sockets",)}}  # fmt: skip
    found = Theatre(tmp_path / "run", {"a": QUIET}, asked, script=script).play()
    assert found.codes() == ["crash"]
    assert transports(found) == {"a": UNKNOWN}
    assert warned(found) == snapshot


def test_variant_that_never_said_what_it_sends_by_is_not_asked(
    tmp_path: Path, between: list[float]
) -> None:
    stage = theatre(tmp_path / "run", short_memory=((between[1], FOREVER_S),))
    found = replace(stage, variants=[variant("a", transport=UNKNOWN), variant("b")]).play()
    assert found.machine.asked == {"b": 1}


def test_memory_of_hosts_is_not_seen_from_here(tmp_path: Path, between: list[float]) -> None:
    sites = hosts_named(2)
    stage = theatre(tmp_path / "run", short_memory=((between[1], FOREVER_S),))
    asked = replace(ASKED, hosts=spread_over(sites))
    assert not replace(stage, sites=sites, asked=asked).play().machine.asked


# -- times -----------------------------------------------------------------------------------------


def slowed(
    tmp_path: Path, between: Sequence[float], factor: float, blocks: range, **script: object
) -> Played:
    """`a` takes so many times as long in some blocks."""
    period = SlowPeriod(between[blocks.start], between[blocks.stop], factor, "a")
    return theatre(tmp_path / "run", slowed=(period,), **script).play()


@pytest.mark.parametrize(("factor", "asked"), [(2.9, 0), (3.1, 1)])
def test_times_of_another_kind_are_a_sign(
    factor: float, asked: int, tmp_path: Path, between: list[float], snapshot: SnapshotAssertion
) -> None:
    assert 2.9 < OTHER_KIND < 3.1
    found = slowed(tmp_path, between, factor, range(2, 3), transports={"a": ("sockets",)})
    assert found.machine.asked["a"] == asked
    assert not found.machine.asked["b"]
    assert transports(found)["a"] == (UNKNOWN if asked else "scripted")
    assert len(warned(found)) == asked
    assert warned(found) == snapshot


def test_variant_that_says_the_same_is_asked_three_times_at_most(
    tmp_path: Path, between: list[float]
) -> None:
    asked = request(blocks=12, budget_s=0.0)
    periods = tuple(
        SlowPeriod(between[1] + 0.2 * n, between[1] + 0.2 * n + 0.1, 5.0, "a") for n in range(40)
    )
    stage = replace(theatre(tmp_path / "run", slowed=periods), asked=asked)
    found = stage.play()
    assert found.machine.asked == {"a": 3}
    assert transports(found) == {"a": "scripted", "b": "scripted"}
    assert warned(found) == []


def test_variant_that_says_nothing_when_all_is_slow_is_taken_at_its_first_word(
    tmp_path: Path, between: list[float]
) -> None:
    found = slowed(tmp_path, between, 4.0, range(2, 3), transports={"a": (UNKNOWN,)})
    assert found.machine.asked == {"a": 1}
    assert transports(found)["a"] == "scripted"


def test_times_of_disturbed_slices_are_no_sign(tmp_path: Path, between: list[float]) -> None:
    """Ranks that wait for their cores for 80 % of the time take five times as long."""
    load = LoadPeriod(between[2], FOREVER_S, waits=0.8)
    found = theatre(tmp_path / "run", loads=(load,)).play()
    batches = found.run.batches
    operations_ns = batches.elapsed_ns / batches.repetitions
    before, loaded = (np.median(operations_ns[batches.block == block]) for block in (1, 2))
    assert loaded > OTHER_KIND * before
    assert not found.machine.asked


# -- what launches would choose each for itself ----------------------------------------------------

VARIABLE = "LEADLINE_SINGLE_COPY"
FIRST, LATER = (f"raw shared memory 1 (single copy: {way})" for way in ("16k,1m", "none"))
CHOOSING = replace(QUIET, calls_itself=FIRST, later_calls_itself=LATER)


def raw(name: str, **environment: str) -> Variant:
    """A library that finds a way of copying by trying, unless it is told."""
    backend = replace(variant(name).backend, kind="shm")
    return variant(name, backend=backend, environment=environment)


def choosing(tmp_path: Path, *variants: Variant) -> Theatre:
    libraries = {one.name: CHOOSING for one in variants}
    asked = replace(
        ASKED, blocks=3, variants=tuple(
            VariantSpec(one.name, "shm", tuple(one.environment.items())) for one in variants
        ),
    )  # fmt: skip
    return Theatre(tmp_path / "run", libraries, asked, variants=variants)


def told(found: Played) -> list[set[str | None]]:
    """The value of the variable that each launch's ranks were started with."""
    return [
        {rank.environment.get(VARIABLE) for rank in launch.ranks.values()}
        for launch in found.machine.launches.values()
    ]


def test_what_the_first_launch_says_is_what_all_get(tmp_path: Path) -> None:
    """Launches after it would choose otherwise."""
    found = choosing(tmp_path, raw("shm"), raw("again")).play()
    assert told(found) == [{None}] + [{"16k,1m"}] * (2 * 3)
    run = found.run
    assert [dict(one.environment) for one in run.configurations] == [{VARIABLE: "16k,1m"}] * 2
    assert [run.as_asked(one).environment for one in run.configurations] == [{}] * 2


def test_other_kinds_are_told_nothing(tmp_path: Path) -> None:
    stage = choosing(tmp_path, raw("shm"), variant("scripted"))
    found = stage.play()
    by_variant = {launch.name for launch in found.machine.launches.values()}
    assert by_variant == {"shm", "scripted"}
    assert [dict(one.environment) for one in found.run.configurations] == [{VARIABLE: "16k,1m"}, {}]


def test_variant_that_says_it_itself_keeps_its_word(tmp_path: Path) -> None:
    found = choosing(tmp_path, raw("shm", **{VARIABLE: "none"})).play()
    assert told(found) == [{"none"}] * 3
    (one,) = found.run.configurations
    assert dict(found.run.as_asked(one).environment) == {VARIABLE: "none"}


def test_one_that_is_told_and_one_that_isnt_get_each_their_own(tmp_path: Path) -> None:
    found = choosing(tmp_path, raw("told", **{VARIABLE: "none"}), raw("open")).play()
    values = {one.variant: one.environment[VARIABLE] for one in found.run.configurations}
    assert values == {"told": "none", "open": "16k,1m"}


def test_choice_is_part_of_the_order_that_a_resumed_campaign_goes_by(tmp_path: Path) -> None:
    stage = choosing(tmp_path, raw("shm"))
    with stage.machine() as machine:
        after = chosen(stage.prepared, machine)
        (one,), (spec,) = after.variants, after.request.variants
        assert dict(spec.environment) == one.environment == {VARIABLE: "16k,1m"}
        assert chosen(after, machine) == after
        assert len(machine.launches) == 1


def unchosen(before: Prepared, stage: Theatre) -> int:
    """How many launches it took to choose nothing for `before`."""
    with stage.machine() as machine:
        assert chosen(before, machine) == before
        return len(machine.launches)


def test_ranks_that_outnumber_the_cores_choose_nothing(tmp_path: Path) -> None:
    stage = choosing(tmp_path, raw("shm"))
    before = stage.prepared
    groups = tuple(replace(group, oversubscribed=True) for group in before.plan.groups)
    assert unchosen(replace(before, plan=replace(before.plan, groups=groups)), stage) == 0


def test_launch_that_does_not_come_up_chooses_nothing(tmp_path: Path) -> None:
    stage = choosing(tmp_path, raw("shm"))
    fault = RankFault(Trouble.NO_START, "shm", 1)
    assert unchosen(stage.prepared, stage.again(faults=(fault,))) == 1


def test_library_that_says_nothing_of_it_is_told_nothing(tmp_path: Path) -> None:
    stage = choosing(tmp_path, raw("shm"))
    assert unchosen(stage.prepared, replace(stage, libraries={"shm": QUIET})) == 1
