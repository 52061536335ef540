"""Faults planted in what is mutated, which the mutators of `bench.faults` must see.

Functions of a module, for another process makes their attacks.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench import faults_case, faults_imports, faults_machines, faults_stored
from bench.faults import MAKERS
from bench.faults_case import DIED, MEMORY, SILENT, SLOW, TRACEBACK, Attack, Maker
from bench.faults_commands import Said

from leadline import cli
from leadline.cli.reading import Reader
from leadline.kernels.credentials import Credentials
from leadline.kernels.messages import Inbox
from leadline.record.batches import batches_of
from leadline.record.run import Run
from leadline.simulate import shipped
from leadline.store import load
from leadline.topology.readers import hostfile

LIMIT_S = 0.5
"""Of these; a fault that turns for ever needn't turn for longer."""


def _raises(*_: object, **__: object) -> None:
    raise IndexError("list index out of range")


def _says_nothing(*_: object) -> list[object]:
    return []


def _drops(directory: Path) -> Run:
    """The run without what was recorded last, and without a word."""
    run = load(directory)
    none = batches_of([]), None, None
    return replace(run, batches=none[0], strips=none[1], conditions=none[2], stated=(), warnings=())


def _allocates(*_: object) -> int:
    return len(bytearray(2**31))


def _turns(*_: object) -> None:
    end = time.process_time() + 60
    while time.process_time() < end:
        pass


def _states_no_time(*_: object) -> Said:
    return Said(0, '{"rows": [{"median_s": null}]}', "")


def _ends(*_: object) -> None:
    os._exit(7)


def _lets_everybody_in(*_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault: in whose attack what does something else, and what that is to be seen as."""

    mutator: str
    owner: Any
    name: str
    fault: Callable[..., object]
    seen: str
    attempts: int = 2
    """In which it is to be seen."""


PLANTED: Mapping[str, Planted] = {
    "reader-raises": Planted("raw", faults_stored, "load", _raises, TRACEBACK),
    "reader-drops-in-silence": Planted("raw", faults_stored, "load", _drops, SILENT, 4),
    "reader-allocates": Planted("raw", faults_stored, "load", _allocates, MEMORY),
    "reader-turns": Planted("raw", faults_stored, "load", _turns, SLOW, 1),
    "commands-say-nothing": Planted("raw", Reader, "_tell", _says_nothing, SILENT, 20),
    "values-dropped-in-silence": Planted("resealed", faults_stored, "load", _drops, SILENT, 4),
    "import-not-read-back": Planted("import", faults_imports, "load", _drops, SILENT, 20),
    "hosts-reader-raises": Planted("map", hostfile, "whole", _raises, TRACEBACK, 30),
    "machine-reader-raises": Planted("machine", shipped, "parse_machine", _raises, TRACEBACK),
    "simulation-states-no-time": Planted(
        "machine", faults_machines, "_simulated", _states_no_time, SILENT
    ),
    "command-raises": Planted("words", cli, "parser_for", _raises, TRACEBACK),
    "reader-ends-the-process": Planted("raw", faults_stored, "load", _ends, DIED, 1),
    "message-reader-raises": Planted("channel", Inbox, "_result", _raises, TRACEBACK, 5),
    "strangers-let-in": Planted(
        "channel", Credentials, "are_proved_by", _lets_everybody_in, SILENT, 60
    ),
}
"""By what goes wrong."""


def _planted(name: str, folder: Path) -> Attack:
    one = PLANTED[name]
    attack = MAKERS[one.mutator](folder)
    faults_case.LIMIT_S = LIMIT_S

    def attack_with_fault(rng: random.Random) -> str:
        with patch.object(one.owner, one.name, one.fault):
            return attack(rng)

    return attack_with_fault


FAULTY: Mapping[str, Maker] = {name: partial(_planted, name) for name in PLANTED}
