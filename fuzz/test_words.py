"""Command lines whose words are mutated: what can't be is refused in one line."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
from harness.examples import share
from harness.places import DATA
from hypothesis import given
from hypothesis import strategies as st

from fuzz import planted
from fuzz.bounds import SilentLossError, attempt, met
from fuzz.chance import chance
from fuzz.commands import said
from fuzz.edits import NUMBERS
from leadline import cli

LINES = """
show RUN --tails
show RUN --by-ranks --json
show RUN --csv
compare RUN --baseline mpich --threshold 2%
compare RUN RUN --json
history . --patterns pingpong --sizes 8,4096 --last 5 --threshold 2%
history . --variants mpich --json
fit RUN --out new.json
export RUN --csv --out new.csv
export RUN --extrap
sql FROM\xa0measurements RUN --csv
sql SELECT\xa0size_bytes\xa0FROM\xa0cells RUN --json
import TEXT --out new --name osu --ranks 2 --date 2026-11-21T14:30 --format osu
import TEXT --out new --origin simulated
map --grid 4x2x1 --machine torus:4x4x2 --metric hops --time 1ms --seed 3
map --grid 4x2 --periodic 1,0 --weights 1,1:2 --diagonals --machine nodes:4x2 --json --time 1ms
map --grid 2x2 --machine tree:2x2x2 --allocation first:4 --method sort --time 1ms
map --job grid=2x2,allocation=first:4 --job grid=2x1,allocation=t3e:2 --machine torus:4x4x4
map --graph GRAPH --machine hosts:HOSTS --cores 2 --emit slots --time 1ms
dims 48 --ndims 3 --machine torus:4x4x3 --json
dims 12 --cores 2
simulate --machine cray-t3e-900 --ranks 4 --patterns pingpong,bcast --sizes 0,8,1KiB --out new
simulate --machine MACHINE --ranks 2,4 --patterns halo:2x1 --sizes 64KiB --what-if link=2x
run --dry-run --backends null,shm --patterns pingpong,barrier --sizes 0,8,64KiB --budget 5s
run --dry-run --suite quick --backends shm --blocks 4 --precision 5% --cadence isolated
run --dry-run --variant a=shm,env:A=1 --variant b=shm --buffers cold --sizes 1:1MiB --ranks 2
predict MODEL --pattern pingpong --ranks 2 --size 64KiB
predict MODEL --pattern bcast --ranks 64 --size 8 --json
patterns osu_alltoall
trace --patterns bcast --ranks 4 --sizes 8
plot RUN --out new.svg --patterns pingpong
report RUN --out new.html
calibrate RUN --machine cray-t3d --out new.toml
completion bash
reproduce --paper t3e-mpi
health --hosts node[01-16]
"""
COMMANDS = [line.split(" ") for line in LINES.strip().split("\n")]
WORDS = (
    *NUMBERS, "", "-", "--", "--json", "--csv", "--help", "all", "unstated", "null", "none",
    "8x8x8x8", "1:2^60", "1-100000", "0..9", "1KiB", "1e9GiB", "-5", "5%", "1000%", "9s", "1e30s",
    "x" * 300, "\x1b[2J", "a\nb", "é", "\udcff", "RUN", "TEXT", "GRAPH", "HOSTS",
    "n[1-1000000]", "torus:1000x1000x1000",
    "nodes:1048576x64", "torus:" + "x".join("2" * 65), "tree:2x" * 40, "hwloc:TEXT", "list:TEXT",
    "coordinates:HOSTS", "slurm:TEXT", "FROM batches", "a=b,c=d", ",", ":", "=",
    "halo:0x0", "pingpong:x", "1x" * 70 + "1", "[" * 300, "0,0,0", "1,2,",
    "shm,shm", "--sizes", "--ranks",
)  # fmt: skip
"""What may stand in a word's place."""
CHANGES = ",x:=-.[]%+0123456789kKMGisu\n\x1b\x7fé "
KEPT = {
    "MODEL": "model", "RUN": "one", "TEXT": "text", "GRAPH": "graph", "HOSTS": "hosts",
    "MACHINE": "cray-t3d",
}  # fmt: skip
"""What the words in capital letters stand for, mostly files."""


@st.composite
def lines(draw: st.DrawFn) -> Sequence[str]:
    """A command line with one or two words others, changed, gone, or twice; the command stays.

    Of everything but what starts ranks, installs or changes the machine.
    """
    words = list(draw(st.sampled_from(COMMANDS)))
    for _ in range(draw(st.sampled_from((1, 1, 2)))):
        rarely = chance(draw, 15)
        places = [at for at in range(1, len(words)) if rarely or words[at][:2] != "--"]
        at = draw(st.sampled_from(places or [len(words)]))
        how = draw(st.sampled_from(_CHANGES if at < len(words) else ("inserted",)))
        if how in ("inserted", "replaced"):
            words[at : at + (how == "replaced")] = [draw(st.sampled_from(WORDS))]
        elif how == "changed":
            words[at] = draw(_changed(words[at]))
        else:
            words[at : at + 1] = [words[at]] * (2 if how == "twice" else 0)
    return words


_CHANGES = ("gone", "twice", "inserted", *["changed"] * 5, *["replaced"] * 5)


@st.composite
def _changed(draw: st.DrawFn, word: str) -> str:
    """`word` with a character more, less or another; never a path that leads elsewhere."""
    at = draw(st.integers(0, len(word)))
    more = draw(st.sampled_from(CHANGES) | st.sampled_from(NUMBERS) | st.just(""))
    return word[:at] + more + word[at + draw(st.integers(0, 1)) :]


@pytest.fixture(scope="module", autouse=True)
def _files(surroundings: pytest.MonkeyPatch) -> None:
    shutil.copytree(DATA / "format-7", "one")
    shutil.copy(DATA / "imports" / "osu_latency-7.4.txt", "text")
    Path("graph").write_text("0 1\n1 2 5\n2 3\n")
    Path("hosts").write_text("n1:2\nn2:2\n")
    said("fit", "one", "--out", "model")


@share(0.05)
@given(lines())
def test_line_is_obeyed_or_refused_in_words(line: Sequence[str]) -> None:
    met(_read, line)


def _read(line: Sequence[str]) -> str:
    for capital, name in KEPT.items():
        line = [word.replace(capital, name) for word in line]
    try:
        answer = said(*[word.replace("\xa0", " ") for word in line])
    finally:
        for path in Path().iterdir():
            if path.name not in KEPT.values():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    if answer.status and not (answer.out + answer.err).strip():
        raise SilentLossError(f"status {answer.status} without a word")
    return f"status {answer.status}"


@patch.object(cli, "parser_for", planted.raises)
def test_command_that_raises_is_seen() -> None:
    with pytest.raises(IndexError):
        attempt(_read, 30, lines())
