"""Machine files: TOML in, a machine out; what is wrong is named with its place."""

from __future__ import annotations

import re

from leadline.errors import UsageError
from leadline.simulate.machine import (
    BarrierTime,
    Compute,
    Crowd,
    Links,
    MachineModel,
    Mode,
    Nic,
    Profile,
    ProfilePiece,
)
from leadline.simulate.programs.collectives import ALGORITHMS
from leadline.simulate.tables import TomlTable, load_table
from leadline.topology.networks import Tree
from leadline.topology.words import COUNTED_KINDS, FILE_KINDS

ALLOCATIONS = ("first", "t3e")
TIES = ("one way", "split")
_UNSOURCED = ("name", "summary", "sources", "fitted")
_ROW = re.compile(r"\[\d+\]")


def parse_machine(text: str, file: str) -> MachineModel:
    """The machine that `text`, the contents of `file`, describes.

    Raises:
        FileError: Not TOML, a key that is missing, unknown or given twice, a value that is none, or
            one without a source; with the line where there is one.
    """
    root = load_table(text, file)
    root.refuse_others(
        "name", "summary", "network", "allocation", "cores_per_node", "ties", "links", "nic",
        "compute", "profiles", "sources", "fitted",
    )  # fmt: skip
    machine = MachineModel(
        name=root.word("name"),
        summary=root.word("summary"),
        network=root.word("network"),
        allocation=root.choice("allocation", ALLOCATIONS),
        cores_per_node=root.whole("cores_per_node", least=1),
        split_ties=root.choice("ties", TIES) == "split",
        links=_links(root.table("links")),
        nic=_nic(root.table("nic")),
        compute=_compute(root.table("compute", needed=False)),
        profiles={each.key: _profile(each) for each in root.table("profiles").tables()},
        sources=root.table("sources").words(),
        fitted_to=root.table("fitted", needed=False).lists(),
        text=text,
    )
    _check_network(root, machine)
    _check_sources(root, machine)
    return machine


def _links(table: TomlTable) -> Links:
    table.refuse_others("bytes_per_s", "latency_s", "parallel", "shared")
    return Links(
        bytes_per_s=table.rate("bytes_per_s"),
        latency_s=table.seconds("latency_s"),
        parallel=table.wholes("parallel"),
        shared=table.truth("shared"),
    )


def _nic(table: TomlTable) -> Nic:
    table.refuse_others(
        "latency_s", "in_bytes_per_s", "out_bytes_per_s", "bus_bytes_per_s", "crowd"
    )
    bus = table.optional_rate("bus_bytes_per_s")
    crowd = _crowd(table.table("crowd")) if "crowd" in table.values else None
    if crowd is not None and bus is None:
        raise table.error("crowd", "nic.crowd is one of the bus; give nic.bus_bytes_per_s too")
    return Nic(
        latency_s=table.seconds("latency_s"),
        in_bytes_per_s=table.rate("in_bytes_per_s"),
        out_bytes_per_s=table.rate("out_bytes_per_s"),
        bus_bytes_per_s=bus,
        crowd=crowd,
    )


def _crowd(table: TomlTable) -> Crowd:
    table.refuse_others("most_flows", "factor")
    return Crowd(most_flows=table.whole("most_flows", least=1), factor=table.share("factor"))


def _compute(table: TomlTable) -> Compute:
    table.refuse_others("flop_per_s", "bytes_per_s")
    return Compute(**{key: table.rate(key) for key in table.values})


def _profile(table: TomlTable) -> Profile:
    table.refuse_others("summary", "collectives", "collective", "barrier", *Mode)
    collectives, own = (table.table(key, needed=False) for key in ("collectives", "collective"))
    collectives.refuse_others(*ALGORITHMS)
    own.refuse_others(*ALGORITHMS)
    barrier = _barrier(table.table("barrier")) if "barrier" in table.values else None
    for messages in (collectives, own):
        if barrier is not None and "barrier" in messages.values:
            what = f"{table.path} has a barrier by hardware and one of messages; leave one out"
            raise messages.error("barrier", what)
    modes = [mode for mode in Mode if mode in table.values or mode is Mode.STANDARD]
    return Profile(
        name=table.key,
        summary=table.word("summary"),
        pieces={mode: _pieces(table, mode) for mode in modes},
        collectives={key: collectives.choice(key, ALGORITHMS[key]) for key in collectives.values},
        barrier=barrier,
        collective_pieces={key: _pieces(own, key) for key in own.values},
    )


