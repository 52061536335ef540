"""What readers are told of ranks that are laid in a grid."""

from __future__ import annotations

import html
import json
from dataclasses import replace
from pathlib import Path

import pytest
from harness.kernels import local_backend
from harness.synthetic import Campaign, configuration, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import planned

from leadline.cli import main
from leadline.kernels.description import Capability
from leadline.measure.plan import Group
from leadline.measure.spec import Variant
from leadline.record.run import GridPlacement
from leadline.report.text.mapping import placement_sections, placement_words
from leadline.report.text.plan import plan_lines

LAID = GridPlacement("halo:4x4", (*range(16),), "internode", "nodes:4x4", 24.0, 16.0)


def test_placement_is_named_with_its_figure_before_and_after(snapshot: SnapshotAssertion) -> None:
    laid = [
        LAID,
        replace(LAID, metric="hops", before=1.25, after=1.0),
        replace(LAID, metric="my/slots", after=28.0),
        replace(LAID, pattern="", metric="load"),
    ]
    assert [placement_words(one) for one in laid] == snapshot


def test_run_says_how_each_configuration_is_laid_and_nothing_where_none_is(
    snapshot: SnapshotAssertion,
) -> None:
    plain = configuration("mpich", 16)
    assert list(placement_sections([plain])) == []
    (section,) = placement_sections([plain, replace(plain, variant="mapped", placement=(LAID,))])
    assert (section.heading, *section.notes) == snapshot


def test_plan_says_who_shares_launches_and_what_there_is_to_gain(
    snapshot: SnapshotAssertion,
) -> None:
    default = Variant("default", local_backend("shm"), "/k", Capability("shm", True, 1, (), {}))
    variants = [default, replace(default, name="mapped", map="internode")]
    group = Group(16, False, (), placements={"mapped": (LAID,)})
    lines = plan_lines(planned(group), variants, [])
    assert (lines[0], lines[2]) == snapshot


def test_show_its_json_and_the_page_have_the_placement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    laid = GridPlacement("pingpong", (1, 0), "internode", "nodes:2x1", 2.0, 2.0)
    campaign = Campaign(["mpich", "openmpi"], (pingpong(8),), placements={"mpich": (laid,)})
    campaign.write(Path("run"))
    output = {}
    for name, words in (
        ("text", ("show", "run", "--full")),
        ("page", ("report", "run", "--out", "-")),
    ):
        assert main(list(words)) == 0
        output[name] = html.unescape(capfd.readouterr().out)
    (line,) = (line for line in output["text"].splitlines() if placement_words(laid) in line)
    assert line.strip().startswith("mpich")
    assert placement_words(laid) in output["page"]
    assert main(["show", "run", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["placements"]
    assert row == {
        "variant": "mpich", "ranks": 2, "pattern": "pingpong", "metric": "internode",
        "machine": "nodes:2x1", "before": 2.0, "after": 2.0, "slots": [1, 0],
    }  # fmt: skip
