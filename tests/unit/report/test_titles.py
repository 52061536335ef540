"""What titles say of verdicts: the threshold and the test by which they came about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong

from leadline.cli.show import computed
from leadline.compare.analysis import Analysis
from leadline.hosts.emulated.link import parse_link
from leadline.record.run import Run
from leadline.report.text.titles import _links_notes, link_notes, standings_notes


def notes(variants: list[str]) -> tuple[str, ...]:
    run = Campaign(variants, (pingpong(8), BARRIER)).run()
    return standings_notes(computed(Analysis(run), 0.025))


def joined_by(link: str) -> Run:
    run = Campaign(["mpich"], (pingpong(8),), link=parse_link(link).facts).run()
    configurations = tuple(replace(one, hosts=("h1", "h2")) for one in run.configurations)
    return replace(run, configurations=configurations)


def test_link_between_emulated_hosts_is_told_with_all_that_it_is() -> None:
    assert link_notes(joined_by("10Mbit,delay=5ms,mtu=9000")) == (
        "Between emulated hosts (h1 and h2): 10Mbit,delay=5ms,mtu=9000, switched ethernet, MTU "
        "9000 bytes, delay 5.00 ms, shaped by a switch in user space: rated 10 Mbit/s, payload of "
        "TCP at most 9.9 Mbit/s.",
    )
    assert link_notes(Campaign(["mpich"], (pingpong(8),)).run()) == ()


def test_links_of_compared_runs_are_told_once_where_they_are_alike() -> None:
    one, other = joined_by("ethernet-10"), replace(joined_by("atm-155"), path="other")
    alone = Campaign(["mpich"], (pingpong(8),)).run()
    (once,) = _links_notes((one, one))
    assert "ethernet-10" in once
    each = list(_links_notes((one, other)))
    assert [line.partition(":")[0] for line in each] == ["run", "other"]
    assert next(iter(_links_notes((alone, other)))) == "run: Not between emulated hosts."
    assert list(_links_notes((alone, alone))) == []


@pytest.mark.parametrize(
    ("variants", "family"),
    [
        (["shm", "mpich", "openmpi"], "all sizes"),
        (["mpich", "openmpi", "impi"], "all pairs of libraries and all sizes"),
    ],
)
def test_note_names_what_is_one_family_of_tests(variants: list[str], family: str) -> None:
    assert notes(variants) == (
        "Faster, slower: by more than 2.5 %, in the cell's 95 % interval and in a permutation test "
        f"over {family} (any wrong in 5 % at most); same: the interval within 2.5 %.",
    )


def test_where_nothing_is_compared_there_is_no_note() -> None:
    assert notes(["shm", "mpich"]) == ()
