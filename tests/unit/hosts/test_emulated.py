"""Emulated hosts while they are up: entered, listed, made ill, stopped and started again."""

from __future__ import annotations

import pytest
from tests.support.emulated import own_prefix

from leadline.errors import UsageError
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.marks import CLUSTER
from leadline.hosts.emulated.up import up

# -- twice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "prefix", "offsets", "said"),
    [
        (0, "x", {}, "give 1 to 250 hosts"),
        (251, "x", {}, "give 1 to 250 hosts"),
        (2, "h1", {}, "letters, or digits between letters"),
        (2, "x" * 33, {}, "give up to 32 letters"),
        (2, "a/b", {}, "letters, or digits between letters"),
        (2, "x", {"x3": 1}, "hosts are x1 to x2"),
        (2, "x", {"x2": -999_999_999}, "x2=-999999999s: the machine's clock shows no more than"),
    ],
)
def test_hosts_that_cannot_be_are_refused(
    count: int, prefix: str, offsets: dict[str, int], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        up(count, parse_link("1Gbit"), prefix, offsets)


def test_hosts_are_made_from_outside_of_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would end with the host that they were made in, and be found left over."""
    monkeypatch.setenv(CLUSTER, "other")
    with pytest.raises(UsageError, match="host of 'other': make hosts from a shell outside"):
        up(2, parse_link("1Gbit"), own_prefix())
