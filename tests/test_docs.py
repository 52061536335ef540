"""The documentation: its examples are run, its tables are held against the code."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.campaigns import plan_for, run_campaign, seen
from tests.support.kernels import kernel, variant
from tests.support.places import DATA, ROOT

from leadline.backends.backend import Backend
from leadline.cli import CHAIN, COMMANDS, completion
from leadline.kernels import build
from leadline.native.compiler import sources_digest
from leadline.record.foreign.names import FOREIGN_NAMES
from leadline.record.run import FORMAT_VERSION
from leadline.report.programs.measured import MeasuredRow
from leadline.report.programs.rows import ComparisonRow
from leadline.store import load

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = (ROOT / "docs" / "reference.md").read_text()

FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"\$ (leadline [^#]*?)(?: +# exit status ([\d, or]+))?")
NAMED = re.compile(r"# (\S+\.toml)\n")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def blocks(text: str, tag: str) -> list[str]:
    return [body for found, body in FENCE.findall(text) if found == tag]


def examples(page: Path) -> list[tuple[str, set[int]]]:
    """(command, exit statuses that it may have) of every line in a page's console blocks."""
    text = "".join(blocks(page.read_text(), "console")).replace("\\\n", " ")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    matches = [EXAMPLE.fullmatch(line) for line in lines if line]
    assert all(matches), f"{page}: a console block has a line that can't be run"
    return [
        (match[1], {int(status) for status in re.findall(r"\d+", match[2] or "0")})
        for match in matches
        if match
    ]


def files(page: Path) -> dict[str, str]:
    """Files that examples read, by name: blocks of TOML whose first line names one."""
    bodies = blocks(page.read_text(), "toml")
    return {match[1]: body for body in bodies if (match := NAMED.match(body))}


