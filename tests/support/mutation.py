"""Mutation testing: faults planted at random lines, and whether the unit tests see them.

A mutant is the package with one expression or statement changed, as a slip of the pen changes it: a
comparison turned or moved by one, a sign, a condition negated, a number one more, a statement left
out. The tests of the mutant's own room run first, then all other unit tests; a mutant is killed
where a test fails, or hangs. Goal: 90 % killed. The same seed plants the same faults.

    python -m tests.support.mutation                      60 mutants
    python -m tests.support.mutation --number 5 --seed 3
    python -m tests.support.mutation --skip 20          60 but for the first 20
    python -m tests.support.mutation --only compare/verdict.py:120:3    one again, by its name
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.places import ROOT

PACKAGE = ROOT / "src" / "leadline"
UNIT = ROOT / "tests" / "unit"
ROOMS = ("measure", "compare", "store", "kernels")
NUMBER = 60
GOAL = 0.9
LONGEST_S = 900.0
"""Of the unit tests, beside whatever else runs; who takes longer hangs."""

_TURNED: dict[type[ast.AST], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OTHER: dict[type[ast.AST], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of a file."""

    file: str
    """Below the package."""
    line: int
    number: int
    """Among those of the line."""
    what: str
    """E.g. "a < b -> a <= b"."""
    source: str
    """The whole file with the change."""

    @property
    def name(self) -> str:
        """By which it is made again."""
        return f"{self.file}:{self.line}:{self.number}"


def mutations_at(file: str, source: str, line: int) -> list[Mutation]:
    """All that can be changed in a line of `source`."""
    found: list[Mutation] = []
    for place, node in enumerate(ast.walk(ast.parse(source))):
        for before, after in _changes(node) if getattr(node, "lineno", 0) == line else ():
            changed = ast.unparse(_replaced(ast.parse(source), place, after))
            what = f"{before.splitlines()[0]} -> {_said(after).splitlines()[0]}"
            found.append(Mutation(file, line, len(found), what, changed))
    return found


def _said(node: ast.AST) -> str:
    return "(left out)" if isinstance(node, ast.Pass) else ast.unparse(node)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What stands there, and what may stand there instead."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _TURNED:
            yield ast.unparse(node), ast.Compare(node.left, [_TURNED[type(op)]()], node.comparators)
        case ast.BinOp(op=op) if type(op) in _OTHER and not _is_text(node):
            yield ast.unparse(node), ast.BinOp(node.left, _OTHER[type(op)](), node.right)
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield ast.unparse(node), ast.BoolOp(other, node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield ast.unparse(node), node.operand
        case ast.IfExp():
            yield ast.unparse(node), ast.IfExp(_negated(node.test), node.body, node.orelse)
        case ast.Constant(value=bool(value)):
            yield ast.unparse(node), ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.unparse(node), ast.Constant(value + 1)
        case ast.If(test=test) if ast.unparse(test) != "TYPE_CHECKING":  # which never runs
            yield (
                f"if {ast.unparse(node.test)}",
                ast.If(_negated(node.test), node.body, node.orelse),
            )
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.unparse(node), ast.Pass()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.unparse(node), ast.Return(ast.Constant(None))


def _is_text(node: ast.BinOp) -> bool:
    """Whether it is a type, or text that is formatted or joined."""
    sides = (node.left, node.right)
    texts = any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | None))
        for side in sides
    )
    return texts or isinstance(node.op, ast.BitOr | ast.BitAnd)


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _replaced(tree: ast.Module, place: int, after: ast.AST) -> ast.Module:
    """`tree` with `after` at this `place` of the walk."""
    before = list(ast.walk(tree))[place]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return after if node is before else self.generic_visit(node)

    changed = Change().visit(tree)
    assert isinstance(changed, ast.Module)
    return ast.fix_missing_locations(changed)