def _barrier(table: TomlTable) -> BarrierTime:
    table.refuse_others("base_s", "doubling_s", "rank_s")
    return BarrierTime(**{key: table.seconds(key) for key in ("base_s", *table.values)})


def _pieces(table: TomlTable, key: str) -> tuple[ProfilePiece, ...]:
    """By size, each from a larger one on, the first from 0."""
    rows = table.rows(key)
    pieces = tuple(map(_piece, rows))
    least = -1
    for row, piece in zip(rows, pieces, strict=True):
        if piece.least_bytes <= least or (least < 0 and piece.least_bytes != 0):
            what = "must be 0" if least < 0 else f"must be more than the {least} before it"
            seen = f"{row.path}.least_bytes = {piece.least_bytes}"
            raise row.error("least_bytes", f"{seen} {what}")
        least = piece.least_bytes
    return pieces


def _piece(table: TomlTable) -> ProfilePiece:
    table.refuse_others(
        "least_bytes", "send_overhead_s", "receive_overhead_s", "gap_s_per_byte", "synchronous",
        "copy_bytes_per_s",
    )  # fmt: skip
    return ProfilePiece(
        least_bytes=table.whole("least_bytes", least=0),
        send_overhead_s=table.seconds("send_overhead_s"),
        receive_overhead_s=table.seconds("receive_overhead_s"),
        gap_s_per_byte=table.seconds("gap_s_per_byte"),
        synchronous=table.truth("synchronous"),
        copy_bytes_per_s=table.optional_rate("copy_bytes_per_s"),
    )


# -- what must go together -------------------------------------------------------------------------


def _check_network(root: TomlTable, machine: MachineModel) -> None:
    kind = machine.network.partition(":")[0]
    if kind in FILE_KINDS:
        what = f"network = {machine.network!r} is in another file; write it as e.g. torus:8x8x8"
        raise root.error("network", what)
    try:
        whole = machine.allocate(1)
    except UsageError as error:
        raise root.error("network", f"network = {machine.network!r}: {error}") from None
    network = whole.network
    if machine.cores_per_node > 1 and kind in COUNTED_KINDS:
        what = f"is not for {machine.network!r}, which says it itself; write cores_per_node = 1"
        raise root.error("cores_per_node", f"cores_per_node = {machine.cores_per_node} {what}")
    levels = network.ancestors.shape[1] - 1 if isinstance(network, Tree) else 0
    if len(machine.links.parallel) > levels:
        what = f"has {len(machine.links.parallel)} levels, {machine.network!r} has {levels}"
        raise root.table("links").error("parallel", f"links.parallel {what} with links upwards")


def _check_sources(root: TomlTable, machine: MachineModel) -> None:
    """Every value has one, and every source or fit is one of a value."""
    keys = {_ROW.sub("", key) for key in root.leaves() if key.partition(".")[0] not in _UNSOURCED}
    keys = {key for key in keys if not key.endswith(".summary")}
    places = {place for key in keys for place in _places(key)}
    for table, given in (("sources", machine.sources), ("fitted", machine.fitted_to)):
        for key in given:
            if key not in places:
                raise root.table(table).error(key, f"{table}: there is no value {key!r}")
    for key in sorted(keys):
        if not any(place in machine.sources for place in _places(key)):
            what = f'{key} has no source; write under [sources] "{key}" = ".."'
            raise root.error(None, what)


def _places(key: str) -> list[str]:
    """The key itself, and all tables that it stands in."""
    words = key.split(".")
    return [".".join(words[:count]) for count in range(len(words), 0, -1)]
