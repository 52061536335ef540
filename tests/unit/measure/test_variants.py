from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.kernels import local_backend
from syrupy.assertion import SnapshotAssertion

from leadline.kernels.description import Capability
from leadline.measure.spec import Variant, carriers, transport_warnings

PLAIN = Variant("plain", local_backend("mpi"), "/kernel", Capability("mpi", True, 1, (), {}))


def over(name: str, transport: str, kind: str = "mpi") -> Variant:
    return replace(PLAIN, name=name, transport=transport, backend=local_backend(kind))


def test_network_beside_shared_memory_is_a_hidden_difference_that_names_both(
    snapshot: SnapshotAssertion,
) -> None:
    (warning,) = transport_warnings([over("a", "ob1 sm"), over("b", "ob1 tcp"), over("c", "posix")])
    assert warning.code == "hidden_difference"
    assert warning.cause == snapshot


def test_transports_of_one_kind_or_unknown_ones_are_no_difference() -> None:
    assert transport_warnings([over("a", "ob1 sm"), over("b", "posix"), over("c", "unknown")]) == []
    assert (
        transport_warnings([over("a", "ofi tcp"), over("b", "ob1 tcp"), over("n", "none", "null")])
        == []
    )
    assert transport_warnings([]) == []


def test_raw_transports_are_limits_and_no_hidden_difference() -> None:
    raw = [over("tcp", "tcp loopback", "tcp"), over("shm", "shm", "shm")]
    assert transport_warnings([*raw, over("a", "posix")]) == []
    assert transport_warnings([*raw, over("a", "ofi tcp")]) == []


# -- launches that variants share ------------------------------------------------------------------


def mapped(name: str, metric: str, like: Variant = PLAIN) -> Variant:
    return replace(like, name=name, map=metric)


def test_variant_that_differs_in_its_map_alone_shares_launches_of_the_one_without() -> None:
    other = replace(PLAIN, name="other", environment={"A": "1"})
    variants = [mapped("i", "internode"), PLAIN, mapped("h", "hops"), other]
    assert carriers(variants) == {"i": "plain", "plain": "plain", "h": "plain", "other": "other"}
    assert carriers([mapped("i", "internode"), other]) == {"i": "i", "other": "other"}


def test_maps_without_a_default_share_launches_of_the_first() -> None:
    variants = [mapped("i", "internode"), mapped("h", "hops"), mapped("f", "file")]
    assert carriers(variants) == {"i": "i", "h": "i", "f": "i"}


def test_variants_that_differ_in_nothing_have_launches_of_their_own() -> None:
    twice = [PLAIN, replace(PLAIN, name="again")]
    assert carriers(twice) == {"plain": "plain", "again": "again"}
    maps = [mapped("i", "internode"), mapped("again", "internode")]
    assert carriers(maps) == {"i": "i", "again": "again"}


def test_settings_part_launches_also_of_one_map() -> None:
    changes: list[dict[str, Any]] = [
        {"environment": {"A": "1"}},
        {"arguments": ("-x",)},
        {"kernel": "/other"},
        {"backend": local_backend("shm")},
    ]
    for change in changes:
        other = mapped("i", "internode", replace(PLAIN, **change))
        assert carriers([PLAIN, other]) == {"plain": "plain", "i": "i"}, change
