"""The walls between the rooms of the C sources, checked over #includes and declarations."""

from __future__ import annotations

import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from leadline import native
from leadline.kernels.build import SOURCES, common_sources
from leadline.mapping.library import SOURCES as MAPPING_SOURCES
from leadline.mapping.preload.build import SOURCES as PRELOAD_SOURCES
from leadline.simulate.flow import SOURCES as FLOW_SOURCES

SWITCH_SOURCES = native.FOLDER / "switch"
FOLDERS = [SOURCES, MAPPING_SOURCES, FLOW_SOURCES, SWITCH_SOURCES, PRELOAD_SOURCES]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
DECLARED = re.compile(r"^(?!static|typedef|struct \w+ \{)\w[\w ]*?[ *](\w+)\([^;{]*\)[^;{]*;", re.M)
OWN_TAGS = 32_000
"""From here on tags are those of the tool's own messages, beside those of patterns."""
LOOP = re.compile(r"^const struct pattern pattern_", re.MULTILINE)
PATTERN_TYPE = {"patterns/pattern.h", "patterns/echo.h", "patterns/schedule.h"}
MAY_INCLUDE = {
    "transport": {"transport/"},
    "patterns": {"patterns/", "transport/", "channel/clock.h"},
    "applications": {"patterns/pattern.h"},
    "channel": {"channel/", "transport/simulation.h"},
    "relay": {"relay/", "channel/"},
    "engine": {"engine/", "channel/", "patterns/pattern.h", "patterns/table.h", "transport/"},
    "fallback": {"fallback/", "transport/"},
    "describe.h": set(),
    "describe.c": {"describe.h", "channel/", "patterns/table.h"},
    "main.c": {"describe.h", "engine/", "channel/", "relay/", "transport/"},
}
"""Room -> beginnings of what its files include; kinds have themselves, `matching` and `queue`, an
application has itself."""
MAPPING_FLOORS = ("mapping.h", "problem/", "score/", "search/", "methods/")
"""From the lowest up: a file includes what is on its own floor and below."""
CONTRACTS = ("transport", "backends/matching/wire.h", "mapping.h", "methods/methods.h", "flow.h")
"""Headers whose functions are defined in many places."""
INPUT_AND_OUTPUT = re.compile(r"\b(?:read|write|open|socket|ioctl|clock_gettime|clock_now_ns)\(")


def sources(folder: Path) -> list[Path]:
    return sorted([*folder.rglob("*.c"), *folder.rglob("*.h")])


def includes_of(path: Path) -> set[str]:
    return set(INCLUDE.findall(path.read_text()))


def loops() -> list[Path]:
    """The files that define patterns."""
    return [path for path in (SOURCES / "patterns").glob("*.c") if LOOP.search(path.read_text())]


def units(folder: Path) -> dict[str, set[str]]:
    """A header and what implements it, without their suffix -> the others that they include."""
    graph: dict[str, set[str]] = {}
    for path in sources(folder):
        unit = str(path.relative_to(folder).with_suffix(""))
        found = {str(Path(name).with_suffix("")) for name in includes_of(path)}
        graph.setdefault(unit, set()).update(found - {unit})
    return graph


def allowed_in(room: str, path: Path) -> set[str]:
    if room == "applications":
        return MAY_INCLUDE[room] | {f"applications/{path.parent.name}/"}
    if room != "backends":
        return MAY_INCLUDE[room]
    return {"transport/", "backends/matching/", "backends/queue/", f"backends/{kind_of(path)}/"}


def kind_of(path: Path) -> str:
    return path.relative_to(SOURCES / "backends").parts[0].removesuffix(".c")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_every_include_is_written_from_the_root_and_there(folder: Path) -> None:
    lent = {"mapping.h"} if folder == PRELOAD_SOURCES else set()
    for path in sources(folder):
        wanted = includes_of(path) - lent
        assert [name for name in wanted if not (folder / name).exists()] == [], path


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


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_no_two_files_need_each_other(folder: Path) -> None:
    assert list(TopologicalSorter(units(folder)).static_order())  # CycleError names them


def test_a_circle_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "mesh.h").write_text("")
    (tmp_path / "mesh.c").write_text('#include "mesh.h"\n#include "sockets.h"\n')
    (tmp_path / "sockets.h").write_text("")
    (tmp_path / "sockets.c").write_text('#include "mesh.h"\n')
    with pytest.raises(CycleError):
        list(TopologicalSorter(units(tmp_path)).static_order())


