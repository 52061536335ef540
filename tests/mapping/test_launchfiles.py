from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.backends.backend import Backend
from leadline.backends.launchers.openmpi import AS_ROOT
from leadline.mapping.launchfiles import (
    COLUMNS,
    EMITTERS,
    Placement,
    cray_rank_order,
    mpich_hostfile,
    mpich_rankmap,
    openmpi_rankfile,
    placement_rows,
    slots_of_ranks,
    slurm_arbitrary,
)
from leadline.topology.readers.slots import parse_slots
from leadline.topology.words.synthetic import synthetic_machine

pytestmark = pytest.mark.live

NODES = synthetic_machine("nodes:2,3,1")
SCATTERED = Placement(NODES, (4, 0, 5, 1, 2, 3))


def content(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_rankfile_names_host_and_core_of_every_rank() -> None:
    assert content(openmpi_rankfile(SCATTERED)) == [
        "rank 0=node1 slot=2",
        "rank 1=node0 slot=0",
        "rank 2=node2 slot=0",
        "rank 3=node0 slot=1",
        "rank 4=node1 slot=0",
        "rank 5=node1 slot=1",
    ]


def test_hostfile_has_a_line_for_ranks_that_follow_each_other_on_a_host() -> None:
    text = mpich_hostfile(SCATTERED)
    assert content(text) == ["node1:1", "node0:1", "node2:1", "node0:1", "node1:2"]
    assert "mpich-rankmap" in text


def test_hostfile_says_nothing_of_shared_memory_where_hosts_come_once() -> None:
    text = mpich_hostfile(Placement(NODES, (1, 0, 3, 4, 2, 5)))
    assert content(text) == ["node0:2", "node1:3", "node2:1"]
    assert "memory" not in text


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


def test_rank_order_lists_ranks_by_slot_a_line_a_node() -> None:
    assert content(cray_rank_order(SCATTERED)) == ["1,3", "4,5,0", "2"]


def test_arbitrary_distribution_has_a_host_for_every_task() -> None:
    hosts = ["node1", "node0", "node2", "node0", "node1", "node1"]
    assert slurm_arbitrary(SCATTERED).splitlines() == hosts


def test_slots_are_read_back_as_they_were() -> None:
    assert parse_slots(slots_of_ranks(SCATTERED), "f") == SCATTERED.permutation


def test_rows_have_the_place_of_every_rank() -> None:
    rows = placement_rows(SCATTERED)
    assert dict(zip(COLUMNS, rows[0], strict=True)) == {
        "rank": 0, "slot": 4, "host": "node1", "core": 2, "vertex": 1,
    }  # fmt: skip
    assert [row[0] for row in rows] == list(range(6))


@pytest.mark.parametrize("form", EMITTERS)
def test_every_form_names_every_rank_of_the_identity(form: str) -> None:
    text = EMITTERS[form](Placement(NODES, range(6)))
    assert text
    assert not text.endswith("\n")


# -- with real launchers ---------------------------------------------------------------------------


def launched(backend: Backend, *words: str | Path) -> list[str]:
    """The lines that ranks printed."""
    argv = ["timeout", "-k", "1", "60", str(backend.launcher), *map(str, words)]
    environment = {**os.environ, **backend.environment, **AS_ROOT}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
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
    said = "echo $PMIX_RANK $(grep Cpus_allowed_list: /proc/self/status)"
    program = script(tmp_path, said)
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
