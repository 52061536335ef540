"""Machine files: TOML in, a machine out, and back; those that are bundled with Leadline.

What is wrong in a file is reported with its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.errors import UsageError, unknown_name
from leadline.files import read_text
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.record.terms import FORMER_NAMES, current_label
from leadline.simulate.machine import (
    MachineModel,
    Mode,
    Profile,
    ProfilePiece,
)
from leadline.simulate.tables import TomlTable, load_table
from leadline.topology.networks import Tree
from leadline.topology.words import COUNTED_KINDS, FILE_KINDS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FOLDER = Path(__file__).parent / "machines"
SUFFIX = ".toml"
MOST_BYTES = 2**20
"""Largest size of a machine file."""
_UNSOURCED = ("name", "summary", "sources", "fitted")
_NO_KEYS: Mapping[type, Collection[str]] = {MachineModel: ("text",), Profile: ("name",)}
"""Fields that aren't keys of a machine file."""
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
    machine = root.read(
        MachineModel,
        {
            "profiles": lambda of: {
                each.key: _profile(each) for each in of.table("profiles").tables()
            },
            "text": lambda _: text,
        },
        ["profiles"],
    )
    if machine.nic.crowd and machine.nic.bus_bytes_per_s is None:
        what = "nic.crowd is one of the bus; give nic.bus_bytes_per_s too"
        raise root.table("nic").error("crowd", what)
    _check_network(root, machine)
    _check_sources(root, machine)
    return machine


def _profile(table: TomlTable) -> Profile:
    """A library's costs; those of each mode are a list of tables under the mode's name."""

    def pieces(table: TomlTable) -> dict[Mode, tuple[ProfilePiece, ...]]:
        modes = [mode for mode in Mode if mode in table.values or mode is Mode.STANDARD]
        return {mode: _pieces(table, mode) for mode in modes}

    def algorithms(table: TomlTable) -> dict[str, str]:
        chosen = _of_collectives(table, "collectives")
        return {
            (pattern := current_label(key)): chosen.choice(key, ALGORITHMS[pattern])
            for key in chosen.values
        }

    def own_pieces(table: TomlTable) -> dict[str, tuple[ProfilePiece, ...]]:
        own = _of_collectives(table, "collective")
        return {current_label(key): _pieces(own, key) for key in own.values}

    return table.read(
        Profile,
        {
            "name": lambda table: table.key,
            "pieces": pieces,
            "collectives": algorithms,
            "collective_pieces": own_pieces,
        },
        ["collectives", "collective", *Mode],
    )


def _of_collectives(table: TomlTable, key: str) -> TomlTable:
    """The table under `key`, empty where there is none, whose keys are collectives.

    Former names stand for those of today.
    """
    collectives = table.table(key, needed=False)
    former = [name for name in collectives.values if FORMER_NAMES.get(name) in ALGORITHMS]
    collectives.refuse_others(*ALGORITHMS, *former)
    for name in former:
        if FORMER_NAMES[name] in collectives.values:
            what = f"{name} is {FORMER_NAMES[name]} by its former name, twice; leave one out"
            raise collectives.error(name, what)
    if "barrier" in table.values and "barrier" in collectives.values:
        what = f"{table.path} has a barrier by hardware and one of messages; leave one out"
        raise collectives.error("barrier", what)
    return collectives


def _pieces(table: TomlTable, key: str) -> tuple[ProfilePiece, ...]:
    """By size, each from a larger one on, the first from 0."""
    rows = table.rows(key)
    pieces = tuple(row.read(ProfilePiece) for row in rows)
    least = -1
    for row, piece in zip(rows, pieces, strict=True):
        if piece.least_bytes <= least or (least < 0 and piece.least_bytes != 0):
            what = "must be 0" if least < 0 else f"must be more than the {least} before it"
            seen = f"{row.path}.least_bytes = {piece.least_bytes}"
            raise row.error("least_bytes", f"{seen} {what}")
        least = piece.least_bytes
    return pieces


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
    for table, given in (("sources", machine.sources), ("fitted", machine.fitted)):
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
    """TOML that `parse_machine` reads as `machine`; what has its default is left out."""
    lines = [*_value_lines(machine)]
    for key in ("links", "nic", "compute"):
        lines += _table_lines(key, getattr(machine, key))
    if machine.nic.crowd:
        lines += _table_lines("nic.crowd", machine.nic.crowd)
    for profile in machine.profiles.values():
        path = f"profiles.{_quoted(profile.name)}"
        lines += _table_lines(path, profile)
        if profile.collectives:
            lines.append(f"\n[{path}.collectives]")
            lines += (f"{key} = {_quoted(word)}" for key, word in profile.collectives.items())
        if profile.barrier:
            lines += _table_lines(f"{path}.barrier", profile.barrier)
        own = {f"collective.{key}": pieces for key, pieces in profile.collective_pieces.items()}
        for key, pieces in (*profile.pieces.items(), *own.items()):
            for piece in pieces:
                lines += [f"\n[[{path}.{key}]]", *_value_lines(piece)]
    lines.append("\n[sources]")
    lines += (f"{_quoted(key)} = {_quoted(source)}" for key, source in machine.sources.items())
    lines.append("\n[fitted]")
    for key, figures in machine.fitted.items():
        lines.append(f"{_quoted(key)} = [{', '.join(map(_quoted, figures))}]")
    return "\n".join(lines) + "\n"


def _table_lines(path: str, table: DataclassInstance) -> list[str]:
    """A table and its values; nothing where all of them are left out."""
    values = list(_value_lines(table))
    return [f"\n[{path}]", *values] if values else []


def _value_lines(table: DataclassInstance) -> Iterator[str]:
    """A line for each value that isn't its default, without the tables in `table`."""
    for field in fields(table):
        value = getattr(table, field.name)
        if value == field.default or field.name in _NO_KEYS.get(type(table), ()):
            continue
        match value:
            case bool():
                yield f"{field.name} = {str(value).lower()}"
            case str():
                yield f"{field.name} = {_quoted(value)}"
            case int() | float():
                yield f"{field.name} = {value!r}"
            case tuple():
                yield f"{field.name} = {list(value)}"
            case _ if not isinstance(value, Mapping) and not is_dataclass(value):
                raise TypeError(f"{field.name} = {value!r} has no form in a machine file")


def _quoted(value: str) -> str:
    """A string of TOML, in which DEL is a control character; undecodable bytes are escaped."""
    readable = value.encode("utf-8", "backslashreplace").decode("utf-8")
    return json.dumps(readable, ensure_ascii=False).replace("\x7f", "\\u007f")
