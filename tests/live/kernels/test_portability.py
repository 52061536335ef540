"""The kernels on processors that this machine isn't, emulated: that they compute right, not how
fast, nor in which order others see what they store."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness.contracts import contract, link
from harness.kernels import kernel, local_backend
from harness.processors import FOREIGN, Processor
from harness.ranks import said_by_rank_0
from harness.scripts import EVERY_PATTERN, ids, obey, results

from leadline.backends.preparation import loopback_address

pytestmark = pytest.mark.long

FACTS = ("contract", "requests", "modes", "one_sided", "collectives", "orders")


@pytest.fixture(params=FOREIGN, ids=lambda processor: str(processor.name))
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Processor:
    """Whose compiler compiles; ranks over tcp have a place to meet."""
    chosen: Processor = request.param
    for name, value in chosen.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LEADLINE_RENDEZVOUS", loopback_address())
    return chosen


@pytest.mark.parametrize("checks", FACTS)
def test_shared_memory_keeps_the_contract(
    checks: str, processor: Processor, tmp_path: Path
) -> None:
    said_by_rank_0(processor.runs(contract(checks, local_backend("shm")), tmp_path), 3)


@pytest.mark.parametrize("checks", ["contract", "requests"])
def test_tcp_keeps_the_contract(checks: str, processor: Processor, tmp_path: Path) -> None:
    said_by_rank_0(processor.runs(contract(checks, local_backend("tcp")), tmp_path), 2)


@pytest.mark.parametrize("kind", ["null", "shm", "trace"])
def test_every_pattern_moves_every_byte(kind: str, processor: Processor, tmp_path: Path) -> None:
    output = obey(processor.runs(kernel(kind), tmp_path), EVERY_PATTERN, tmp_path)
    assert all(sorted(results(rank)) == ids(EVERY_PATTERN) for rank in output)


PAGES_AND_LINES = """
#include <stdio.h>
#include "transport/transport.h"
int main(void) { printf("%zu %d\\n", tp_page_bytes(), TP_LINE_BYTES); return 0; }
"""


def test_what_was_emulated_has_pages_and_lines_of_its_own(
    processor: Processor, tmp_path: Path
) -> None:
    source = tmp_path / "pages.c"
    source.write_text(PAGES_AND_LINES)
    assert link([source], tmp_path / "pages").stderr == ""
    output = subprocess.check_output([processor.runs(tmp_path / "pages", tmp_path)], text=True)
    assert output == {"aarch64": "4096 64\n", "ppc64le": "65536 128\n"}[processor.name]
