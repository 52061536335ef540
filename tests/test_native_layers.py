"""The walls between the rooms of the C sources, checked over #includes and declarations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from leadline.build import MAPPING_SOURCES, SOURCES, common_sources

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
LOOP = re.compile(r"^const struct pattern pattern_", re.MULTILINE)
PATTERN_TYPE = {"patterns/pattern.h"}
MAY_INCLUDE = {
    "transport": {"transport/"},
    "patterns": {"patterns/", "transport/", "channel/clock.h", "engine/prepare/forms.h"},
    "channel": {"channel/"},
    "engine": {"engine/", "channel/", "patterns/pattern.h", "patterns/table.h", "transport/"},
    "fallback": {"fallback/", "transport/"},
    "main.c": {"engine/", "channel/", "patterns/table.h", "transport/"},
}
"""Room -> beginnings of what its files include; a kind's backend has itself and `matching`."""


def sources(folder: Path) -> list[Path]:
    return sorted([*folder.rglob("*.c"), *folder.rglob("*.h")])


def includes_of(path: Path) -> set[str]:
    return set(INCLUDE.findall(path.read_text()))


def loops() -> list[Path]:
    """The files that define patterns."""
    return [path for path in (SOURCES / "patterns").glob("*.c") if LOOP.search(path.read_text())]


def allowed_in(room: str, path: Path) -> set[str]:
    if room != "backends":
        return MAY_INCLUDE[room]
    return {"transport/", "backends/matching/", f"backends/{kind_of(path)}/"}


def kind_of(path: Path) -> str:
    return path.relative_to(SOURCES / "backends").parts[0].removesuffix(".c")


@pytest.mark.parametrize("folder", [SOURCES], ids=lambda p: p.name)
def test_every_include_is_written_from_the_root_and_there(folder: Path) -> None:
    for path in sources(folder):
        assert [name for name in includes_of(path) if not (folder / name).exists()] == [], path


def test_rooms_include_only_what_they_may_know() -> None:
    for path in sources(SOURCES):
        room = path.relative_to(SOURCES).parts[0]
        allowed = tuple(allowed_in(room, path))
        assert [name for name in includes_of(path) if not name.startswith(allowed)] == [], path


def test_pattern_includes_only_the_pattern_type() -> None:
    assert len(loops()) >= 17
    for path in loops():
        assert includes_of(path) <= PATTERN_TYPE, path


def test_only_a_backend_names_a_library() -> None:
    for path in sources(SOURCES):
        if "backends" not in path.parts:
            assert not re.search(r"#include <(mpi|shmem|pvm3)\.h>", path.read_text()), path


def test_objects_of_a_kernel_have_names_of_their_own() -> None:
    names = [(path.parent.name, path.stem) for path in common_sources()]
    assert len(set(names)) == len(names)


def test_mapping_library_knows_no_message_passing() -> None:
    for path in sources(MAPPING_SOURCES):
        assert "mpi.h" not in path.read_text(), path


@pytest.mark.parametrize("pattern", loops(), ids=lambda p: p.stem)
def test_loop_fits_one_screen(pattern: Path) -> None:
    for body in re.findall(r"^\{\n(.*?)^\}", pattern.read_text(), re.MULTILINE | re.DOTALL):
        assert body.count("\n") <= 40
