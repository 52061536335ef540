"""The walls between the rooms, checked over imports; test_native_layers.py has those in C."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import dataclasses
import enum
import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from harness.places import ROOT, SIMULATING

import leadline
from leadline.backends.kinds import KINDS

PACKAGE = Path(leadline.__file__).parent

FLOORS = (
    ("errors", "units", "files", "processes"),
    ("native", "record", "statistics", "topology"),
    ("hosts", "mapping", "patterns", "store"),
    ("backends",),
    ("kernels", "compare"),
    ("measure", "models", "query"),
    ("scripted", "simulate"),
    ("papers", "health"),
    ("report",),
    ("cli",),
    ("__main__",),
)
"""Rooms from the ground up: one imports from the floors below its own."""
PURE = (
    "errors", "units", "record", "statistics", "topology", "hosts.placement", "hosts.cores",
    "hosts.emulated.link", "hosts.emulated.impairment",
    "hosts.schedulers",
    "backends.backend", "backends.kinds", "backends.launchers", "backends.recognition",
    "mapping.preload.description",
    "patterns", "kernels.description", "kernels.placements", "compare",
    "models", "query.tables", "measure.spec", "measure.cells",
    "measure.budget",
    "measure.plan", "measure.schedule", "measure.prepared", "measure.resumption",
    "health",
)  # fmt: skip
"""Rooms, and modules of others, that touch no file, clock or process."""
IMPURE_MODULES = {
    "subprocess", "socket", "os", "shutil", "time", "tempfile", "random", "secrets", "select",
    "selectors", "signal", "threading", "datetime", "fcntl", "pathlib",
}  # fmt: skip
PROCESS_STARTERS = {"native", "hosts", "backends", "kernels", "measure", "scripted", "simulate"}
WALLS: Mapping[str, frozenset[str]] = {
    "tests": frozenset({"bench", "validation", "fuzz"}),
    "bench": frozenset({"tests", "validation", "fuzz"}),
    "validation": frozenset({"tests", "fuzz"}),
    "fuzz": frozenset({"tests", "bench", "validation"}),
    "harness": frozenset({"tests", "bench", "validation", "fuzz"}),
    "src": frozenset({"tests", "bench", "validation", "harness", "fuzz"}),
}
"""Folder -> packages that nothing in it imports."""
TYPE_NAME = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
"""Constants have none but capitals."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def imports_of(path: Path) -> frozenset[str]:
    """Full names of all modules that `path` imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {
                f"leadline.{alias.name}" for alias in node.names if node.module == "leadline"
            }
    return frozenset(found)


def rooms_imported(path: Path) -> set[str]:
    names = {n.split(".")[1] for n in imports_of(path) if n.startswith("leadline.")}
    return names - {"__version__"}


def belongs(module: str, room: str) -> bool:
    """Whether `module` is `room` or lies below it."""
    return module == room or module.startswith(f"{room}.")


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_two_modules_import_each_other_not_even_for_their_types() -> None:
    imported = {name_of(path): imports_of(path) for path in modules()}
    graph = {name: found & imported.keys() - {name} for name, found in imported.items()}
    assert list(TopologicalSorter(graph).static_order())  # CycleError names them


def test_a_room_imports_only_from_floors_below() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    for path in modules():
        room = room_of(path)
        if room == "__init__":
            continue
        for other in rooms_imported(path) - {room}:
            same_ground = floor[room] == floor[other] == 0
            assert floor[other] < floor[room] or same_ground, f"{path} imports {other}"


def test_at_most_five_modules_lie_outside_of_rooms() -> None:
    assert len([path for path in PACKAGE.glob("*.py") if path.stem != "__init__"]) <= 5


@pytest.mark.parametrize("pure", PURE)
def test_pure_modules_touch_no_file_clock_or_process(pure: str) -> None:
    mine = [path for path in modules() if belongs(name_of(path), f"leadline.{pure}")]
    assert mine, f"{pure} is gone: mend the list"
    for path in mine:
        names = imports_of(path)
        assert not {name.split(".")[0] for name in names} & IMPURE_MODULES, path
        own = {name.removeprefix("leadline.") for name in names if name.startswith("leadline.")}
        assert all(any(belongs(name, room) for room in PURE) for name in own), path


def tables_by_kind(text: str, lists_too: bool = True) -> Iterator[str]:
    """Tables of several kinds of libraries: keys of a dict, elements of a list, tuple or set."""
    for node in ast.walk(ast.parse(text)):
        members: Sequence[ast.expr | None] = ()
        if isinstance(node, ast.Dict):
            members = node.keys
        elif isinstance(node, ast.Tuple | ast.List | ast.Set) and lists_too:
            members = node.elts
        named = {member.value for member in members if isinstance(member, ast.Constant)}
        if len(named & KINDS.keys()) > 1:
            yield ast.unparse(node)


def test_what_is_known_of_a_library_stands_in_its_kind_alone() -> None:
    for path in modules():
        if not belongs(name_of(path), "leadline.backends.kinds"):
            # a study names the libraries that its paper compares
            of_papers = room_of(path) == "papers"
            found = tables_by_kind(path.read_text(), lists_too=not of_papers)
            assert not list(found), path


@pytest.mark.parametrize(
    "planted",
    [
        "STARTUP_S = {'mpich': 0.1, 'openmpi': 1.2}",
        "RAW = ('shm', 'tcp')",
        "local = kind in {'shm', 'pvm'}",
    ],
)
def test_planted_table_by_kind_is_found(planted: str) -> None:
    (found,) = tables_by_kind(planted)
    assert planted.endswith(found)


def crossings(root: Path) -> list[str]:
    """Where Python code below `root` imports from beyond a wall of WALLS."""
    found = []
    for folder, beyond in WALLS.items():
        for path in sorted((root / folder).rglob("*.py")):
            place = str(path.relative_to(root))
            tops = {name.split(".")[0] for name in imports_of(path)}
            found += [f"{place}: {top}" for top in sorted(tops & beyond)]
    return found


def test_tests_and_benchmarks_import_nothing_of_each_other() -> None:
    assert crossings(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line", "beyond"),
    [
        ("tests/unit/store/test_lines.py", "from validation.rates import Row", "validation"),
        ("tests/support/plans.py", "def f():\n    import bench.cost", "bench"),
        ("validation/truth/__init__.py", "from tests.support import plans", "tests"),
        ("bench/tests/test_trace.py", "import tests.support.plans", "tests"),
        ("harness/blocks.py", "from bench import cost", "bench"),
        ("bench/cost.py", "from validation import truth", "validation"),
        ("fuzz/test_maps.py", "from tests.support import plans", "tests"),
        ("src/leadline/units.py", "import harness", "harness"),
    ],
)
def test_planted_import_from_beyond_a_wall_is_found(
    file: str, line: str, beyond: str, tmp_path: Path
) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(line + "\n")
    assert crossings(tmp_path) == [f"{file}: {beyond}"]


def test_mapping_is_pure_but_for_building_its_library_and_timing_itself() -> None:
    for path in (path for path in modules() if room_of(path) == "mapping"):
        top = {name.split(".")[0] for name in imports_of(path)}
        allowed = {"time", "pathlib"} if path.stem == "build" else {"time"}
        assert top & IMPURE_MODULES <= allowed, path


def test_simulate_is_pure_but_for_what_it_builds_and_files_of_machines() -> None:
    files = {"pathlib"}
    allowed = {
        "machine_files": files, "platform": files, "launch": files, "running": files,
        "simgrid": {*files, "os", "shutil"},
    }  # fmt: skip
    for path in (path for path in modules() if room_of(path) == "simulate"):
        top = {name.split(".")[0] for name in imports_of(path)}
        assert top & IMPURE_MODULES <= allowed.get(path.stem, set()), path


def test_papers_touch_no_file_clock_or_process_and_studies_of_them_import_none_that_do() -> None:
    pure = (*PURE, *(name for path in modules() if (name := study_of_a_paper(path))))
    for path in (path for path in modules() if room_of(path) == "papers"):
        names = imports_of(path)
        assert not {name.split(".")[0] for name in names} & IMPURE_MODULES, path
        own = {name.removeprefix("leadline.") for name in names if name.startswith("leadline.")}
        if study_of_a_paper(path):
            assert all(name in pure or any(belongs(name, room) for room in PURE) for name in own)


def study_of_a_paper(path: Path) -> str:
    """Its name in the package, "papers.cray_mpt.study"; "" for what simulates, and other rooms."""
    name = name_of(path).removeprefix("leadline.")
    return name if room_of(path) == "papers" and path.stem not in SIMULATING else ""


def test_processes_are_started_in_one_place_for_those_that_may() -> None:
    starters = {room_of(path) for path in modules() if "subprocess" in imports_of(path)}
    assert starters == {"processes"}
    users = {room_of(path) for path in modules() if "processes" in rooms_imported(path)}
    assert users <= PROCESS_STARTERS


def test_report_formats_and_never_computes() -> None:
    for path in modules():
        if room_of(path) == "report":
            names = imports_of(path)
            assert not {n.split(".")[0] for n in names} & {"numpy", "scipy", "statistics"}, path
            assert not any(belongs(name, "leadline.store") for name in names), path
            arithmetic = {name for name in names if belongs(name, "leadline.statistics")}
            assert arithmetic <= {"leadline.statistics.estimate"}, path


def test_only_the_command_line_exits_or_imports_everything() -> None:
    for path in modules():
        if room_of(path) not in ("cli", "__main__"):
            assert "sys.exit" not in path.read_text(), path
            assert "cli" not in rooms_imported(path), path


def test_only_store_and_query_import_the_database() -> None:
    users = {room_of(path) for path in modules() if "duckdb" in imports_of(path)}
    assert users <= {"store", "query"}


# -- names -----------------------------------------------------------------------------------------

STANDARD_NAMES = {
    name for module in (builtins, collections.abc, dataclasses, enum) for name in dir(module)
}


def types_in(source: str) -> set[str]:
    """The public classes and aliases of types that a module defines for others."""
    found = set()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found |= {name} if TYPE_NAME.fullmatch(name) else set()
    return {name for name in found if not name.startswith("_")}


def clashes(modules: Mapping[str, set[str]]) -> set[str]:
    """Names that more than one of the modules defines."""
    counted = Counter(name for names in modules.values() for name in names)
    return {name for name, number in counted.items() if number > 1}


def test_no_two_public_types_have_one_name() -> None:
    assert clashes({name_of(path): types_in(path.read_text()) for path in modules()}) == set()


def test_no_public_type_is_called_like_a_standard_one() -> None:
    for path in modules():
        assert not types_in(path.read_text()) & STANDARD_NAMES, path


def test_a_clash_of_names_is_found() -> None:
    first, second = "class Cell:\n    ...", "Cell: TypeAlias = int\nCELLS = ()\n_Own = int"
    assert types_in(second) == {"Cell"}
    assert clashes({"one": types_in(first), "other": types_in(second)}) == {"Cell"}