def planted(seed: int, number: int) -> list[Mutation]:
    """So many mutations of ROOMS, each of another line, drawn of all lines that have any."""
    sources = {
        str(path.relative_to(PACKAGE)): path.read_text()
        for room in ROOMS
        for path in sorted((PACKAGE / room).rglob("*.py"))
    }
    lines = [(file, line) for file, text in sources.items() for line in changeable_lines(text)]
    drawn = random.Random(seed)
    return [
        drawn.choice(mutations_at(file, sources[file], line))
        for file, line in drawn.sample(lines, number)
    ]


def changeable_lines(source: str) -> list[int]:
    """The lines with anything to change, in their order.

    Decorators have none: whether a class has slots is nothing that a test could see.
    """
    tree = ast.parse(source)
    decorators = {
        getattr(inner, "lineno", 0)
        for node in ast.walk(tree)
        for decorator in getattr(node, "decorator_list", ())
        for inner in ast.walk(decorator)
    }
    lines = {
        getattr(node, "lineno", 0) for node in ast.walk(tree) if any(True for _ in _changes(node))
    }
    return sorted(lines - decorators - {0})


def killer_of(mutation: Mutation) -> str:
    """The test that sees it; empty: none does."""
    with tempfile.TemporaryDirectory(prefix="leadline-mutant-") as folder:
        source = checkout(Path(folder), mutation)
        room = UNIT / mutation.file.split("/")[0]
        first = [str(room)] if room.exists() else []
        for words in ([*first], [str(UNIT), *(f"--ignore={one}" for one in first)]):
            if words and (seen := _failure(words, str(source))):
                return seen
    return ""


def checkout(folder: Path, mutation: Mutation) -> Path:
    """Makes the mutant in `folder`, where tests find all else that lies beside the package.

    The folder that is to be on Python's path.
    """
    for path in ROOT.iterdir():
        if path.name != "src":
            (folder / path.name).symlink_to(path)
    package = folder / "src" / PACKAGE.name
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / mutation.file).write_text(mutation.source)
    return package.parent


def unchanged(file: str) -> Mutation:
    """No mutation: a file as it is written again, in which no test must see anything."""
    return Mutation(file, 0, 0, "nothing", ast.unparse(ast.parse((PACKAGE / file).read_text())))


def _failure(words: list[str], path: str) -> str:
    """The first test of `words` that fails over the package in `path`; empty: none."""
    command = [
        sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", "-p", "no:cacheprovider",
        "--no-header", *words,
    ]  # fmt: skip
    around = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=around, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as tests:  # fmt: skip
        try:
            output, _ = tests.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            os.killpg(tests.pid, 9)
            return "hangs"
    if tests.returncode in (0, 5):
        return ""
    failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else output.strip().splitlines()[-1][:100]


def main() -> None:
    """Prints each mutant as it is tried, then how many were killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=NUMBER)
    parser.add_argument("--skip", type=int, default=0, help="leave out so many of them")
    parser.add_argument("--only", metavar="FILE:LINE:NUMBER")
    arguments = parser.parse_args()
    if arguments.only:
        file = arguments.only.split(":")[0]
        line = int(arguments.only.split(":")[1])
        there = mutations_at(file, (PACKAGE / file).read_text(), line)
        (mutation,) = (one for one in there if one.name == arguments.only)
        print(mutation.what, "killed by", killer_of(mutation) or "nobody")
        return
    chosen = planted(arguments.seed, arguments.number)[arguments.skip :]
    if seen := killer_of(unchanged(chosen[0].file)):
        parser.exit(1, f"a test fails where nothing is planted: {seen}\n")
    killed = 0
    for mutation in chosen:
        killer = killer_of(mutation)
        killed += bool(killer)
        fate = f"killed   by {killer}" if killer else "SURVIVED"
        print(f"{mutation.name} {mutation.what}: {fate}", flush=True)
    print(f"{killed} of {len(chosen)} killed; goal {GOAL:.0%}")


if __name__ == "__main__":
    main()
