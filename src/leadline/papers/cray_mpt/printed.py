"""The paper's four tables, by system: values and ids of their figures.

Its tests of messages contain "a couple of necessary barriers"; PVM's times, packing and unpacking.
Of the barriers' rates the J90's are cut off, not rounded; the T3D's come from unrounded times. One
word was reduced by puts and gets of the master, PE 0, a vector by a log2 reduction.
"""

from __future__ import annotations

from leadline.papers.catalogue import printed
from leadline.papers.cray_mpt import KEY

T3D, J90 = "CRAY T3D", "CRAY J90"
SYSTEMS = (T3D, J90)
NAMES = {T3D: "t3d", J90: "j90"}
"""Names of the systems in ids."""
PES = (2, 4, 8, 16)
"""Numbers of PEs in tables 2 to 4."""
VECTOR_BYTES = 800_000
"""Table 4: 100,000 numbers of 8 bytes on each PE."""
PROCESSORS = {T3D: int(printed(KEY, "t3d.pes")), J90: int(printed(KEY, "j90.cpus"))}


def value(system: str, table: str, *words: object) -> float:
    """In SI units the figure of `table` with these words in its id after the system's."""
    return printed(KEY, table, NAMES[system], *words)


def values(system: str, table: str, *words: object, of: tuple[str, ...]) -> tuple[float, ...]:
    """Several of them, by the last word of their ids."""
    return tuple(value(system, table, *words, last) for last in of)


def ids(table: str, *words: object) -> tuple[str, ...]:
    """Ids of a table's figures that both systems have, by the words after the system's."""
    return tuple(".".join(map(str, (KEY, table, name, *words))) for name in NAMES.values())
