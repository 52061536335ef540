"""Running a command on an emulated host, where launchers find the agent by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.errors import MachineError
from leadline.hosts.emulated.cluster import HostState, cluster_with
from leadline.hosts.emulated.machine import check_root
from leadline.processes import attend


def enter(host: str, command: Sequence[str]) -> int:
    """The exit status of `command` on `host`, which reads and writes where this process does.

    Raises:
        UsageError: No host that is up is called so.
        MachineError: The host is down, or the command can't be started.
    """
    check_root()
    cluster = cluster_with(host)
    if cluster.state(cluster.host(host)) is HostState.DOWN:
        raise MachineError(f"host {host!r} is down; leadline hosts start {host} brings it back")
    words = (*cluster.entrance(host), "--", *command)  # whose first may begin with a dash
    return attend(words, launcher_variables(cluster.agent))


def launcher_variables(agent: Path) -> dict[str, str]:
    """By which launchers take `agent` for ssh: Hydra, Intel's Hydra, Open MPI 4 and 5, PVM.

    Open MPI and PVM want to be told that it is root who starts them: here it is nobody else.
    """
    path = str(agent)
    return {
        "HYDRA_LAUNCHER": "ssh", "HYDRA_LAUNCHER_EXEC": path,
        "I_MPI_HYDRA_BOOTSTRAP": "ssh", "I_MPI_HYDRA_BOOTSTRAP_EXEC": path,
        "OMPI_MCA_plm_rsh_agent": path, "PRTE_MCA_plm_ssh_agent": path, "PVM_RSH": path,
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PVM_ALLOW_ROOT": "1",
    }  # fmt: skip
