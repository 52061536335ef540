"""Faults to be planted in what reads mutations: their properties must see them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from leadline.record.batches import batches_of
from leadline.record.run import Run
from leadline.store import load


def raises(*_: object, **__: object) -> None:
    """As what isn't foreseen."""
    raise IndexError("list index out of range")


def drops(directory: Path) -> Run:
    """The run without what was recorded last, and without a word."""
    none = batches_of([])
    run = replace(load(directory), batches=none, strips=None, conditions=None)
    return replace(run, stated=(), warnings=())


def allocates(*_: object) -> int:
    """More than there may be."""
    return len(bytearray(2**31))


def turns(*_: object) -> None:
    """For longer than it may."""
    end = time.process_time() + 60
    while time.process_time() < end:
        pass


def waits(*_: object) -> None:
    """For nothing."""
    time.sleep(600)
