from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.patience import PATIENCE_S
from tests.support.processes import run_launcher

from leadline.backends.backend import Backend
from leadline.backends.launchers.mpiexec import AS_ROOT
from leadline.mapping.launchfiles import (
    Placement,
    mpich_hostfile,
    mpich_rankmap,
    openmpi_rankfile,
)
from leadline.topology.words import synthetic_machine

NODES = synthetic_machine("nodes:2,3,1")
SCATTERED = Placement(NODES, (4, 0, 5, 1, 2, 3))


def content(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def rankmap(text: str) -> str:
    """As the words that the file begins with take it out."""
    found = re.search(r"sed -n '(.*)'", text)
    assert found
    words = ["sed", "-n", found[1]]
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout[:-1]


def test_rankmap_counts_hosts_as_they_are_allocated() -> None:
    assert rankmap(mpich_rankmap(SCATTERED)) == "1,0,2,0,1,1"
    turned = mpich_rankmap(Placement(NODES.take(NODES.numbers[::-1].copy()), range(6)))
    assert rankmap(turned) == "0,1,1,1,2,2"
    assert content(turned) == ["node2:1", "node1:3", "node0:2"]


# -- with real launchers ---------------------------------------------------------------------------


def launched(backend: Backend, *words: str | Path) -> list[str]:
    """The lines that ranks printed."""
    argv = ["timeout", "-k", "1", str(PATIENCE_S), str(backend.launcher), *map(str, words)]
    done = run_launcher(argv, {**os.environ, **backend.environment, **AS_ROOT})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def script(folder: Path, line: str) -> Path:
    path = folder / "where.sh"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return path


def pairs(lines: Sequence[str]) -> dict[int, str]:
    """What each rank said of itself, from lines "rank words"."""
    return {int(rank): words for rank, words in (line.split(" ", 1) for line in lines)}


def proxies(folder: Path) -> Path:
    """A rank that tells which of Hydra's proxies, one for each line of hosts, started it."""
    return script(folder, 'echo $PMI_RANK $(tr "\\0" " " </proc/$PPID/cmdline)')


def hosts_of(lines: Sequence[str], hosts: Sequence[str]) -> list[str]:
    told = pairs(lines)
    numbers = [re.findall(r"--proxy-id (\d+)", told[rank])[0] for rank in range(len(told))]
    return [hosts[int(number)] for number in numbers]


def test_mpich_places_ranks_as_the_hostfile_says(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    (tmp_path / "hosts").write_text(mpich_hostfile(SCATTERED) + "\n")
    lines = launched(
        installed_backends["mpich"],
        *("-launcher", "fork", "-f", tmp_path / "hosts", "-n", "6", proxies(tmp_path)),
    )
    named = [line.partition(":")[0] for line in content(mpich_hostfile(SCATTERED))]
    assert hosts_of(lines, named) == SCATTERED.hosts


def test_mpich_places_ranks_as_the_rankmap_says(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    (tmp_path / "hosts").write_text(mpich_rankmap(SCATTERED) + "\n")
    lines = launched(
        installed_backends["mpich"],
        *("-launcher", "fork", "-f", tmp_path / "hosts", "-n", "6"),
        *("-rankmap", rankmap(mpich_rankmap(SCATTERED)), proxies(tmp_path)),
    )
    assert hosts_of(lines, NODES.hosts) == SCATTERED.hosts


def test_open_mpi_binds_ranks_to_the_cores_of_the_rankfile(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    here = replace(synthetic_machine("nodes:2"), hosts=(platform.node(),))
    text = "echo $PMIX_RANK $(grep Cpus_allowed_list: /proc/self/status)"
    program = script(tmp_path, text)
    seen = []
    for permutation in ((0, 1), (1, 0)):
        (tmp_path / "ranks").write_text(openmpi_rankfile(Placement(here, permutation)) + "\n")
        lines = launched(
            installed_backends["openmpi"],
            *("-n", "2", "--map-by", f"rankfile:file={tmp_path / 'ranks'}", program),
        )
        seen.append(pairs(lines))
    straight, swapped = seen
    assert straight[0] != straight[1]
    assert (swapped[0], swapped[1]) == (straight[1], straight[0])
