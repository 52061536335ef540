"""What titles say of verdicts: the threshold and the test by which they came about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.hosts.emulated.link import parse_link
from leadline.record.run import Run
from leadline.report.text.measured import link_notes, links_notes, rankings_notes


def notes(variants: list[str]) -> tuple[str, ...]:
    run = Campaign(variants, (pingpong(8), BARRIER)).run()
    return rankings_notes(computed(Analysis(run), 0.025))


def joined_by(link: str) -> Run:
    run = Campaign(["mpich"], (pingpong(8),), link=parse_link(link).facts).run()
    configurations = tuple(replace(one, hosts=("h1", "h2")) for one in run.configurations)
    return replace(run, configurations=configurations)


def test_link_between_emulated_hosts_is_told_with_all_that_it_is(
    snapshot: SnapshotAssertion,
) -> None:
    assert link_notes(joined_by("10Mbit,delay=5ms,mtu=9000")) == snapshot
    assert link_notes(Campaign(["mpich"], (pingpong(8),)).run()) == ()


def test_links_of_compared_runs_are_told_once_where_they_are_alike(
    snapshot: SnapshotAssertion,
) -> None:
    one, other = joined_by("ethernet-10"), replace(joined_by("atm-155"), path="other")
    alone = Campaign(["mpich"], (pingpong(8),)).run()
    (once,) = links_notes((one, one))
    assert "ethernet-10" in once
    each = list(links_notes((one, other)))
    assert [line.partition(":")[0] for line in each] == ["run", "other"]
    assert next(iter(links_notes((alone, other)))) == snapshot
    assert list(links_notes((alone, alone))) == []


@pytest.mark.parametrize(
    "variants",
    [["shm", "mpich", "openmpi"], ["mpich", "openmpi", "impi"]],
    ids=["one pair", "several pairs"],
)
def test_note_names_what_is_one_family_of_tests(
    variants: list[str], snapshot: SnapshotAssertion
) -> None:
    assert notes(variants) == snapshot


def test_where_nothing_is_compared_there_is_no_note() -> None:
    assert notes(["shm", "mpich"]) == ()
