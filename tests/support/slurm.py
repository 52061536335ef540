"""Slurm, for tests: munged, slurmctld and a slurmd for each node, all on this machine."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S

CONFIGURATION = """
ClusterName=leadline
SlurmctldHost={first.host}({first.address})
SlurmctldPort={port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
FirstJobId={job}
SlurmdSpoolDir={folder}/%n/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=2
SlurmdParameters=config_overrides
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE
"""
NODE = (
    "NodeName={node.name} NodeHostname={node.host} NodeAddr={node.address} Port={port} CPUs={cores}"
)


@dataclass(frozen=True)
class Node:
    """A node as it is configured."""

    name: str
    host: str
    """What the host calls itself that it is on."""
    address: str = "127.0.0.1"
    door: tuple[str, ...] = ()
    """The words that run what follows them there."""


def on_this_host(*more: str) -> list[Node]:
    """A node under this host's own name, and `more` that are this host, too."""
    host = socket.gethostname().partition(".")[0]
    return [Node(name, host) for name in (host, *more)]


@dataclass
class Slurm:
    """The daemons while they run; commands are called on the first node's host."""

    folder: Path
    nodes: Sequence[Node]
    daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def variables(self) -> dict[str, str]:
        """Which Slurm is meant, for all of its commands."""
        return self._variables(self.nodes[0])

    def _variables(self, node: Node) -> dict[str, str]:
        return {"SLURM_CONF": str(self.folder / node.name / "slurm.conf")}

    def start(self, name: str, node: Node, *argv: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            environment = os.environ | self._variables(node)
            self.daemons[name] = subprocess.Popen(
                (*node.door, *argv), env=environment, stdout=log, stderr=log
            )

    def start_node(self, node: Node) -> None:
        self.start(node.name, node, "slurmd", "-D", "-N", node.name)

    def stop(self, name: str) -> None:
        daemon = self.daemons.pop(name)
        daemon.kill()
        daemon.wait()

    def call(self, *argv: str) -> str:
        """What one of Slurm's commands printed."""
        done = subprocess.run(
            (*self.nodes[0].door, *argv), env=os.environ | self.variables,
            capture_output=True, text=True, timeout=PATIENCE_S, check=True,
        )  # fmt: skip
        return done.stdout + done.stderr

    @contextlib.contextmanager
    def allocation(self, *words: str) -> Iterator[Mapping[str, str]]:
        """The variables of a job that has every node, or what salloc's `words` say."""
        every = (f"--nodes={len(self.nodes)}", "--exclusive")
        command = ("salloc", *(words or every), "sh", "-c", "env; echo end; exec cat")
        environment = os.environ | self.variables
        with subprocess.Popen(
            (*self.nodes[0].door, *command), env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as shell:  # fmt: skip
            assert shell.stdout
            lines = list(itertools.takewhile(lambda line: line != "end\n", shell.stdout))
            messages = dict(re.findall(r"^(SLURM_\w+)=(.*)$", "".join(lines), re.MULTILINE))
            assert messages, self.logs()
            yield self.variables | messages

    def wait_until(self, *argv: str, prints: Sequence[str]) -> None:
        """Waits until the words that a command prints are these."""
        deadline = time.monotonic() + PATIENCE_S
        output = ""
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.CalledProcessError):
                output = self.call(*argv)
                if output.split() == list(prints):
                    return
            time.sleep(0.05)
        raise TimeoutError(f"{' '.join(argv)}: {output}\n{self.logs()}")

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))


@contextlib.contextmanager
def slurm(nodes: Sequence[Node], switches: str = "") -> Iterator[Slurm]:
    """A cluster of `nodes`, the first one's host with the daemons that there is one of.

    They are joined by `switches`, lines of a topology.conf, where there are any.

    All that it needs is in a folder of its own; leaving it ends its daemons.
    """
    if os.geteuid() != 0:
        pytest.skip("left out: Slurm's daemons, which only root starts; sudo make test has them")
    folder = Path(tempfile.mkdtemp(prefix="leadline-slurm-"))
    cluster = Slurm(folder, nodes)
    _configure(cluster, switches)
    try:
        _start(cluster)
        yield cluster
        cluster.wait_until("squeue", "--noheader", prints=())
    finally:
        for name in reversed(list(cluster.daemons)):
            cluster.stop(name)
        shutil.rmtree(folder)


def _configure(cluster: Slurm, switches: str) -> None:
    """Writes what daemons read: each node's own, for those of one machine share /tmp.

    MPICH names memory after job and step: a killed one's, left behind, mustn't be met again.
    """
    folder, nodes = cluster.folder, cluster.nodes
    first, *ports = _free_ports(1 + len(nodes))
    lines = [
        NODE.format(node=node, port=port, cores=os.cpu_count())
        for node, port in zip(nodes, ports, strict=True)
    ]
    text = CONFIGURATION.format(
        folder=folder, first=nodes[0], port=first, nodes="\n".join(lines),
        job=1 + secrets.randbelow(10**7),
    )  # fmt: skip
    text += "TopologyPlugin=topology/tree\n" * bool(switches)
    (folder / "state").mkdir()
    for node in nodes:
        (folder / node.name / "pmix").mkdir(parents=True)
        (folder / node.name / "slurm.conf").write_text(text)
        (folder / node.name / "topology.conf").write_text(switches)
        (folder / node.name / "mpi.conf").write_text(f"PMIxCliTmpDirBase={folder}/{node.name}/pmix")
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(1024))


def _free_ports(number: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [server.getsockname()[1] for server in taken]


def _start(cluster: Slurm) -> None:
    folder, first = cluster.folder, cluster.nodes[0]
    files = {"socket": "munge", "key-file": "munge.key", "pid-file": "munged.pid"}
    files |= {"log-file": "munged.log", "seed-file": "munged.seed"}
    words = [f"--{option}={folder / file}" for option, file in files.items()]
    cluster.start("munged", first, "munged", "--foreground", "--force", *words)
    cluster.wait_until(
        "munge", "--no-input", f"--socket={folder / 'munge'}", "-o/dev/null", prints=()
    )
    cluster.start("slurmctld", first, "slurmctld", "-D", "-c")
    for node in cluster.nodes:
        cluster.start_node(node)
    idle = ["idle"] * len(cluster.nodes)
    cluster.wait_until("sinfo", "--noheader", "--Node", "--format=%T", prints=idle)