@pytest.mark.parametrize("page", [p for p in PAGES if examples(p)], ids=lambda page: page.name)
def test_every_example_runs_and_ends_as_the_page_says(
    page: Path, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for name, content in files(page).items():
        (tmp_path / name).write_text(content)
    for command, statuses in examples(page):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=os.environ | {"PATH": tools},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode in statuses, f"{page.name}: {command}\n{done.stderr}{done.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_script_is_valid_shell(page: Path) -> None:
    for body in blocks(page.read_text(), "sh"):
        done = subprocess.run(["bash", "-n"], input=body, text=True, check=False)
        assert done.returncode == 0, body


@pytest.mark.parametrize(
    ("page", "body"),
    [(page, body) for page in PAGES for body in blocks(page.read_text(), "python")],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_every_example_in_python_runs(page: Path, body: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", body], capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, f"{page}: {done.stderr}"


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text()):
        path = page.parent / target if target else page
        assert path.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(path.read_text()), f"{page.name}: #{anchor}"


def options_of(command: str) -> dict[str, argparse.Action]:
    """What argparse knows, by long name; --help goes without saying."""
    parser = argparse.ArgumentParser(add_help=False)
    importlib.import_module(f"leadline.cli.{command}").add_arguments(parser)
    return {
        name: action
        for action in completion.options_of(parser)
        for name in action.option_strings
        if name.startswith("--") and name != "--help"
    }


def section_of(command: str) -> str:
    after = REFERENCE.split(f"\n## leadline {command}\n")[1]
    return after.split("\n## ")[0]


def row_of(name: str, action: argparse.Action) -> tuple[str, str]:
    """How the reference writes an option, and its default ("-": none)."""
    if action.nargs == 0:
        return f"`{name}`", "-"
    metavar = str(action.metavar or action.dest.upper()).replace("|", "\\|")
    metavar = f"[{metavar}]" if action.nargs == "?" else metavar
    metavar = " ".join([metavar] * (action.nargs if isinstance(action.nargs, int) else 1))
    return f"`{name} {metavar}`", f"`{action.default}`" if action.default else "-"


@pytest.mark.parametrize("command", COMMANDS)
def test_reference_has_every_option_with_its_default(command: str) -> None:
    table = re.findall(r"^\| (`--[^`]+`) \| (.*?) \|", section_of(command), re.MULTILINE)
    assert sorted(table) == sorted(row_of(*option) for option in options_of(command).items())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_names_an_option_that_does_not_exist(page: Path) -> None:
    known = {"--version", "--help"}.union(*(options_of(command) for command in COMMANDS))
    commands = re.findall(r"leadline .*(?:\\\n.*)*", page.read_text())
    assert {name for line in commands for name in OPTION.findall(line)} <= known


def keys_in_table(title: str) -> tuple[str, ...]:
    table = REFERENCE.split(f"| {title} |")[1].split("\n\n")[0]
    return tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


def test_reference_has_the_rows_of_programs_in_order() -> None:
    assert keys_in_table("key of a measured row | is") == tuple(MeasuredRow.__annotations__)
    columns = tuple(ComparisonRow.__annotations__)
    assert keys_in_table("key of a compared row | is") == columns


def test_reference_has_every_kind_of_journal_line() -> None:
    journals = (ROOT / "tests" / "data").glob("format-*/journal.jsonl")
    lines = [line for journal in journals for line in journal.read_text().splitlines()]
    kinds = {json.loads(line)["kind"] for line in lines}
    assert set(keys_in_table("kind | holds")) == kinds


def test_reference_has_the_version_of_the_format_and_tells_it_from_the_one_before() -> None:
    said = f"The format has a version\n({FORMAT_VERSION}); newer versions of leadline read older"
    assert f"{said} ones. Format {FORMAT_VERSION - 1} had no " in REFERENCE


def test_reference_has_every_pattern() -> None:
    known = build.describe(kernel("null")).patterns
    assert set(keys_in_table("pattern | measures | options")) == set(known)


def test_reference_has_every_command_along_the_chain() -> None:
    table = REFERENCE.split("| to | command | does |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| ([\w ]*) \| `(\w+)` \|", table, re.MULTILINE)
    assert rows == [
        (link if number == 0 else "", command)
        for link, commands in CHAIN.items()
        for number, command in enumerate(commands)
    ]


def test_reference_has_every_name_that_a_pattern_has_elsewhere() -> None:
    same, near = (
        REFERENCE.split(f"| {title} |")[1].split("\n\n")[0]
        for title in ("pattern | MPI | OSU | IMB", "OSU, IMB, MPI | nearest | difference")
    )
    rows = [re.findall(r"`([^`]+)`", row) for row in same.splitlines()]
    found = {(name, pattern) for pattern, *names in filter(None, rows) for name in names}
    assert found == {(one.name, one.pattern) for one in FOREIGN_NAMES if not one.differs}
    differing = re.findall(r"^\| `(.*)` \| `(.*)` \| (.*) \|$", near, re.MULTILINE)
    assert differing == [(o.name, o.pattern, o.differs) for o in FOREIGN_NAMES if o.differs]


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
            timeout=100,
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
    said = copy.leadline(f"run {asked} --out run")
    assert load(tmp_path / "run").failures == ()
    assert re.search(r"heat:small · one repetition.*\n(.*\n)+? +communication +\d+ %", said), said


def test_study_of_the_contributing_page_answers(tmp_path: Path) -> None:
    copy = Copy.with_section("Add a study", tmp_path)
    listed = copy.leadline("study")
    assert re.search(r"^  broadcast +a broadcast between", listed, re.MULTILINE), listed
    lines = copy.leadline("study broadcast --budget 3s --backends shm --out study")
    said = " ".join(lines.split())  # wherever they were folded
    assert "A broadcast to one PE costs no more than a message." in said
    number = r"[\d.,]+"  # however busy the machine
    pattern = rf"a broadcast takes {number} \({number} to {number}\) times a message"
    assert re.search(pattern, said), said


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
