"""What the contributing page shows step by step works: each section is applied to a copy."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from harness.kernels import variant
from harness.patience import PATIENCE_S
from harness.places import DATA, ROOT
from harness.synthetic import Campaign, pingpong
from tests.support.campaigns import plan_for, run_campaign, seen
from tests.support.reference_pages import blocks

from leadline.kernels import build
from leadline.native.compiler import sources_digest
from leadline.store import load

pytestmark = pytest.mark.long


def apply(diff: str, tree: Path) -> None:
    """Applies a unified diff as strictly as can be: old lines are found once, counts are right."""
    for part in re.split(r"^--- .*\n", diff, flags=re.MULTILINE)[1:]:
        name, _, rest = part.removeprefix("+++ b/").partition("\n")
        path = tree / name
        text = path.read_text() if path.exists() else ""
        for hunk in re.split(r"^(?=@@ )", rest, flags=re.MULTILINE)[1:]:
            text = applied(hunk, text, name)
        path.write_text(text)


def applied(hunk: str, text: str, name: str) -> str:
    head, *lines = hunk.splitlines(keepends=True)
    old = [line[1:] for line in lines if line[0] in " -"]
    new = [line[1:] for line in lines if line[0] in " +"]
    counts = re.match(r"@@ -\d+,(\d+) \+\d+,(\d+) @@", head)
    assert counts, head
    assert (len(old), len(new)) == (int(counts[1]), int(counts[2])), head
    if not old:
        assert text == "", f"{name} exists"
        return "".join(new)
    assert text.count("".join(old)) == 1, f"{name}: {head}"
    return text.replace("".join(old), "".join(new))


def section(title: str) -> str:
    """A section of the contributing page."""
    after = (ROOT / "CONTRIBUTING.md").read_text().split(f"\n## {title}\n")[1]
    return after.split("\n## ")[0]


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the sources, with a section of the contributing page applied to it."""

    folder: Path

    @classmethod
    def with_section(cls, title: str, folder: Path) -> Copy:
        shutil.copytree(ROOT / "src", folder / "src")
        shutil.copytree(ROOT / "tests" / "native", folder / "tests" / "native")
        for script in blocks(section(title), "sh"):
            subprocess.run(["bash", "-ec", script], cwd=folder, check=True)
        (diff,) = blocks(section(title), "diff")
        apply(diff, folder)
        return cls(folder)

    def leadline(self, words: str) -> str:
        """What the command prints."""
        done = subprocess.run(
            [sys.executable, "-m", "leadline", *words.split()],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder / "src")},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def test_backend_of_the_contributing_page_is_listed_and_measured(tmp_path: Path) -> None:
    copy = Copy.with_section("Add a backend", tmp_path)
    assert re.search(r"^mylib +1 +yes +none", copy.leadline("doctor"), re.MULTILINE)
    asked = "--backends mylib --patterns pingpong,allreduce --sizes 8 --blocks 1 --budget 1s"
    copy.leadline(f"run {asked} --out run")
    run = load(tmp_path / "run")
    assert run.failures == ()
    assert {(c.backend, c.version) for c in run.configurations} == {("mylib", "1")}
    assert {cell.pattern for cell in run.cells} == {"pingpong", "allreduce"}


def test_application_of_the_contributing_page_is_solved(tmp_path: Path) -> None:
    copy = Copy.with_section("Add an application", tmp_path)
    asked = "--patterns heat:small,stap --backends shm --blocks 1 --budget 1s"
    text = copy.leadline(f"run {asked} --out run")
    assert load(tmp_path / "run").failures == ()
    assert re.search(r"heat:small · one repetition.*\n(.*\n)+? +communication +\d+ %", text), text


def test_study_of_the_contributing_page_answers(tmp_path: Path) -> None:
    copy = Copy.with_section("Add a study", tmp_path)
    listed = copy.leadline("study")
    assert re.search(r"^  broadcast +a broadcast between", listed, re.MULTILINE), listed
    copy.leadline("study broadcast --budget 3s --backends shm --out study")
    measured = load(tmp_path / "study" / "pair")
    assert measured.failures == ()
    assert {cell.pattern for cell in measured.cells} == {"pingpong", "bcast"}
    broadcast = replace(pingpong(8), pattern="bcast")
    known = Campaign(["shm"], [pingpong(8), broadcast], study="broadcast")
    known.write(tmp_path / "known" / "pair")
    (finding,) = json.loads(copy.leadline("study broadcast --from known --json"))["findings"]
    (evidence,) = finding["evidence"]
    assert evidence["low"] < 1 < evidence["high"]  # both were made to take the same
    text = " ".join(copy.leadline("study broadcast --from known").split())  # wherever folded
    assert "A broadcast to one PE costs no more than a message." in text
    number = r"[\d.,]+"
    pattern = rf"a broadcast takes {number} \({number} to {number}\) times a message"
    assert re.search(pattern, text), text


def test_format_of_the_contributing_page_prints_every_report(tmp_path: Path) -> None:
    copy = Copy.with_section("Add a format, or a key", tmp_path)
    shutil.copytree(DATA / "format-1", tmp_path / "run")
    for command in ("show", "compare", "history", "study", "sql"):
        assert "print columns between tabs" in copy.leadline(f"{command} --help")
    lines = copy.leadline("show run --tabs").splitlines()
    assert len(lines) > 1
    assert {line.count("\t") for line in lines} == {lines[0].count("\t")}


def test_pattern_of_the_contributing_page_is_measured_once_its_diff_is_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src")
    (diff,) = blocks(section("Add a pattern"), "diff")
    apply(diff, tmp_path)
    monkeypatch.setattr(build, "SOURCES", tmp_path / build.SOURCES.relative_to(ROOT))
    sources_digest.cache_clear()
    try:
        variants = [variant("null"), variant("shm")]
        plan = plan_for(variants, "ring", (0, 8, 5000), 1, ranks=3)
        run, _ = run_campaign(tmp_path / "run", variants, plan)
    finally:
        sources_digest.cache_clear()
    assert run.failures == ()
    assert {cell.pattern for cell in run.cells} == {"ring"}
    assert len(seen(run)) == 2 * 3
