"""Slurm's topology.conf of the tree plugin: which switch has which nodes or switches below it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leadline.topology.allocation import Allocation, allocation_of_nodes
from leadline.topology.networks import MOST_DIMS, Tree
from leadline.topology.readers.hostlist import expand, expand_hosts
from leadline.topology.readers.lines import (
    LineError,
    NumberedLine,
    content_lines,
    lines_of,
    words_of,
)

_CONTINUED = re.compile(r"\\\n")
MOST_LEVELS = MOST_DIMS
"""Most levels of a tree, including one that may be added above all others."""
KEYS = ("switchname", "nodes", "switches", "linkspeed")


@dataclass(frozen=True, slots=True)
class _Switch:
    """One line: nodes or switches below a switch."""

    name: str
    nodes: tuple[str, ...]
    switches: tuple[str, ...]
    line: NumberedLine


def parse_slurm_topology(text: str, file: str, cores: int) -> Allocation:
    """All slots of the tree of switches in `text`; nodes come switch by switch, as listed.

    Hosts of the same lowest switch are two hops apart. Where switches are at different depths, the
    shallow ones count as if they were repeated below; several switches at the top as if there were
    one above them.

    Args:
        text: The file's content: lines such as SwitchName=s1 Nodes=n[0-3].
        file: Its name in errors.
        cores: Slots of each node, which the file has no numbers of.

    Raises:
        LineError: An invalid line, a switch or node that comes twice, a switch that
            is missing or below itself.
    """
    switches = _switches(text, file)
    parents = _parents(switches)
    leaves = [switch for switch in switches.values() if switch.nodes]
    paths = {leaf.name: _path(leaf, parents) for leaf in leaves}
    hosts = tuple(host for leaf in leaves for host in leaf.nodes)
    levels = max(map(len, paths.values()))
    rows: list[tuple[str, ...]] = []
    for leaf in leaves:
        path = paths[leaf.name]
        rows += [(leaf.name,) * (levels - len(path)) + path] * len(leaf.nodes)
    if len({row[-1] for row in rows}) > 1:
        rows = [(*row, "") for row in rows]
    columns = [np.unique(column, return_inverse=True)[1] for column in zip(*rows, strict=True)]
    tree = Tree(ancestors=np.stack(columns, axis=1).astype(np.int64))
    vertices = np.arange(len(hosts), dtype=np.int64)
    counts = np.full(len(hosts), cores, dtype=np.int64)
    return allocation_of_nodes(f"slurm:{file}", tree, vertices, counts, hosts)


def parse_slurm_switches(text: str, cores: int) -> Allocation:
    """The same from the output of `scontrol show topology`.

    That has the level of each switch, and also names the nodes of upper switches; both are dropped.
    """
    lines: list[str] = []
    for line in lines_of(text):
        words = dict(word.partition("=")[::2] for word in words_of(line))
        dropped = {"Level", "Nodes" if words.get("Switches") else "Switches"}
        kept = (f"{key}={value}" for key, value in words.items() if key not in dropped)
        lines.append(" ".join(kept))
    return parse_slurm_topology("\n".join(lines), "scontrol show topology", cores)


def _switches(text: str, file: str) -> Mapping[str, _Switch]:
    """The switches by name, in the file's order."""
    switches: dict[str, _Switch] = {}
    owners: dict[str, str] = {}
    joined: list[str] = []  # continued lines on one; the lines below keep their numbers
    for part in re.split(r"(?<!\\)\n", text):
        joined.append(_CONTINUED.sub(" ", part) + "\n" * part.count("\\\n"))
    for line in content_lines("\n".join(joined), file):
        switch = _switch(line)
        if switch.name in switches:
            raise line.error(f"switch {switch.name} is described twice")
        for node in switch.nodes:
            if node in owners:
                raise line.error(f"node {node} is below a switch already ({owners[node]})")
            owners[node] = switch.name
        switches[switch.name] = switch
    if not owners:
        raise LineError(file, None, "no switch with nodes; write SwitchName=s1 Nodes=n[0-3]")
    return switches


def _switch(line: NumberedLine) -> _Switch:
    words: dict[str, str] = {}
    for word in line.words:
        key, equals, value = word.partition("=")
        if not equals or not value or key.lower() not in KEYS:
            raise line.error(f"{word!r} is not SwitchName=, Nodes=, Switches= or LinkSpeed=")
        words[key.lower()] = value
    if "switchname" not in words:
        raise line.error("a line needs SwitchName=; only the tree plugin's lines can be read")
    if ("nodes" in words) == ("switches" in words):
        raise line.error(f"switch {words['switchname']} needs either Nodes= or Switches=")
    nodes = expand_hosts(words["nodes"], line) if "nodes" in words else ()
    switches = expand(words["switches"], line) if "switches" in words else ()
    return _Switch(words["switchname"], tuple(nodes), tuple(switches), line)


def _parents(switches: Mapping[str, _Switch]) -> Mapping[str, str]:
    """The switch above each that has one."""
    parents: dict[str, str] = {}
    for switch in switches.values():
        for child in switch.switches:
            if child not in switches:
                raise switch.line.error(f"switch {child} is described nowhere")
            if child in parents:
                raise switch.line.error(f"switch {child} is below {parents[child]} already")
            parents[child] = switch.name
    return parents


def _path(leaf: _Switch, parents: Mapping[str, str]) -> tuple[str, ...]:
    """The switches from a lowest one to the top."""
    path = {leaf.name: None}
    above = parents.get(leaf.name)
    while above is not None:
        if above in path:
            raise leaf.line.error(f"switch {above} is below itself")
        path[above] = None
        above = parents.get(above)
    if len(path) >= MOST_LEVELS:
        raise leaf.line.error(
            f"switch {leaf.name} is below {len(path) - 1:,} others; {MOST_LEVELS - 2} are the most"
        )
    return tuple(path)
