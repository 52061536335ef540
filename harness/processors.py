"""Processors that this machine isn't: programs compiled for them, and run by an emulator.

qemu-user shows that sources compile, link and compute right elsewhere, with other cache lines,
pages and signs of `char`. It says nothing of the order of loads and stores: what it runs keeps the
order of the processor below, which on x86 is stronger. For that there is harness/orders.py.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Processor:
    """How to compile for it, run it, and read what `objdump -dr` says of its code."""

    name: str
    triplet: str
    emulator: tuple[str, ...]
    call: str
    """A direct call's relocation, the function's name as its group."""
    indirect: str
    """An instruction that jumps, or calls, where a register says."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What makes leadline compile for it."""

    @property
    def objdump(self) -> str:
        return f"{self.triplet}-objdump" if self.emulator else "objdump"

    def runs(self, program: Path, into: Path) -> Path:
        """A command in `into` that runs `program`, compiled for this processor, here."""
        command = into / f"{self.name}-{program.name}"
        words = shlex.join([*self.emulator, str(program)])
        command.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        command.chmod(0o755)
        return command

    def calls_in(self, function: str, listing: str) -> tuple[list[str], list[str]]:
        """(names called directly, indirect transfers) in `function` of a listing."""
        parts = re.split(r"^[0-9a-f]+ <([^>]+)>:$", listing, flags=re.MULTILINE)
        names, bodies = parts[1::2], parts[2::2]
        mine = [b for n, b in zip(names, bodies, strict=True) if n.split(".")[0] == function]
        body = "\n".join(mine)
        return re.findall(self.call, body), re.findall(self.indirect, body)


def _foreign(
    name: str, triplet: str, emulator: tuple[str, ...], call: str, indirect: str
) -> Processor:
    tools = {"CC": f"{triplet}-gcc", "AR": f"{triplet}-ar"}
    return Processor(name, triplet, (*emulator, "-L", f"/usr/{triplet}"), call, indirect, tools)


HERE = Processor(
    "x86_64",
    "x86_64-linux-gnu",
    (),
    r"R_X86_64_(?:PLT32|PC32)\s+(\w+)-0x4",
    r"\b(?:call|jmp)q?\s+\*\S+",
)
"""The one that the suite runs on."""
AARCH64 = _foreign(
    "aarch64",
    "aarch64-linux-gnu",
    ("qemu-aarch64",),
    r"R_AARCH64_(?:CALL26|JUMP26)\s+(\w+)",
    r"\b(?:blr|br)\s+x\d+",
)
PPC64LE = _foreign(
    "ppc64le",
    "powerpc64le-linux-gnu",
    ("qemu-ppc64le", "-p", "65536"),
    r"R_PPC64_REL24(?:_NOTOC)?\s+(\w+)",
    r"\b(?:bctrl?|blrl)\b",
)
"""With its usual pages of 64 KiB."""
FOREIGN = (AARCH64, PPC64LE)
