"""What compilers made of the patterns' timed loops."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from harness.processors import FOREIGN, HERE, Processor
from tests.support.pattern_loops import loops

from leadline.kernels.build import SOURCES, common_objects
from leadline.native.compiler import c_compiler

FUNCTION = re.compile(r"^[0-9a-f]+ <(\w+)>:$", re.MULTILINE)


@pytest.fixture(params=[HERE, *FOREIGN], ids=lambda processor: str(processor.name))
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Processor:
    """Whose compiler compiles."""
    chosen: Processor = request.param
    for name, value in chosen.environment.items():
        monkeypatch.setenv(name, value)
    return chosen


def listing_of(target: Path, processor: Processor) -> str:
    words = [processor.objdump, "-dr", str(target)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def test_timed_loops_call_the_transport_and_nothing_else(processor: Processor) -> None:
    objects = common_objects()
    listings = {stem: listing_of(objects / f"{stem}.o", processor) for stem, _ in loops()}
    for stem, function in loops():
        direct, indirect = processor.calls_in(function, listings[stem])
        assert indirect == [], function
        assert direct, f"{function} was optimised away or not found"
        assert all(name.startswith("tp_") for name in direct), (function, direct)


def test_applications_call_nothing_by_its_address(processor: Processor) -> None:
    """They compute between their calls, in functions of their own."""
    objects = common_objects()
    for room in (path for path in (SOURCES / "applications").iterdir() if path.is_dir()):
        for target in objects.glob(f"{room.name}-*.o"):
            listing = listing_of(target, processor)
            for function in FUNCTION.findall(listing):
                assert processor.calls_in(function, listing)[1] == [], (target.name, function)


def test_an_indirect_call_would_be_found(processor: Processor, tmp_path: Path) -> None:
    source = tmp_path / "indirect.c"
    source.write_text("void loop(void (*f)(void), long n) { for (long i = 0; i < n; i++) f(); }")
    target = tmp_path / "indirect.o"
    subprocess.run([c_compiler(), "-O2", "-c", str(source), "-o", str(target)], check=True)
    assert processor.calls_in("loop", listing_of(target, processor))[1]
