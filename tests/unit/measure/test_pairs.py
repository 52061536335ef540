"""Variants on hosts of their own: each pair its own launches, hosts and cores."""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness.kernels import variant
from tests.support.campaigns import plan_for

from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.measure.preparation import PAIR_SLICE_S, paired
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Request, VariantSpec, built_alike, carriers, run_alike

HOSTS = ("h1", "h2", "h3", "h4")
SITES = tuple(Site(name, "boot", (2 * n, 2 * n + 1), name) for n, name in enumerate(HOSTS))
PAIRS = (("h1", "h4"), ("h2", "h3"))


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    request = Request(
        patterns=("pingpong",), sizes=(8,), variants=(VariantSpec("tcp", "tcp"),), blocks=1,
        hosts=Hosts(HOSTS),
    )  # fmt: skip
    tcp = replace(variant("tcp"), name="tcp")
    return Prepared(request, (tcp,), plan_for([tcp], "pingpong", (8,), 1), SITES)


def test_each_pair_is_a_variant_on_its_two_hosts(prepared: Prepared) -> None:
    found = paired(prepared, PAIRS, (8, 4096))
    configurations = {one.variant: one for one in found.configurations().values()}
    assert {name: one.hosts for name, one in configurations.items()} == {
        "h1+h4": ("h1", "h4"), "h2+h3": ("h2", "h3"),
    }  # fmt: skip
    assert configurations["h1+h4"].binding == (0, 6)
    assert configurations["h2+h3"].binding == (2, 4)


def test_pairs_have_launches_of_their_own_one_each(prepared: Prepared) -> None:
    found = paired(prepared, PAIRS, (8, 4096))
    assert carriers(found.variants) == {"h1+h4": "h1+h4", "h2+h3": "h2+h3"}
    (group,) = found.plan.groups
    assert (group.launches, found.plan.allotment.launches) == (1, 1)
    assert found.plan.slice_s == PAIR_SLICE_S
    assert {planned.cell.size_bytes for planned in group.cells} == {8, 4096}


def test_order_says_which_hosts_each_pair_has(prepared: Prepared) -> None:
    found = paired(prepared, PAIRS, (8,))
    assert [(spec.name, spec.hosts) for spec in found.request.variants] == [
        ("h1+h4", ("h1", "h4")), ("h2+h3", ("h2", "h3")),
    ]  # fmt: skip
    assert found.request.hosts.names == HOSTS


def test_one_kernel_serves_variants_that_differ_in_their_hosts(prepared: Prepared) -> None:
    one, other = paired(prepared, PAIRS, (8,)).request.variants
    assert built_alike(one, other)
    assert not run_alike(one, other)


def test_variant_without_hosts_of_its_own_is_on_all(prepared: Prepared) -> None:
    assert prepared.of(prepared.variants[0]) is prepared
