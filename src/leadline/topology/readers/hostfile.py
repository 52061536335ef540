"""A hostfile as launchers read them: lines of "host", "host:8" or "host slots=8"."""

from __future__ import annotations

import numpy as np

from leadline.topology.allocation import Allocation, allocation_of_nodes
from leadline.topology.readers.hostlist import check_host
from leadline.topology.readers.lines import LineError, NumberedLine, content_lines, whole
from leadline.topology.words import single_switch


def parse_hostfile(text: str, file: str, cores: int) -> Allocation:
    """All slots of the hosts in `text`, in its order, at a single switch.

    Args:
        text: The file's content.
        file: What errors call it.
        cores: Of each host whose line doesn't say.

    Raises:
        LineError: A name that is no host's, one that comes twice, a number of slots below 1,
            other words.
    """
    hosts: dict[str, int] = {}
    for line in content_lines(text, file):
        host, slots = _host(line, cores)
        check_host(host, line)
        if host in hosts:
            raise line.error(f"host {host} is listed twice; give its slots as {host}:2")
        hosts[host] = slots
    if not hosts:
        raise LineError(file, None, "no host; give one a line")
    counts = np.array(list(hosts.values()), dtype=np.int64)
    vertices = np.arange(len(hosts), dtype=np.int64)
    network = single_switch(len(hosts))
    return allocation_of_nodes(f"hosts:{file}", network, vertices, counts, tuple(hosts))


def _host(line: NumberedLine, cores: int) -> tuple[str, int]:
    first, *others = line.words
    host, colon, number = first.partition(":")
    settings = [word for word in others if not word.startswith("max_slots=")]
    if colon and not settings:
        return host, whole(number, line, "number of slots", least=1)
    if len(settings) == 1 and settings[0].startswith("slots="):
        return host, whole(settings[0].removeprefix("slots="), line, "number of slots", least=1)
    if settings or colon:
        raise line.error(f"{' '.join(line.words)!r} is not: host, host:8 or host slots=8")
    return host, cores
