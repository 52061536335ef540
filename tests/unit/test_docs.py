"""The documentation: its examples are run, its tables are held against the code."""

from __future__ import annotations

import argparse
import importlib
import json
import re
from pathlib import Path

import pytest
from harness import reference
from harness.places import ROOT
from tests.support.reference_pages import PAGES, REFERENCE, tables_of_keys

from leadline.cli import CHAIN, COMMANDS
from leadline.cli.commands import completion
from leadline.patterns.names import FOREIGN_NAMES
from leadline.record.run import FORMAT_VERSION
from leadline.report.programs.compared import ComparisonRow
from leadline.report.programs.measured import MeasuredRow

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


@pytest.mark.parametrize("page", reference.PAGES, ids=lambda page: page.name)
def test_generated_tables_are_what_the_code_says(page: Path) -> None:
    text = page.read_text()
    assert reference.regenerated(text) == text, "run `make reference`"


def test_options_with_a_link_to_more_exist() -> None:
    known = {f"{one} {name.lstrip('-')}" for one in COMMANDS for name in options_of(one)}
    assert {option for option in reference.MORE if " " in option} <= known


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
    importlib.import_module(f"leadline.cli.commands.{command}").add_arguments(parser)
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


def test_reference_has_the_rows_of_programs_in_order() -> None:
    found = tables_of_keys()
    assert tuple(MeasuredRow.__annotations__) in found
    assert tuple(ComparisonRow.__annotations__) in found


def test_reference_has_every_kind_of_journal_line() -> None:
    journals = (ROOT / "tests" / "data").glob("format-*/journal.jsonl")
    lines = [line for journal in journals for line in journal.read_text().splitlines()]
    kinds = {json.loads(line)["kind"] for line in lines}
    assert kinds in map(set, tables_of_keys())


def test_reference_has_the_version_of_the_format_and_tells_it_from_the_one_before() -> None:
    assert re.search(rf"\bversion\s+\({FORMAT_VERSION}\)", REFERENCE)
    assert f"Format {FORMAT_VERSION - 1} " in REFERENCE


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
