"""Machine files: TOML in, a machine out, and back; those that are bundled with Leadline.

What is wrong in a file is reported with its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from leadline.errors import UsageError, unknown_name
from leadline.files import read_text
from leadline.record.foreign.names import FORMER_NAMES, current_label
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

FOLDER = Path(__file__).parent / "machines"
SUFFIX = ".toml"
MOST_BYTES = 2**20
"""Largest size of a machine file."""
ALLOCATIONS = ("first", "t3e")
TIES = ("one way", "split")
_UNSOURCED = ("name", "summary", "sources", "fitted")
_ROW = re.compile(r"\[\d+\]")


def shipped_names() -> tuple[str, ...]:
    """The names of all bundled machines."""
    return tuple(sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}")))


def machine_named(name: str) -> MachineModel:
    """A bundled machine, or the one that the file `name` describes.

    Args:
        name: E.g. "cray-t3e-900", or a path: something with a slash or the suffix .toml.

    Raises:
        UsageError: There is neither.
        FileError: The file isn't a machine's.
    """
    if name in shipped_names():
        path = FOLDER / f"{name}{SUFFIX}"
    elif "/" in name or name.endswith(SUFFIX):
        path = Path(name)
    else:
        raise unknown_name("machine", name, shipped_names())
    return parse_machine(read_text(path, MOST_BYTES), str(path))


# -- reading ---------------------------------------------------------------------------------------


def parse_machine(text: str, file: str) -> MachineModel:
    """The machine that `text`, the contents of `file`, describes.

    Raises:
        FileError: Not TOML, a key that is missing, unknown or given twice, an invalid value, or one
            without a source; with the line where there is one.
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
    bus, crowd = table.optional_rate("bus_bytes_per_s"), None
    if "crowd" in table.values:
        own = table.table("crowd")
        own.refuse_others("most_flows", "factor")
        crowd = Crowd(most_flows=own.whole("most_flows", least=1), factor=own.share("factor"))
        if bus is None:
            raise table.error("crowd", "nic.crowd is one of the bus; give nic.bus_bytes_per_s too")
    return Nic(
        latency_s=table.seconds("latency_s"),
        in_bytes_per_s=table.rate("in_bytes_per_s"),
        out_bytes_per_s=table.rate("out_bytes_per_s"),
        bus_bytes_per_s=bus,
        crowd=crowd,
    )


def _compute(table: TomlTable) -> Compute:
    table.refuse_others("flop_per_s", "bytes_per_s")
    return Compute(**{key: table.rate(key) for key in table.values})


def _profile(table: TomlTable) -> Profile:
    table.refuse_others("summary", "collectives", "collective", "barrier", *Mode)
    collectives, own = (table.table(key, needed=False) for key in ("collectives", "collective"))
    for of_patterns in (collectives, own):
        former = [key for key in of_patterns.values if FORMER_NAMES.get(key) in ALGORITHMS]
        of_patterns.refuse_others(*ALGORITHMS, *former)
        for key in former:
            if FORMER_NAMES[key] in of_patterns.values:
                what = f"{key} is {FORMER_NAMES[key]} by its former name, twice; leave one out"
                raise of_patterns.error(key, what)
    barrier = None
    if "barrier" in table.values:
        times = table.table("barrier")
        times.refuse_others("base_s", "doubling_s", "rank_s")
        barrier = BarrierTime(**{key: times.seconds(key) for key in ("base_s", *times.values)})
        for messages in (collectives, own):
            if "barrier" in messages.values:
                what = f"{table.path} has a barrier by hardware and one of messages; leave one out"
                raise messages.error("barrier", what)
    modes = [mode for mode in Mode if mode in table.values or mode is Mode.STANDARD]
    return Profile(
        name=table.key,
        summary=table.word("summary"),
        pieces={mode: _pieces(table, mode) for mode in modes},
        collectives={
            (pattern := current_label(key)): collectives.choice(key, ALGORITHMS[pattern])
            for key in collectives.values
        },
        barrier=barrier,
        collective_pieces={current_label(key): _pieces(own, key) for key in own.values},
    )


