"""Doors: a package's docstring says what others may use, who they are, and what it isn't told.

Public:
    module: names, more names
        and yet more names
    here: names of the package itself

For: rooms.
Never: what it must not know.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from harness.places import ROOT

import leadline

PACKAGE = Path(leadline.__file__).parent
MEASUREMENTS = (ROOT / "bench", ROOT / "validation")
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
_ENTRY = re.compile(r"^    (\S+): ((?:.|\n {8})+)$", re.MULTILINE)
_FOR = re.compile(r"^For: ((?:.|\n(?!Never))+)\.$", re.MULTILINE)
_NEVER = re.compile(r"^Never: \S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Door:
    """What a room's docstring says."""

    names: frozenset[tuple[str, str]]
    """(module, name); the module "" is the package itself."""
    guests: frozenset[str]
    """Rooms that may come in."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One name that a file takes from another room."""

    guest: str
    """The room; "bench" for validation as well."""
    room: str
    module: str
    name: str


def door_in(docstring: str) -> Door:
    """The door that `docstring` describes; ValueError where it isn't one."""
    guests = _FOR.search(docstring)
    if guests is None or not _NEVER.search(docstring):
        raise ValueError("no lines For: and Never:")
    names = frozenset(
        ("" if module == "here" else module, name)
        for module, listed in _ENTRY.findall(docstring)
        for name in re.split(r",\s+", listed)
    )
    return Door(names, frozenset(re.split(r",\s+", guests[1])) - {"no room"})


def door_of(room: str) -> Door:
    """The door of `room`."""
    tree = ast.parse((PACKAGE / room / "__init__.py").read_text())
    return door_in(ast.get_docstring(tree, clean=False) or "")


def visits_in(path: Path, guest: str) -> Iterator[Visit]:
    """Every name that the file at `path` takes from a room."""
    tree = ast.parse(path.read_text())
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("leadline"):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if is_module(full):
                    modules[alias.asname or alias.name] = full
                else:
                    yield from _visit(guest, str(node.module), alias.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from _visit(guest, modules.get(node.value.id, ""), node.attr)


def _visit(guest: str, module: str, name: str) -> Iterator[Visit]:
    room, _, inner = module.removeprefix("leadline").lstrip(".").partition(".")
    if room in ROOMS and room != guest:
        yield Visit(guest, room, inner, name)


def is_module(full: str) -> bool:
    """Whether "leadline.a.b" is a module or a package."""
    path = PACKAGE.parent / full.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def guest_of(path: Path) -> str:
    """The room that a file of the package lies in."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def visits() -> tuple[Visit, ...]:
    """Of all rooms, of the benchmarks and of validation."""
    files = [(path, guest_of(path)) for path in PACKAGE.rglob("*.py")]
    for folder in MEASUREMENTS:
        tests = folder / "tests"
        files += [(path, "bench") for path in folder.rglob("*.py") if tests not in path.parents]
    return tuple(visit for path, guest in files for visit in visits_in(path, guest))


def reaching_past(seen: Sequence[Visit], doors: dict[str, Door]) -> list[Visit]:
    """Those of `seen` that a door doesn't let in."""
    return [
        visit
        for visit in seen
        if (visit.module, visit.name) not in doors[visit.room].names
        or visit.guest not in doors[visit.room].guests | {"bench"}
    ]


def test_nobody_reaches_past_a_door() -> None:
    assert reaching_past(visits(), {room: door_of(room) for room in ROOMS}) == []


@pytest.mark.parametrize("room", ROOMS)
def test_door_lists_what_is_there_and_who_comes(room: str) -> None:
    door = door_of(room)
    for module, name in door.names:
        assert hasattr(importlib.import_module(f"leadline.{room}.{module}".rstrip(".")), name)
    used = [visit for visit in visits() if visit.room == room]
    assert door.names == {(visit.module, visit.name) for visit in used}
    assert door.guests == {visit.guest for visit in used} - {"bench"}


def test_a_name_that_no_door_lists_is_found(tmp_path: Path) -> None:
    doors = {"store": door_in("Fact.\n\nPublic:\n    here: load\n\nFor: cli.\nNever: x.\n")}
    path = tmp_path / "guest.py"
    path.write_text("from leadline.store import load\nfrom leadline.store.durable import append\n")
    (past,) = reaching_past(list(visits_in(path, "cli")), doors)
    assert (past.module, past.name) == ("durable", "append")


def test_a_name_behind_its_module_is_found(tmp_path: Path) -> None:
    path = tmp_path / "guest.py"
    path.write_text("from leadline.store import durable as d\nd.append(1)\n")
    assert Visit("cli", "store", "durable", "append") in list(visits_in(path, "cli"))


def test_a_guest_that_a_door_does_not_name_is_found() -> None:
    doors = {"store": door_in("Fact.\n\nPublic:\n    here: load\n\nFor: cli.\nNever: x.\n")}
    assert reaching_past([Visit("report", "store", "", "load")], doors)
    assert not reaching_past([Visit("bench", "store", "", "load")], doors)


def test_docstring_without_a_door_is_refused() -> None:
    with pytest.raises(ValueError, match="For"):
        door_in("Just words.")
