"""Facts about a host: what is stored is read back, what isn't known never looks like a value."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from leadline.compare.warnings import MACHINE_FACTORS
from leadline.record.machine import FACTS, UNKNOWN_HOST, HostFacts

KNOWN = HostFacts(
    host="node1",
    kernel="Linux 6.1",
    architecture="x86_64",
    cpu="Some CPU",
    cores=4,
    allowed_cpus=(0, 2),
    cpu_quota=1.5,
    pinning=True,
    clock_source="tsc",
    clock_read_at_most_ns=31.25,
    governor="performance",
    load_1min=0.5,
    memory_total_bytes=2**34,
    memory_available_bytes=2**33,
    shared_memory_free_bytes=2**26,
    last_level_cache_bytes=32 * 2**20,
    container=False,
    virtual_machine=True,
)


def test_facts_are_read_back_as_they_were_stored() -> None:
    assert HostFacts.of(KNOWN.as_json()) == KNOWN
    assert KNOWN.as_json()["allowed_cpus"] == [0, 2]


@pytest.mark.parametrize("stored", [None, [], "node1", {}, {"load": [0.5, 0.25]}])
def test_a_machine_that_was_not_described_is_unknown(stored: object) -> None:
    assert HostFacts.of(stored) == UNKNOWN_HOST


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cores", True), ("cores", "4"), ("cores", 4.0), ("host", 5), ("pinning", 1),
        ("allowed_cpus", ["0"]), ("allowed_cpus", 3), ("load_1min", "0.5"), ("cpu", None),
    ],
)  # fmt: skip
def test_a_fact_of_another_type_is_unknown(name: str, value: Any) -> None:
    assert HostFacts.of({name: value}) == UNKNOWN_HOST


def test_a_whole_number_is_as_good_as_one_with_a_point() -> None:
    assert HostFacts.of({"load_1min": 3}).load_1min == 3.0


def test_every_fact_is_of_the_type_that_the_table_says() -> None:
    hints = get_type_hints(HostFacts)
    for name, fact in FACTS.items():
        kind = tuple[int, ...] if fact.kind is tuple else fact.kind
        assert hints[name] == kind | None, name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("cores", "4"), ("allowed_cpus", "0 2"), ("cpu_quota", "1.5"), ("pinning", "yes"),
        ("clock_read_at_most_ns", "31.25 ns"), ("memory_total_bytes", "16,384 MiB"),
        ("container", "no"),
    ],
)  # fmt: skip
def test_a_fact_is_shown_with_its_unit(name: str, shown: str) -> None:
    assert KNOWN.shown(name) == shown


def test_what_is_not_known_is_said_to_be() -> None:
    assert {UNKNOWN_HOST.shown(name) for name in FACTS} == {"unknown"}


def test_factors_that_comparisons_watch_are_facts() -> None:
    assert set(MACHINE_FACTORS) <= FACTS.keys()