def _pieces(table: TomlTable, key: str) -> tuple[ProfilePiece, ...]:
    """By size, each from a larger one on, the first from 0."""
    rows, pieces = table.rows(key), list[ProfilePiece]()
    for row in rows:
        row.refuse_others(
            "least_bytes", "send_overhead_s", "receive_overhead_s", "gap_s_per_byte", "synchronous",
            "copy_bytes_per_s",
        )  # fmt: skip
        piece = ProfilePiece(
            least_bytes=row.whole("least_bytes", least=0),
            send_overhead_s=row.seconds("send_overhead_s"),
            receive_overhead_s=row.seconds("receive_overhead_s"),
            gap_s_per_byte=row.seconds("gap_s_per_byte"),
            synchronous=row.truth("synchronous"),
            copy_bytes_per_s=row.optional_rate("copy_bytes_per_s"),
        )
        pieces.append(piece)
    least = -1
    for row, piece in zip(rows, pieces, strict=True):
        if piece.least_bytes <= least or (least < 0 and piece.least_bytes != 0):
            what = "must be 0" if least < 0 else f"must be more than the {least} before it"
            seen = f"{row.path}.least_bytes = {piece.least_bytes}"
            raise row.error("least_bytes", f"{seen} {what}")
        least = piece.least_bytes
    return tuple(pieces)


def _check_network(root: TomlTable, machine: MachineModel) -> None:
    """FileError: the network is none, or doesn't go with the cores or the parallel links."""
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
    """FileError: a value has no source, or a source or fit belongs to no value."""
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


# -- writing ---------------------------------------------------------------------------------------


def machine_text(machine: MachineModel) -> str:
    """TOML that `parse_machine` reads, for a machine that was calibrated from a run.

    Args:
        machine: Without a crowd, a hardware barrier or rates of computing, and with sources.
    """
    return "\n".join(_machine_lines(machine)) + "\n"


def _machine_lines(machine: MachineModel) -> Iterator[str]:
    yield from (
        f"name = {_quoted(machine.name)}",
        f"summary = {_quoted(machine.summary)}",
        f"network = {_quoted(machine.network)}",
        f"allocation = {_quoted(machine.allocation)}",
        f"cores_per_node = {machine.cores_per_node}",
        f"ties = {_quoted('split' if machine.split_ties else 'one way')}",
        "\n[links]",
        f"bytes_per_s = {machine.links.bytes_per_s!r}",
        f"latency_s = {machine.links.latency_s!r}",
        "\n[nic]",
        f"latency_s = {machine.nic.latency_s!r}",
        f"in_bytes_per_s = {machine.nic.in_bytes_per_s!r}",
        f"out_bytes_per_s = {machine.nic.out_bytes_per_s!r}",
    )
    if machine.nic.bus_bytes_per_s is not None:
        yield f"bus_bytes_per_s = {machine.nic.bus_bytes_per_s!r}"
    for profile in machine.profiles.values():
        path = f"profiles.{_quoted(profile.name)}"
        yield from (f"\n[{path}]", f"summary = {_quoted(profile.summary)}")
        if profile.collectives:
            yield f"\n[{path}.collectives]"
            yield from (f"{key} = {_quoted(word)}" for key, word in profile.collectives.items())
        for mode, pieces in profile.pieces.items():
            yield from _piece_lines(f"{path}.{mode}", pieces)
        for collective, pieces in profile.collective_pieces.items():
            yield from _piece_lines(f"{path}.collective.{collective}", pieces)
    yield "\n[sources]"
    yield from (f"{_quoted(key)} = {_quoted(source)}" for key, source in machine.sources.items())
    yield "\n[fitted]"
    for key, figures in machine.fitted_to.items():
        yield f"{_quoted(key)} = [{', '.join(map(_quoted, figures))}]"


def _piece_lines(path: str, pieces: Sequence[ProfilePiece]) -> Iterator[str]:
    for piece in pieces:
        yield from (
            f"\n[[{path}]]",
            f"least_bytes = {piece.least_bytes}",
            f"send_overhead_s = {piece.send_overhead_s!r}",
            f"receive_overhead_s = {piece.receive_overhead_s!r}",
            f"gap_s_per_byte = {piece.gap_s_per_byte!r}",
        )


def _quoted(value: str) -> str:
    """A string of TOML, in which DEL is a control character; undecodable bytes are escaped."""
    readable = value.encode("utf-8", "backslashreplace").decode("utf-8")
    return json.dumps(readable, ensure_ascii=False).replace("\x7f", "\\u007f")
