"""What launches would choose each for itself is chosen once: all launches of a campaign agree."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.campaigns import on_two_cores, plan_for, run_campaign
from tests.support.kernels import variant

from leadline.kernels.connection import Connection
from leadline.kernels.messages import Hello
from leadline.measure import choosing
from leadline.measure.choosing import chosen
from leadline.measure.launch import Launch
from leadline.measure.order import Order
from leadline.measure.prepared import Prepared
from leadline.measure.variants import Variant, VariantSpec

VARIABLE = "LEADLINE_SINGLE_COPY"


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What each rank calls its library, as they say hello."""
    said: list[str] = []
    join = Launch.join

    def heard(launch: Launch, connection: Connection, hello: Hello) -> None:
        said.append(hello.library)
        join(launch, connection, hello)

    monkeypatch.setattr(Launch, "join", heard)
    return said


def prepared_for(variants: list[Variant], ranks: int = 2) -> Prepared:
    plan = plan_for(variants, "barrier", (0,), 1, ranks)
    specs = tuple(VariantSpec(v.name, "shm", tuple(v.environment.items())) for v in variants)
    order = Order(patterns=("barrier",), variants=specs)
    return Prepared(order, tuple(variants), plan, (on_two_cores(),))


def test_all_launches_of_a_campaign_copy_alike_and_the_run_says_how(
    tmp_path: Path, libraries: list[str]
) -> None:
    variants = [variant("shm"), variant("shm", "again")]
    plan = plan_for(variants, "pingpong", (8,), 3)
    groups = tuple(replace(group, launches=2) for group in plan.groups)
    run, _ = run_campaign(tmp_path / "run", variants, replace(plan, groups=groups))
    assert len(libraries) >= 2 * (1 + 3 * 2)
    assert len(set(libraries)) == 1
    found = re.search(r"single copy: (.*)\)", libraries[0])
    assert found is not None
    assert [one.environment for one in run.configurations] == [{VARIABLE: found[1]}] * 2
    assert [run.as_asked(one).environment for one in run.configurations] == [{}] * 2


def test_choice_is_the_first_launchs_whatever_later_ones_would_find(
    tmp_path: Path, libraries: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "_said", lambda *_: "16k,1m-resent")
    variants = [variant("shm"), variant("null")]
    run, _ = run_campaign(tmp_path / "run", variants, plan_for(variants, "pingpong", (8,), 1))
    shared = [library for library in libraries if "shared" in library]
    assert set(shared) == {"raw shared memory 1 (single copy: 16k,1m-resent)"}
    assert [dict(one.environment) for one in run.configurations] == [
        {VARIABLE: "16k,1m-resent"},
        {},
    ]


def test_variant_that_says_it_itself_keeps_its_word(libraries: list[str]) -> None:
    told = variant("shm", LEADLINE_SINGLE_COPY="none")
    before = prepared_for([told])
    assert chosen(before) == before
    assert libraries == []


@pytest.mark.parametrize("exported", [True, False])
def test_what_users_set_counts_as_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exported: bool
) -> None:
    told = variant("shm") if exported else variant("shm", LEADLINE_SINGLE_COPY="none")
    if exported:
        monkeypatch.setenv(VARIABLE, "none")
    run, _ = run_campaign(tmp_path / "run", [told], plan_for([told], "pingpong", (8,), 1))
    (found,) = run.configurations
    assert dict(run.as_asked(found).environment) == {VARIABLE: "none"}
    assert run.provenance.inherited == ({VARIABLE: "none"} if exported else {})


def test_choice_is_part_of_the_order_that_a_resumed_campaign_goes_by() -> None:
    after = chosen(prepared_for([variant("shm")]))
    (found,), (spec,) = after.variants, after.order.variants
    assert dict(spec.environment) == found.environment
    assert VARIABLE in found.environment
    assert chosen(after) == after


def test_ranks_that_outnumber_the_cores_choose_nothing(libraries: list[str]) -> None:
    before = prepared_for([variant("shm")])
    groups = tuple(replace(group, oversubscribed=True) for group in before.plan.groups)
    before = replace(before, plan=replace(before.plan, groups=groups))
    assert chosen(before) == before
    assert libraries == []
