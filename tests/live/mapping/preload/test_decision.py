"""What the preload library says of what it decides: proven, or just not found better."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.kernels import NATIVE, SANITISERS
from syrupy.assertion import SnapshotAssertion

from leadline.mapping import METRICS
from leadline.mapping.library import SOURCES as MAPPING_SOURCES
from leadline.mapping.library import mapping_library
from leadline.mapping.preload.build import SOURCES
from leadline.native.compiler import C_FLAGS, c_compiler

RING = ("0-1", "1-2", "2-3", "3-4", "4-5", "5-0")
FORK = ("0-4", "1-4", "2-3", "3-4")
METHOD = re.compile(r"\([^()]*, (?=proven optimal: )")
"""Which found it, of several that may."""
SHUFFLED = ("0-2", "2-4", "4-1", "1-3", "3-5", "5-0")


@pytest.fixture(scope="module")
def decider(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("decided") / "decided"
    sources = [NATIVE / "decided.c", SOURCES / "core" / "decision.c", SOURCES / "saying.c"]
    folders = [f"-I{SOURCES}", f"-I{MAPPING_SOURCES}"]
    command = [c_compiler(), *C_FLAGS, *SANITISERS, *folders, *map(str, sources)]
    subprocess.run([*command, mapping_library(), "-o", str(program)], check=True)
    return program


def decided(decider: Path, metric: str, around: int, cores: str, edges: Sequence[str]) -> str:
    words = [str(decider), str(list(METRICS).index(metric)), str(around), cores, *edges]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return f"{done.stdout.strip()}: {done.stderr.strip()}"


@pytest.mark.parametrize(
    ("metric", "around", "cores", "edges"),
    [
        ("internode", 0, "3,3", RING),
        ("load", 0, "3,3", RING),
        ("hops", 6, "1,1,1,1,1,1", RING),
        ("load", 5, "1,1,1,1,1", FORK),
        ("internode", 0, "3,3", SHUFFLED),
        ("load", 0, "3,3", SHUFFLED),
    ],
    ids=["ring", "ring by load", "ring by hops", "fork", "shuffled", "shuffled by load"],
)
def test_a_proof_is_said_where_there_is_one_and_nowhere_else(
    decider: Path, metric: str, around: int, cores: str, edges: Sequence[str],
    snapshot: SnapshotAssertion,
) -> None:  # fmt: skip
    found = decided(decider, metric, around, cores, edges)
    assert METHOD.sub("(METHOD, ", found) == snapshot
