"""What the compiler made of the patterns' timed loops."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from leadline.kernels.build import SOURCES, common_objects

LOOP = re.compile(r"\.(?:run|second) = (\w+)")


def loops() -> list[tuple[str, str]]:
    """(pattern file's stem, name of a timed loop) for every pattern in the table."""
    files = sorted((SOURCES / "patterns").glob("*.c"))
    return [(path.stem, name) for path in files for name in LOOP.findall(path.read_text())]


def calls_in(function: str, listing: str) -> tuple[list[str], list[str]]:
    """(names called directly, indirect transfers) in `function` of an `objdump -dr` listing."""
    parts = re.split(r"^[0-9a-f]+ <([^>]+)>:$", listing, flags=re.MULTILINE)
    names, bodies = parts[1::2], parts[2::2]
    mine = [b for n, b in zip(names, bodies, strict=True) if n.split(".")[0] == function]
    body = "\n".join(mine)
    direct = re.findall(r"R_X86_64_(?:PLT32|PC32)\s+(tp_\w+|\w+)-0x4", body)
    indirect = re.findall(r"\b(?:call|jmp)q?\s+\*\S+", body)
    return direct, indirect


def disassembly(stem: str) -> str:
    target = common_objects() / f"patterns-{stem}.o"
    return subprocess.run(
        ["objdump", "-dr", str(target)], check=True, capture_output=True, text=True
    ).stdout


def test_every_pattern_has_a_loop_that_is_checked() -> None:
    table = (SOURCES / "patterns" / "table.c").read_text()
    patterns = set(re.findall(r"^    PATTERN\((\w+)\)", table, re.MULTILINE))
    beside = [name for _, name in loops() if name.endswith("_second")]
    assert len(loops()) - len(beside) == len(patterns)


@pytest.mark.parametrize(("stem", "function"), loops())
def test_timed_loop_calls_the_transport_and_nothing_else(stem: str, function: str) -> None:
    direct, indirect = calls_in(function, disassembly(stem))
    assert indirect == []
    assert direct, "the loop was optimised away or not found"
    assert all(name.startswith("tp_") for name in direct)


def test_an_indirect_call_would_be_found(tmp_path: Path) -> None:
    source = tmp_path / "indirect.c"
    source.write_text("void loop(void (*f)(void), long n) { for (long i = 0; i < n; i++) f(); }")
    target = tmp_path / "indirect.o"
    subprocess.run(["cc", "-O2", "-c", str(source), "-o", str(target)], check=True)
    listing = subprocess.run(
        ["objdump", "-dr", str(target)], check=True, capture_output=True, text=True
    ).stdout
    assert calls_in("loop", listing)[1]
