"""The switch's medium in a time of its own: frames in, hand-computed deliveries out."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.places import ROOT

from leadline import native
from leadline.native.compiler import C_FLAGS, c_compiler

SOURCES = native.FOLDER / "switch"
UNITS = ("frame", "line", "medium")
SANITISED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@dataclass(frozen=True)
class Sent:
    """A frame given to the medium; receiver 0: all others."""

    arrival_ns: int
    sender: int
    receiver: int
    size_bytes: int

    def __str__(self) -> str:
        return f"frame {self.arrival_ns} {self.sender} {self.receiver} {self.size_bytes}"


@dataclass(frozen=True)
class Delivered:
    """What came of it."""

    sender: int
    receiver: int
    start_ns: int
    end_ns: int
    due_ns: int


@dataclass(frozen=True)
class Form:
    """A medium."""

    shared: bool = False
    atm: bool = False
    ports: int = 3
    rate_bits_per_s: int = 10_000_000
    delay_ns: int = 0
    queue_bytes: int = 1 << 24

    def __str__(self) -> str:
        return (
            f"form {int(self.shared)} {int(self.atm)} {self.ports} {self.rate_bits_per_s} "
            f"{self.delay_ns} {self.queue_bytes}"
        )


def build_medium(into: Path, sources: Path = SOURCES, flags: Sequence[str] = SANITISED) -> Path:
    """The driver, over the medium in `sources`."""
    return build_driver("medium", UNITS, into, sources, flags)


def build_driver(
    name: str,
    units: Sequence[str],
    into: Path,
    sources: Path = SOURCES,
    flags: Sequence[str] = SANITISED,
) -> Path:
    """The program tests/native/`name`.c over these units of the switch."""
    target = into / name
    files = [ROOT / "tests" / "native" / f"{name}.c", *(sources / f"{u}.c" for u in units)]
    words = [c_compiler(), *C_FLAGS, *flags, f"-I{sources}", *map(str, files)]
    subprocess.run([*words, "-o", str(target)], check=True)
    return target


def lines_of(driver: Path, *orders: object) -> list[list[int]]:
    """What the driver prints for these orders, a line each."""
    text = "\n".join(map(str, orders)) + "\n"
    done = subprocess.run([driver], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def delivered(driver: Path, form: Form, orders: Sequence[object]) -> list[Delivered]:
    """The deliveries, in their order, each made when it was due."""
    lines = lines_of(driver, form, *orders)
    assert all(line[4] == line[5] for line in lines)
    return [Delivered(*line[:5]) for line in lines]
