"""The faults that mutation testing plants: one each, where it says, the same for the same seed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.support.mutation import (
    PACKAGE,
    ROOMS,
    changeable_lines,
    checkout,
    mutations_at,
    planted,
    unchanged,
)

SOURCE = '''\
"""A module."""
from dataclasses import dataclass

@dataclass(frozen=True)
class Pair:
    first: int = 1

def larger(pair, other):
    if not pair.first < other or pair is None:
        other += pair.first * 2
    print(f"{other}")
    return other
'''


def changed(line: int) -> set[str]:
    """What the line, counted from 1, becomes."""
    found = set()
    for one in mutations_at("a.py", SOURCE, line):
        before = ast.unparse(ast.parse(SOURCE)).splitlines()
        after = one.source.splitlines()
        found.add("; ".join(new.strip() for new in after if new not in before) or "(nothing)")
    return found


def test_imports_for_the_type_checker_alone_are_no_place_for_a_fault() -> None:
    assert mutations_at("a.py", "if TYPE_CHECKING:\n    import os\n", 1) == []
    assert len(mutations_at("a.py", "if TYPES:\n    import os\n", 1)) == 1


def test_lines_that_can_be_changed_are_those_that_compute_or_decide() -> None:
    assert changeable_lines(SOURCE) == [6, 9, 10, 11, 12]


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        (6, {"first: int = 2"}),
        (10, {"pass", "other += pair.first / 2", "other += pair.first * 3"}),
        (11, {"pass"}),
        (12, {"return None"}),
    ],
)
def test_line_becomes_what_a_slip_of_the_pen_would_make_of_it(line: int, becomes: set[str]) -> None:
    assert changed(line) == becomes


def test_conditions_are_turned_negated_and_joined_otherwise() -> None:
    assert changed(9) == {
        "if not (not pair.first < other or pair is None):",
        "if not pair.first < other and pair is None:",
        "if pair.first < other or pair is None:",
        "if not pair.first <= other or pair is None:",
        "if not pair.first < other or pair is not None:",
    }


def test_every_mutation_differs_from_its_file_and_can_be_compiled() -> None:
    drawn = planted(seed=4, number=25)
    assert len({one.name for one in drawn}) == 25
    for one in drawn:
        original = ast.unparse(ast.parse((PACKAGE / one.file).read_text()))
        assert one.file.split("/")[0] in ROOMS
        assert one.source != original
        compile(one.source, one.file, "exec")


def test_the_same_seed_plants_the_same_faults() -> None:
    names = [[one.name for one in planted(seed, 10)] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]


def test_mutant_has_all_else_where_the_project_has_it(tmp_path: Path) -> None:
    """Else tests that read the documentation would see a fault in any mutant."""
    (mutation,) = planted(seed=4, number=1)
    package = checkout(tmp_path, mutation) / "leadline"
    assert (package / mutation.file).read_text() == mutation.source
    others = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")]
    assert all((package / path).exists() for path in others)
    assert (package.parents[1] / "docs" / "reference.md").exists()


def test_control_is_a_file_that_says_the_same() -> None:
    (mutation,) = planted(seed=4, number=1)
    original = (PACKAGE / mutation.file).read_text()
    assert ast.dump(ast.parse(unchanged(mutation.file).source)) == ast.dump(ast.parse(original))
