"""Command lines whose words are mutated: what can't be is refused in one line."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

from harness.places import DATA

from bench.faults_bytes import NUMBERS
from bench.faults_case import Attack, SilentLossError
from bench.faults_commands import Said, said

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
COMPILING = ("map", "simulate")
"""What needs a library of ours, which is compiled where it isn't there yet."""


def worded(folder: Path) -> Attack:
    """Command lines of everything but what starts ranks, installs or changes the machine."""
    files = _files(folder)
    lines = [line.split(" ") for line in LINES.strip().split("\n")]
    os.chdir(folder)
    for name in ("CONFIG", "DATA"):
        os.environ[f"XDG_{name}_HOME"] = str(folder / name.lower())
    for line in lines:
        if line[0] in COMPILING:
            _attempted(folder, line, files)

    def attack(rng: random.Random) -> str:
        answer = _attempted(folder, _mutated(rng.choice(lines), rng), files)
        if answer.status and not answer.all.strip():
            raise SilentLossError(f"status {answer.status} without a word")
        return f"status {answer.status}"

    return attack


def _files(folder: Path) -> dict[str, str]:
    """What the words in capital letters stand for."""
    shutil.copytree(DATA / "format-7", folder / "one")
    shutil.copy(DATA / "imports" / "osu_latency-7.4.txt", folder / "text")
    (folder / "graph").write_text("0 1\n1 2 5\n2 3\n")
    (folder / "hosts").write_text("n1:2\nn2:2\n")
    said("fit", str(folder / "one"), "--out", str(folder / "model"))
    return {
        "MODEL": "model",
        "RUN": "one",
        "TEXT": "text",
        "GRAPH": "graph",
        "HOSTS": "hosts",
        "MACHINE": "cray-t3d",
    }


def _attempted(folder: Path, line: list[str], files: dict[str, str]) -> Said:
    """What the command says; what it wrote is gone."""
    for capital, name in files.items():
        line = [word.replace(capital, name) for word in line]
    kept = {"one", "text", "graph", "hosts", "config", "data", "model"}
    try:
        return said(*[word.replace("\xa0", " ") for word in line])
    finally:
        for path in folder.iterdir():
            if path.name not in kept:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _mutated(line: list[str], rng: random.Random) -> list[str]:
    """`line` with one or two words others, changed, gone, or there twice; the command stays."""
    words = list(line)
    for _ in range(rng.choice((1, 1, 2))):
        at = _place(words, rng)
        how = rng.random()
        if at == len(words) or how < 0.08:
            words.insert(at, rng.choice(WORDS))
        elif how < 0.16:
            del words[at]
        elif how < 0.22:
            words.insert(at, words[at])
        elif how < 0.6:
            words[at] = rng.choice(WORDS)
        else:
            words[at] = _changed(words[at], rng)
    return words


def _place(words: list[str], rng: random.Random) -> int:
    """Where something is to change: rarely the name of an option, never the command."""
    places = [at for at in range(1, len(words)) if words[at][:2] != "--" or rng.random() < 0.15]
    return rng.choice(places) if places else len(words)


def _changed(word: str, rng: random.Random) -> str:
    """`word` with a character more, less or another; never a path that leads elsewhere."""
    at = rng.randrange(len(word) + 1)
    more: str = rng.choice((*CHANGES, rng.choice(NUMBERS), ""))
    return word[:at] + more + word[at + rng.randrange(2) :]
