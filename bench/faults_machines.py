"""Machine files that are damaged: what is simulated on one is a time, or its fault is named."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.places import ROOT

from bench.faults_bytes import damaged, with_other_words
from bench.faults_case import Attack, SilentLossError
from bench.faults_commands import Said, said
from leadline import processes

MACHINES: Sequence[Path] = sorted((ROOT / "src/leadline/simulate/machines").glob("*.toml"))
PATTERNS = ("pingpong", "bcast", "total_exchange", "halo:2x2")
RANKS = "4"


def simulated(folder: Path) -> Attack:
    """Files of machines, on which patterns are simulated."""
    _remember_answers()
    for pattern in PATTERNS:  # what simulates is built now: later nothing may be started
        _simulated(folder, MACHINES[0].read_bytes(), pattern)

    def attack(rng: random.Random) -> str:
        answer = _simulated(folder, _mutated(rng), rng.choice(PATTERNS))
        if answer.status != 0:
            if not answer.err.strip():
                raise SilentLossError(f"refused without a word: {answer}")
            return "refused"
        _check(json.loads(answer.out))
        return "simulated"

    return attack


def _remember_answers() -> None:
    """What programs answered before is what they answer when none may be started any more."""
    for name in ("run", "ask"):
        setattr(processes, name, _remembering(getattr(processes, name)))


def _remembering(asked: Callable[..., object]) -> Callable[..., object]:
    known: dict[tuple[str, ...], object] = {}

    def answer(argv: Sequence[str], *rest: object, **options: object) -> object:
        key = tuple(argv)
        if key not in known:
            known[key] = asked(argv, *rest, **options)
        return known[key]

    return answer


def _mutated(rng: random.Random) -> bytes:
    """Mostly with another number or word: other damage is seldom TOML."""
    text = rng.choice(MACHINES).read_text()
    if rng.random() < 0.3:
        return damaged(text.encode(), rng)
    return with_other_words(text, rng).encode()


def _simulated(folder: Path, content: bytes, pattern: str) -> Said:
    file, out = folder / "machine.toml", folder / "run"
    file.write_bytes(content)
    shutil.rmtree(out, ignore_errors=True)
    words = ("--patterns", pattern, "--ranks", RANKS, "--sizes", "8,65536", "--out", str(out))
    return said("simulate", "--machine", str(file), *words, "--json")


def _check(found: dict[str, list[dict[str, object]]]) -> None:
    """SilentLossError where a time is none, and nothing says why."""
    times = [row["median_s"] for row in found["rows"]]
    odd = [t for t in times if not isinstance(t, float | int) or not math.isfinite(t) or t < 0]
    if odd or not times:
        raise SilentLossError(f"simulated to take {odd[:3]}")
