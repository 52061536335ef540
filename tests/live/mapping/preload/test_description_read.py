"""The preload library reads what describes a machine, and says where a description is wrong."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from harness.kernels import NATIVE
from syrupy.assertion import SnapshotAssertion

from leadline.mapping.library import SOURCES as MAPPING_SOURCES
from leadline.mapping.preload.build import SOURCES
from leadline.mapping.preload.description import describe
from leadline.native.compiler import C_FLAGS, c_compiler
from leadline.topology.allocation import Allocation
from leadline.topology.networks import Torus

SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
TORUS = "leadline-machine 1;torus 2x4 periodic 0,1;"
TREE = "leadline-machine 1;tree 2;vertex 0 0;vertex 1 0;"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("described") / "described"
    sources = [NATIVE / "described.c", SOURCES / "core" / "description.c", SOURCES / "saying.c"]
    folders = [f"-I{SOURCES}", f"-I{MAPPING_SOURCES}"]
    command = [c_compiler(), *C_FLAGS, *SANITIZED, *folders, *map(str, sources)]
    subprocess.run([*command, "-o", str(program)], check=True)
    return program


def read(reader: Path, description: str, *wanted: str) -> tuple[int, list[int], str]:
    done = subprocess.run(
        [str(reader), description, *wanted], capture_output=True, text=True, check=False
    )
    return done.returncode, [int(line) for line in done.stdout.splitlines()], done.stderr


def test_hosts_and_cores_have_their_vertices(reader: Path) -> None:
    text = f"{TORUS}host b 7;core a 2 5;core a 0 4;\n\n"
    assert read(reader, text, "b/0", "b/99", "a/0", "a/2") == (0, [7, 7, 4, 5], "")
    assert read(reader, text, "a/1", "c/0", "/0") == (0, [-1, -1, -1], "")
    assert read(reader, f"{TREE}host a 1", "a/0") == (0, [1], "")


def test_host_is_known_by_what_comes_before_its_first_dot(reader: Path) -> None:
    text = f"{TORUS}host b 7;host b.far.example 6"
    assert read(reader, text, "b.near.example/0", "b.far.example/0") == (0, [7, 6], "")


def test_file_is_read_as_the_variable_is(
    reader: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "machine").write_text(f"{TORUS}host b 7\n".replace(";", "\n"))
    assert read(reader, f"@{tmp_path}/machine", "b/0") == (0, [7], "")
    (tmp_path / "wrong").write_text("leadline-machine 1\nhexagon 4\n")
    status, _, text = read(reader, f"@{tmp_path}/wrong")
    assert status == 1
    assert text.replace(str(tmp_path), "DIR") == snapshot


def test_what_python_writes_is_read(reader: Path) -> None:
    vertices = np.array([3, 0, 6, 5], dtype=np.int64)
    allocation = Allocation(
        name="torus",
        numbers=np.arange(4, dtype=np.int64),
        network=Torus(dims=(2, 4), periodic=(True, True)),
        hosts=("n1", "n2"),
        nodes=np.array([0, 0, 1, 1], dtype=np.int64),
        cores=np.array([0, 1, 0, 1], dtype=np.int64),
        vertices=vertices,
    )
    found = read(reader, describe(allocation), "n1/0", "n1/1", "n2/0", "n2/1")
    assert found == (0, vertices.tolist(), "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("leadline-machine 2;torus 2 periodic 0;host a 0", 1),
        ("leadline-machine 1", 1),
        (TORUS, 3),
        ("leadline-machine 1;tree 1;host a 0", 3),
        ("leadline-machine 1;host a 0", 2),
        ("leadline-machine 1;torus 2x4", 2),
        ("leadline-machine 1;torus 2x0 periodic 0,0", 2),
        ("leadline-machine 1;torus 2x-4 periodic 0,0", 2),
        ("leadline-machine 1;torus 2x4 periodic 0,0,0", 2),
        ("leadline-machine 1;torus 2x4 periodic 0,2", 2),
        (f"leadline-machine 1;torus {'x'.join(['999999'] * 9)} periodic 1", 2),
        ("leadline-machine 1;tree 99", 2),
        (f"{TREE}vertex 1", 5),
        (f"{TREE}vertex 1 x", 5),
        (f"{TORUS}vertex 1 0", 3),
        (f"{TORUS}tree 1", 3),
        (f"{TORUS}host a 8", 3),
        (f"{TORUS}host a", 3),
        (f"{TORUS}core a 0", 3),
        (f"{TORUS}core a b 0", 3),
        (f"{TORUS}host a 1;host b 2;host a 3", 5),
        (f"{TORUS}host {'a ' * 99}", 3),
    ],
)
def test_what_is_wrong_is_said_once_with_its_line(
    reader: Path, text: str, line: int, snapshot: SnapshotAssertion
) -> None:
    status, _, output = read(reader, text)
    assert status == 1
    assert f"LEADLINE_MAP_MACHINE, line {line}: " in output
    assert output.count("\n") == 1
    assert output == snapshot


def test_file_that_is_not_there_is_said(reader: Path, snapshot: SnapshotAssertion) -> None:
    status, _, text = read(reader, "@/nowhere/machine")
    assert status == 1
    assert text == snapshot
