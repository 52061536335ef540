from __future__ import annotations

from dataclasses import replace

from tests.support.kernels import local_backend

from leadline.kernels.patterns import Capability
from leadline.measure.variants import Variant, transport_caveats

PLAIN = Variant("plain", local_backend("mpi"), "/kernel", Capability("mpi", True, 1, (), {}))


def over(name: str, transport: str, kind: str = "mpi") -> Variant:
    return replace(PLAIN, name=name, transport=transport, backend=local_backend(kind))


def test_network_beside_shared_memory_is_a_hidden_difference_that_names_both() -> None:
    (caveat,) = transport_caveats([over("a", "ob1 sm"), over("b", "ob1 tcp"), over("c", "posix")])
    assert caveat.code == "hidden_difference"
    assert caveat.cause == (
        "b (ob1 tcp) sends through a network stack, a (ob1 sm), c (posix) through shared memory"
    )


def test_transports_of_one_kind_or_unknown_ones_are_no_difference() -> None:
    assert transport_caveats([over("a", "ob1 sm"), over("b", "posix"), over("c", "unknown")]) == []
    assert (
        transport_caveats([over("a", "ofi tcp"), over("b", "ob1 tcp"), over("n", "none", "null")])
        == []
    )
    assert transport_caveats([]) == []


def test_raw_transports_are_limits_and_no_hidden_difference() -> None:
    raw = [over("tcp", "tcp loopback", "tcp"), over("shm", "shm", "shm")]
    assert transport_caveats([*raw, over("a", "posix")]) == []
    assert transport_caveats([*raw, over("a", "ofi tcp")]) == []
