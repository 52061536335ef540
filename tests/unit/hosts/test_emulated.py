"""Emulated hosts while they are up: entered, listed, made ill, stopped and started again."""

from __future__ import annotations

import os

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.emulated import own_prefix
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.hosts.emulated.lifecycle import up
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.namespaces import CLUSTER

# -- twice -----------------------------------------------------------------------------------------


def test_hosts_that_cannot_be_are_refused(snapshot: SnapshotAssertion) -> None:
    given: list[tuple[int, str, dict[str, int]]] = [
        (0, "x", {}),
        (251, "x", {}),
        (2, "h1", {}),
        (2, "x" * 33, {}),
        (2, "a/b", {}),
        (2, "x", {"x3": 1}),
    ]
    told = refusals(lambda case: up(case[0], parse_link("1Gbit"), *case[1:]), given, UsageError)
    assert told == snapshot


def test_clock_before_its_beginning_is_refused() -> None:
    with pytest.raises(UsageError, match=" x2=-999999999s: "):
        up(2, parse_link("1Gbit"), "x", {"x2": -999_999_999})


def test_hosts_are_made_from_outside_of_hosts(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """They would end with the host that they were made in, and be found left over."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv(CLUSTER, "other")
    with pytest.raises(UsageError) as caught:
        up(2, parse_link("1Gbit"), own_prefix())
    assert str(caught.value) == snapshot
