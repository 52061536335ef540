"""What figures are measured in: as values are kept, and as a paper or a sentence prints them."""

from __future__ import annotations

from enum import Enum, StrEnum


class SIUnit(StrEnum):
    """What a value is measured in, wherever it is kept or handed to a program."""

    FACTOR = "times"
    SHARE = "share"
    HOPS = "hops"
    SECONDS = "s"
    PER_SECOND = "1/s"
    BYTES = "B"
    BYTES_PER_SECOND = "B/s"


class Unit(Enum):
    """What a figure is printed in."""

    FACTOR = ("times", SIUnit.FACTOR, 1.0)
    PERCENT = ("%", SIUnit.SHARE, 0.01)
    HOPS = ("hops", SIUnit.HOPS, 1.0)
    SECONDS = ("s", SIUnit.SECONDS, 1.0)
    MILLISECONDS = ("ms", SIUnit.SECONDS, 1e-3)
    MICROSECONDS = ("us", SIUnit.SECONDS, 1e-6)
    NANOSECONDS = ("ns", SIUnit.SECONDS, 1e-9)
    MEGABARRIERS_PER_SECOND = ("Mbarr/s", SIUnit.PER_SECOND, 1e6)
    MEGAOPERATIONS_PER_SECOND = ("Mop/s", SIUnit.PER_SECOND, 1e6)
    BYTES = ("B", SIUnit.BYTES, 1.0)
    BYTES_PER_SECOND = ("B/s", SIUnit.BYTES_PER_SECOND, 1.0)
    MEGABYTES_PER_SECOND = ("MB/s", SIUnit.BYTES_PER_SECOND, 1e6)
    MEBIBYTES_PER_SECOND = ("MiB/s", SIUnit.BYTES_PER_SECOND, 2**20)
    GIGABYTES_PER_SECOND = ("GB/s", SIUnit.BYTES_PER_SECOND, 1e9)
    MEGABITS_PER_SECOND = ("Mbit/s", SIUnit.BYTES_PER_SECOND, 1e6 / 8)

    def __init__(self, symbol: str, si: SIUnit, worth: float) -> None:
        """Takes the printed `symbol`; one of it is `worth` of `si`."""
        self.symbol, self.si, self.worth = symbol, si, worth