def undefined_beside(header: Path) -> set[str]:
    """Functions that `header` declares and the file of its name doesn't define."""
    file = header.with_suffix(".c")
    text = file.read_text() if file.exists() else ""
    declared = set(DECLARED.findall(header.read_text()))
    return {name for name in declared if not re.search(rf"^\w.*\b{name}\(", text, re.MULTILINE)}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_what_a_header_declares_the_file_of_its_name_defines(folder: Path) -> None:
    for header in folder.rglob("*.h"):
        if not str(header.relative_to(folder)).startswith(CONTRACTS):
            assert undefined_beside(header) == set(), header


def test_a_function_defined_elsewhere_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "mesh.h").write_text("void mesh_join(int rank);\nint *tcp_fail(\n    int why);\n")
    (tmp_path / "mesh.c").write_text("void mesh_join(int rank)\n{\n    tcp_fail(rank);\n}\n")
    assert undefined_beside(tmp_path / "mesh.h") == {"tcp_fail"}


def test_objects_of_a_kernel_have_names_of_their_own() -> None:
    names = [(path.parent.name, path.stem) for path in common_sources()]
    assert len(set(names)) == len(names)


def test_mapping_includes_downwards_and_knows_no_message_passing() -> None:
    for path in sources(MAPPING_SOURCES):
        name = str(path.relative_to(MAPPING_SOURCES))
        (floor,) = [i for i, room in enumerate(MAPPING_FLOORS) if name.startswith(room)]
        below = MAPPING_FLOORS[: floor + 1]
        assert [other for other in includes_of(path) if not other.startswith(below)] == [], path
        assert "mpi.h" not in path.read_text(), path


def test_what_programs_call_when_preloaded_knows_no_handle_of_a_library() -> None:
    for path in sources(PRELOAD_SOURCES):
        if path.parent.name == "interposed" and path.stem != "compiled_for":
            assert "<mpi.h>" not in path.read_text(), path


def test_what_is_preloaded_decides_without_message_passing() -> None:
    for unit in ("settings", "description", "decision"):
        for path in (PRELOAD_SOURCES / "core").glob(f"{unit}.*"):
            assert not re.search(r"\bP?MPI_\w+\(|mpi\.h", path.read_text()), path


def test_flow_knows_no_message_passing() -> None:
    for path in sources(FLOW_SOURCES):
        assert "mpi.h" not in path.read_text(), path


def test_when_frames_are_due_is_computed_without_clock_or_device() -> None:
    units = ("frame", "history", "line", "medium", "pace", "stations")
    known = {f"{unit}.h" for unit in units} | {"clock.h"}
    for path in (SWITCH_SOURCES / f"{unit}.c" for unit in units):
        assert includes_of(path) <= known, path
        assert not INPUT_AND_OUTPUT.search(path.read_text()), path


def tags_in(text: str) -> list[int]:
    """The tags of the tool's own messages that the enumerations in `text` have."""
    found = []
    for body in re.findall(
        r"^enum \{(.*?)\}", re.sub(r"/\*.*?\*/", "", text, flags=re.S), re.M | re.S
    ):
        value = -1
        for name, given in re.findall(r"(\w+)(?: = (\d+))?,?\s", f"{body} "):
            value = int(given) if given else value + 1
            if name.startswith("TAG") and value >= OWN_TAGS:
                found.append(value)
    return found


def test_tags_are_read_as_the_compiler_counts_them() -> None:
    assert tags_in("enum { TAG = 32741 /* own */, LATE = 7 };") == [32741]
    assert tags_in("enum {\n    TAG_ONE = 32732,\n    TAG_NEXT,\n};\n") == [32732, 32733]
    assert tags_in("enum { TAG = 12 };") == []


def test_no_two_kinds_of_messages_have_one_tag() -> None:
    tags = [tag for path in sources(SOURCES) for tag in tags_in(path.read_text())]
    assert {tags_in((SOURCES / "engine" / "sync.h").read_text())[-1]} <= set(tags)
    assert [tag for tag, times in Counter(tags).items() if times > 1] == []


@pytest.mark.parametrize("pattern", loops(), ids=lambda p: p.stem)
def test_loop_fits_one_screen(pattern: Path) -> None:
    for body in re.findall(r"^\{\n(.*?)^\}", pattern.read_text(), re.MULTILINE | re.DOTALL):
        assert body.count("\n") <= 40
