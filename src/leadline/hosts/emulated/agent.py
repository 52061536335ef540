"""What stands in for ssh: a script that enters the emulated host that it is told."""

from __future__ import annotations

from pathlib import Path

from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.hosts.emulated.marks import CLUSTER, HOST

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
    """What /etc/hosts says in each of the hosts, which are pairs of name and address."""
    lines = ["127.0.0.1 localhost", *(f"{address} {name}" for name, address in cluster_hosts)]
    return "\n".join(lines) + "\n"


def write_names(folder: Path, cluster_hosts: list[tuple[str, str]]) -> None:
    """Writes what the hosts' /etc/hosts is."""
    (folder / "hosts").write_text(names(cluster_hosts))
