"""Which hosts of a job are emulated ones that are up."""

from __future__ import annotations

from dataclasses import replace

from leadline.hosts.emulated.cluster import Cluster, cluster_of
from leadline.hosts.emulated.machine import check_root
from leadline.hosts.placement import Hosts


def emulated(hosts: Hosts) -> Hosts:
    """`hosts` as those of the cluster that has all of these names, with its agent and its link.

    As they are where none has any; UsageError where only some are of a cluster, MachineError where
    this user can't enter them.
    """
    cluster = cluster_of(hosts.names)
    if cluster is None:
        return hosts
    check_root()
    return replace(hosts_of(cluster), names=hosts.names)


def hosts_of(cluster: Cluster) -> Hosts:
    """All hosts of `cluster`, with its agent and its link."""
    return Hosts(
        tuple(host.name for host in cluster.hosts),
        str(cluster.agent),
        emulated=True,
        link=cluster.link.facts,
    )
