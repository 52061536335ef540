"""What the preload library says of what it decides: proven, or just not found better."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.kernels import NATIVE, SANITISERS

from leadline.mapping import METRICS
from leadline.mapping.build import SOURCES as MAPPING_SOURCES
from leadline.mapping.build import mapping_library
from leadline.mapping.preload.build import SOURCES
from leadline.native.compiler import C_FLAGS, c_compiler

RING = ("0-1", "1-2", "2-3", "3-4", "4-5", "5-0")
FORK = ("0-4", "1-4", "2-3", "3-4")
SHUFFLED = ("0-2", "2-4", "4-1", "1-3", "3-5", "5-0")


@pytest.fixture(scope="module")
def decider(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("decided") / "decided"
    sources = [NATIVE / "decided.c", SOURCES / "core" / "decision.c", SOURCES / "saying.c"]
    folders = [f"-I{SOURCES}", f"-I{MAPPING_SOURCES}"]
    command = [c_compiler(), *C_FLAGS, *SANITISERS, *folders, *map(str, sources)]
    subprocess.run([*command, str(mapping_library()), "-o", str(program)], check=True)
    return program


def decided(decider: Path, metric: str, around: int, cores: str, edges: Sequence[str]) -> str:
    words = [str(decider), str(list(METRICS).index(metric)), str(around), cores, *edges]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return f"{done.stdout.strip()}: {done.stderr.strip()}"


@pytest.mark.parametrize(
    ("metric", "around", "cores", "edges", "said"),
    [
        ("internode", 0, "3,3", RING, "stays: leadline: graph: nothing to gain, ranks stay "
         "(edges between nodes 2, proven optimal)"),
        ("load", 0, "3,3", RING, "stays: leadline: graph: nothing to gain, ranks stay "
         "(busiest link 1, proven optimal)"),
        ("hops", 6, "1,1,1,1,1,1", RING, "stays: leadline: graph: nothing to gain, ranks stay "
         "(average hops 1, proven optimal)"),
        ("load", 5, "1,1,1,1,1", FORK, "stays: leadline: graph: nothing better found, ranks stay "
         "(busiest link 2, lower bound 1)"),
        ("internode", 0, "3,3", SHUFFLED, "moves: leadline: graph: edges between nodes 4 -> 2, "
         "of the busiest node 2 -> 1 ({method}, proven optimal: edges between nodes)"),
        ("load", 0, "3,3", SHUFFLED, "moves: leadline: graph: edges between nodes 4 -> 2, "
         "of the busiest node 2 -> 1, busiest link 2 -> 1 "
         "({method}, proven optimal: busiest link)"),
    ],
)  # fmt: skip
def test_a_proof_is_said_where_there_is_one_and_nowhere_else(
    decider: Path, metric: str, around: int, cores: str, edges: Sequence[str], said: str
) -> None:
    found = decided(decider, metric, around, cores, edges)
    begin, _, end = said.partition("{method}")
    assert found.startswith(begin) and found.endswith(end), found
