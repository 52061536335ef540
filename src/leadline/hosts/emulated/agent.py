"""Execution of a command on an emulated host: by an agent called like ssh, or from here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.errors import MachineError
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost, HostState, cluster_with
from leadline.hosts.emulated.namespaces import CLUSTER, HOST, check_root
from leadline.processes import attend

SCRIPT = """#!/bin/sh
# Called like ssh: runs a command on an emulated host. Written by leadline hosts up.
while case "${1-}" in -[BbcDEeFIiJLlmOopQRSWw]) shift 2 ;; -?*) shift ;; *) false ;; esac do :; done
host=${1#*@}
[ $# -gt 0 ] && shift
{ read -r name pid namespaces < "FOLDER/entrances/$host"; } 2>/dev/null
if [ -n "$pid" ] && [ -e "/proc/$pid" ] && ! [ -r "/proc/$pid/environ" ]; then
    echo "$host: Permission denied (an emulated host, which root alone enters: sudo)" >&2
    exit 255
fi
if ! grep -qzx "HOST=$name" "/proc/$pid/environ" 2>/dev/null; then
    echo "ssh: connect to host $host port 22: No route to host (an emulated host that is down)" >&2
    exit 255
fi
exec env CLUSTER nsenter $namespaces sh -c "${*:-exec sh}"
"""


def write_agent(cluster: Cluster) -> None:
    """Writes the agent, which finds a host by its name or its address."""
    text = SCRIPT.replace("FOLDER", str(cluster.folder)).replace("HOST=", f"{HOST}=")
    text = text.replace("CLUSTER", f"{CLUSTER}={cluster.prefix}")
    cluster.agent.write_text(text)
    cluster.agent.chmod(0o755)
    for host in cluster.hosts:
        write_entrance(cluster, host)


def write_entrance(cluster: Cluster, host: EmulatedHost) -> None:
    """Lets the agent enter `host`."""
    words = f"{host.name} {host.pid} {' '.join(host.namespaces)}\n"
    for path in _entrances(cluster, host):
        path.parent.mkdir(exist_ok=True)
        path.write_text(words)


def close_entrance(cluster: Cluster, host: EmulatedHost) -> None:
    """Lets the agent find no way to `host`."""
    for path in _entrances(cluster, host):
        path.unlink(missing_ok=True)


def _entrances(cluster: Cluster, host: EmulatedHost) -> list[Path]:
    return [cluster.folder / "entrances" / name for name in (host.name, host.address)]


def names(cluster_hosts: list[tuple[str, str]]) -> str:
    """Contents of /etc/hosts in each of the hosts, which are pairs of name and address."""
    lines = ["127.0.0.1 localhost", *(f"{address} {name}" for name, address in cluster_hosts)]
    return "\n".join(lines) + "\n"


def write_names(folder: Path, cluster_hosts: list[tuple[str, str]]) -> None:
    """Writes the file that is /etc/hosts in the hosts."""
    (folder / "hosts").write_text(names(cluster_hosts))


def enter(host: str, command: Sequence[str]) -> int:
    """Exit status of `command` on `host`, with the standard streams of this process.

    Raises:
        UsageError: No host of this name is up.
        MachineError: The host is down, or the command can't be started.
    """
    check_root()
    cluster = cluster_with(host)
    if cluster.state(cluster.host(host)) is HostState.DOWN:
        raise MachineError(f"host {host!r} is down; leadline hosts start {host} brings it back")
    words = (*cluster.entrance(host), "--", *command)  # the first may begin with a dash
    return attend(words, launcher_variables(cluster.agent))


def launcher_variables(agent: Path) -> dict[str, str]:
    """Variables by which launchers use `agent` as ssh: Hydra, Intel's Hydra, Open MPI 4 and 5, PVM.

    Open MPI and PVM have to be allowed to run as root: no other user starts them here.
    """
    path = str(agent)
    return {
        "HYDRA_LAUNCHER": "ssh", "HYDRA_LAUNCHER_EXEC": path,
        "I_MPI_HYDRA_BOOTSTRAP": "ssh", "I_MPI_HYDRA_BOOTSTRAP_EXEC": path,
        "OMPI_MCA_plm_rsh_agent": path, "PRTE_MCA_plm_ssh_agent": path, "PVM_RSH": path,
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PVM_ALLOW_ROOT": "1",
    }  # fmt: skip
