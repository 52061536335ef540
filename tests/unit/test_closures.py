"""What is imported along with a module: the commands' parsers stay light, so that help is quick.

Computed from the sources, as no test starts a process here: imports at the top of each module.
Those within functions are left out: they run when they are needed.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import leadline

PACKAGE = Path(leadline.__file__).parent
COMMANDS = sorted(
    f"leadline.cli.commands.{path.stem}" for path in (PACKAGE / "cli" / "commands").glob("[!_]*.py")
)
HEAVY = {"numpy", "scipy", "matplotlib", "duckdb", "rich", "orjson", "simgrid"}
"""Packages of others that take longer to import than `leadline --help` may take."""


def path_of(module: str) -> Path | None:
    """The source of a module of the package; None where it is none."""
    path = PACKAGE.parent / module.replace(".", "/")
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((one for one in candidates if one.exists()), None)


def imported_at_once(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Names of modules that statements import when they are first run, of members perhaps."""
    for node in body:
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                yield module
                yield from (f"{module}.{alias.name}" for alias in node.names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from imported_at_once(node.orelse)
            case ast.If() | ast.Try() | ast.With() | ast.ClassDef():
                parts = ("body", "orelse", "finalbody")
                for part in parts:
                    yield from imported_at_once(getattr(node, part, ()))


@functools.cache
def imports(module: str) -> frozenset[str]:
    """All that a module of the package imports at once, the packages that hold it among it."""
    path = path_of(module)
    if path is None:
        return frozenset()
    parts = module.split(".")
    holders = {".".join(parts[:length]) for length in range(1, len(parts))}
    return frozenset({*holders, *imported_at_once(ast.parse(path.read_text()).body)})


def closure(module: str) -> set[str]:
    """All modules that importing `module` imports, by full name, those of others by their package.

    Names of members of modules, which can't be told from modules of others, are left out.
    """
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name.startswith("leadline"):
            waiting += imports(name)
    ours = {name for name in seen if name.startswith("leadline") and path_of(name)}
    return ours | {name.split(".")[0] for name in seen if not name.startswith("leadline")}


@pytest.mark.parametrize("command", ["leadline.__main__", *COMMANDS])
def test_a_parser_imports_nothing_heavy(command: str) -> None:
    assert closure(command) & HEAVY == set()


def test_heavy_imports_are_seen_through_others() -> None:
    assert "numpy" in closure("leadline.compare.analysis")
    assert "leadline.record.run" in closure("leadline.compare.analysis")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import numpy", {"numpy"}),
        ("from leadline import mapping", {"leadline", "leadline.mapping"}),
        ("try:\n    import numpy\nexcept ImportError:\n    pass", {"numpy"}),
        ("def f():\n    import numpy", set()),
        ("if TYPE_CHECKING:\n    import numpy", set()),
        ("class A:\n    import numpy", {"numpy"}),
    ],
)
def test_imports_within_functions_and_for_types_alone_come_later(
    source: str, names: set[str]
) -> None:
    assert set(imported_at_once(ast.parse(source).body)) == names
