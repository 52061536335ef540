"""The catalogues of sentences: all of them in use, with their fields, and no English elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from string import Formatter

import pytest

import leadline
from leadline.compare.verdict import Why
from leadline.health.outcome import Silence
from leadline.models import reasons
from leadline.models.model import Break, RankSet
from leadline.papers.findings import Outcome
from leadline.record import warnings
from leadline.record.templates import Sentence, fields_of
from leadline.report.text import catalogue

PACKAGE = Path(leadline.__file__).parent
TABLES: Mapping[str, type[Sentence]] = {
    name: table
    for module in (catalogue, warnings, reasons)
    for name, table in vars(module).items()
    if isinstance(table, type) and issubclass(table, Sentence) and list(table)
}
"""Every table of sentences by its name."""
BY_NAME: Mapping[str, tuple[type[Enum], ...]] = {
    "UndecidedWords": (Why,),
    "CountedWords": (Why,),
    "FormWords": (Break, RankSet),
    "HealthWords": (Silence,),
    "StudyWords": (Outcome,),
}
"""Tables in which a sentence is looked up by the name of a member of these."""
ELSEWHERE: Mapping[Enum, str] = {Why.FEW_BLOCKS: "UndecidedWords", Why.STATED: "UndecidedWords"}
"""Members that have sentences of their own there, or none."""
TREES = {path: ast.parse(path.read_text()) for path in sorted(PACKAGE.rglob("*.py"))}


def named(node: ast.AST) -> tuple[str, str] | None:
    """Table and member of `Table.MEMBER`."""
    match node:
        case ast.Attribute(value=ast.Name(id=table), attr=member) if table in TABLES:
            return table, member
    return None


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Each call `Table.MEMBER(...)` of the package."""
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (found := named(node.func)):
                yield *found, node


def test_every_sentence_is_in_use() -> None:
    used = {found for tree in TREES.values() for node in ast.walk(tree) if (found := named(node))}
    used |= {
        (table, member.name)
        for table, enums in BY_NAME.items()
        for enum in enums
        for member in enum
        if member.name in TABLES[table].__members__
    }
    assert used == {(name, member.name) for name, table in TABLES.items() for member in table}


@pytest.mark.parametrize("table", BY_NAME)
def test_sentences_are_there_for_all_names_that_are_looked_up(table: str) -> None:
    names = {one.name for enum in BY_NAME[table] for one in enum if ELSEWHERE.get(one) != table}
    assert names <= TABLES[table].__members__.keys()


def test_calls_give_the_fields_of_their_sentence() -> None:
    for table, member, call in calls():
        given = {keyword.arg for keyword in call.keywords}
        fields = fields_of(TABLES[table][member])
        fits = given - {None} <= fields if None in given else given == fields
        assert fits and not call.args, f"{table}.{member}, line {call.lineno}: {fields}"


def test_fields_hold_no_fields() -> None:
    """A value could else bring a "|" or a "#" into the form of another."""
    causes = [cause for kind in warnings.WarningKind for cause in (*kind.causes, kind.remedy)]
    for template in (*causes, *(member for table in TABLES.values() for member in table)):
        assert not any("{" in (spec or "") for _, _, spec, _ in Formatter().parse(template))


# -- no English in rooms that compute --------------------------------------------------------------

COMPUTING = (
    "compare",
    "models",
    "statistics",
    "mapping",
    "health",
    "simulate",
    "topology",
    "record",
    "patterns",
)
WORD = re.compile(r"[A-Za-z]{2,}(?:'[a-z]+)?")
FEWEST_WORDS = 5
"""Fewer are names, keys, and parts of what is measured: "powers of two"."""
TABLES_OF_SENTENCES = ("record/warnings.py", "models/reasons.py")
EXCEPTIONS: Mapping[str, str] = {
    "record/decoding.py": "problems of damaged files, which errors carry",
    "models/file.py": "problems of damaged files, which errors carry",
    "mapping/launchfiles.py": "comments in files for launchers",
    "mapping/__init__.py": "part of an error",
    "simulate/calibration.py": "sources of values in machine files",
    "simulate/execution.py": "what a deadlock is, which an error carries",
    "simulate/flow.py": "what a circle of tasks is, and lacking memory, which errors carry",
    "simulate/machine_files.py": "problems of machine files, which errors carry",
    "simulate/tables.py": "problems of machine files, which errors carry",
    "simulate/what_if.py": "problems of words of the command line, which errors carry",
    "patterns/names.py": "how others' patterns differ, which errors and tables carry",
    "patterns/programs/data_movement.py": "names of algorithms",
    "simulate/smpi/simgrid.py": "a command that installs SimGrid",
    "simulate/smpi/running.py": "a shell script, and output of SimGrid that is looked for",
    "topology/phases.py": "problems of traces, which errors carry",
}
"""File -> what its texts are, where they are no sentences of a report."""


def texts_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of each string, but for docstrings and what is raised or asserted."""
    match tree:
        case ast.Raise() | ast.Assert() | ast.Expr(value=ast.Constant()):
            return
        case ast.Call(func=ast.Name(id=name)) if name.endswith("Error"):
            return
        case ast.JoinedStr(values=parts):
            shown = (str(p.value) if isinstance(p, ast.Constant) else "{}" for p in parts)
            yield tree.lineno, "".join(shown)
            return
        case ast.Constant(value=str(text)):
            yield tree.lineno, text
    for child in ast.iter_child_nodes(tree):
        yield from texts_in(child)


def english_in(tree: ast.AST) -> list[tuple[int, str]]:
    """Texts of several words."""
    return [
        (line, text)
        for line, text in texts_in(tree)
        if len(WORD.findall(text)) >= FEWEST_WORDS and " " in text.strip()
    ]


def computing() -> Iterator[tuple[str, ast.AST]]:
    for path, tree in TREES.items():
        name = path.relative_to(PACKAGE).as_posix()
        if name.split("/")[0] in COMPUTING and not name.startswith("record/foreign"):
            yield name, tree


def test_rooms_that_compute_have_no_sentences() -> None:
    found = {name: english_in(tree) for name, tree in computing()}
    rest = {name: texts for name, texts in found.items() if texts and name not in EXCEPTIONS}
    assert rest.keys() == {*TABLES_OF_SENTENCES}, rest
    assert {name for name in EXCEPTIONS if not found[name]} == set()


MOST_IN_HEADING = 9
"""Words of the longest heading, which stands with its table as columns and names do."""
POLICY = "report/page/markup.py"
"""Has a header of HTTP that reads as a sentence."""


def test_reports_have_their_sentences_in_the_catalogue() -> None:
    for path, tree in TREES.items():
        name = path.relative_to(PACKAGE).as_posix()
        if name.startswith("report/") and path != Path(catalogue.__file__) and name != POLICY:
            sentences = [
                (line, text)
                for line, text in english_in(tree)
                if text.rstrip().endswith(".")
                or "; " in text
                or len(WORD.findall(text)) > MOST_IN_HEADING
            ]
            assert not sentences, name


@pytest.mark.parametrize(
    ("source", "number"),
    [
        ("x = f'{a} of {b} batches counts for nothing'", 1),
        ("raise UsageError('there is nothing here that counts')", 0),
        ("error = RecordError(file, 'there is nothing here that counts')", 0),
        ("def f():\n    'There is nothing here that counts.'", 0),
        ("x = {'powers of two': 'no-of-words-are-keys'}", 0),
    ],
)
def test_a_sentence_is_found(source: str, number: int) -> None:
    assert len(english_in(ast.parse(source))) == number
