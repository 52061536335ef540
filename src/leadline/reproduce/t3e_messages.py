"""What Frese and Knipp say of the T3E's messages in words: a library, or a kind, beside another.

Most of it follows from figures that the machine file is fitted to, and is labelled so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from leadline.reproduce.asked import Asked, in_a_loop
from leadline.reproduce.quantities import LINE_BYTES, halves, intercept, least_ratio, only
from leadline.reproduce.recipe import Seconds, SentenceRecipe
from leadline.studies.published import t3e_mpi as published

KEY = published.KEY
MACHINE = "cray-t3e-900"
PATTERNS = {"send": "pingpong", "ssend": "pingpong_sync", "isend": "pingpong_nonblocking"}
SIZES = tuple(1 << power for power in range(4, 22))
"""Of bandwidths: 16 B to 2 MiB."""
MPICH, CRAY = published.LIBRARIES
ALIKE, AS_MUCH = 0.10, 0.05
"""How far apart bandwidths may be that are alike, or the same."""
MORE = 1 + 1e-9


def ping_pongs(mode: str, library: str, sizes: tuple[int, ...]) -> tuple[Asked, ...]:
    """Between two PEs, one of each size."""
    return tuple(in_a_loop((MACHINE, library), PATTERNS[mode], 2, size) for size in sizes)


def rates(seconds: Seconds) -> list[float]:
    """B/s of each of SIZES."""
    return [size / time_s for size, time_s in zip(SIZES, seconds, strict=True)]


def most(seconds: Seconds) -> float:
    """The highest of `rates`."""
    return max(rates(seconds))


MEASURED: dict[str, tuple[tuple[int, ...], Callable[[Seconds], float]]] = {
    "bandwidth": (SIZES, most),
    "latency": ((0,), only),
    "intercept": (LINE_BYTES, intercept),
}
"""By the word of a figure's id: which sizes it takes, and what is made of them."""


def figure(mode: str, library: str, quantity: str) -> str:
    """Its id; of MPI_Isend's latencies the paper has a least and a most."""
    end = ".least" if (mode, quantity) == ("isend", "latency") else ""
    return f"{KEY}.{mode}.{library}.{quantity}{end}"


@dataclass(frozen=True, slots=True)
class Contrasted:
    """One quantity of a kind of message over a library, over that of another."""

    name: str
    text: str
    quantity: str
    one: tuple[str, str]
    """Kind and library."""
    other: tuple[str, str]
    least: float = MORE
    most: float = float("inf")

    def recipe(self) -> SentenceRecipe:
        """With the figures that it is about."""
        sizes, made = MEASURED[self.quantity]
        return SentenceRecipe(
            id=f"{KEY}.sentence.{self.name}",
            text=self.text,
            asked=(*ping_pongs(*self.one, sizes), *ping_pongs(*self.other, sizes)),
            ours=lambda seconds: _over(made, seconds),
            least=self.least,
            most=self.most,
            over=(figure(*self.one, self.quantity), figure(*self.other, self.quantity)),
        )


def _over(made: Callable[[Seconds], float], seconds: Seconds) -> float:
    one, other = halves(seconds)
    return made(one) / made(other)


def _libraries(mode: str) -> Iterator[Contrasted]:
    """Of one kind of message, Cray MPI's over MPICH's."""
    both, call = ((mode, CRAY), (mode, MPICH)), f"MPI_{mode.capitalize()}"
    text = f"MPICH's {call} has the lower latency"
    yield Contrasted(f"{mode}.latency", text, "latency", *both)
    if mode == "send":
        yield Contrasted(
            "send.intercept", f"MPICH's {call} has the lower intercept", "intercept", *both
        )
    if mode == "isend":
        text = f"MPICH's {call} has more bandwidth than Cray MPI's"
        yield Contrasted("isend.bandwidth", text, "bandwidth", both[1], both[0])


def _kinds(mode: str) -> Iterator[Contrasted]:
    """Of one library, over MPI_Send's."""
    for library, whose in ((MPICH, "MPICH's"), (CRAY, "Cray MPI's")):
        both, call = ((mode, library), ("send", library)), f"{whose} MPI_{mode.capitalize()}"
        text = f"{call} has a higher latency than its MPI_Send"
        yield Contrasted(f"{mode}.{library}.latency", text, "latency", *both)
        if mode == "isend":
            text = f"{call} has the bandwidth of its MPI_Send, within a twentieth"
            bounds = 1 - AS_MUCH, 1 + AS_MUCH
            yield Contrasted(f"isend.{library}.bandwidth", text, "bandwidth", *both, *bounds)


def _beside() -> Iterator[Contrasted]:
    for mode in PATTERNS:
        yield from _libraries(mode)
        if mode != "send":
            yield from _kinds(mode)
    both = ("ssend", MPICH), ("ssend", CRAY)
    text = "both have about the same bandwidth by MPI_Ssend, within a tenth"
    yield Contrasted("ssend.bandwidth", text, "bandwidth", *both, 1 - ALIKE, 1 + ALIKE)
    text = "Cray MPI has more bandwidth by MPI_Ssend than by MPI_Send"
    yield Contrasted("ssend.cray-mpi.bandwidth", text, "bandwidth", both[1], ("send", CRAY))


def _later(seconds: Seconds) -> float:
    """What large messages begin with over what an empty one takes."""
    return intercept(seconds[1:]) / seconds[0]


def _orders() -> Iterator[SentenceRecipe]:
    """Of figures 1 to 3, whose captions say which library's curve is above the other's."""
    for number, mode in enumerate(PATTERNS, 1):
        yield SentenceRecipe(
            id=f"{KEY}.sentence.{mode}.order",
            text=f"MPICH's MPI_{mode.capitalize()} has more bandwidth at every size (figure "
            f"{number})",
            asked=(*ping_pongs(mode, CRAY, SIZES), *ping_pongs(mode, MPICH, SIZES)),
            ours=least_ratio,
            least=MORE,
            rests_on=tuple(
                figure(mode, library, quantity)
                for library in (MPICH, CRAY)
                for quantity in MEASURED
            ),
        )


def sentences() -> Iterator[SentenceRecipe]:
    """All of them."""
    yield SentenceRecipe(
        id=f"{KEY}.sentence.send.later",
        text="in Cray MPI large messages have a longer latency than empty ones (intercept over "
        "latency)",
        asked=ping_pongs("send", CRAY, (0, *LINE_BYTES)),
        ours=_later,
        least=MORE,
        over=(figure("send", CRAY, "intercept"), figure("send", CRAY, "latency")),
    )
    yield from (one.recipe() for one in _beside())
    yield from _orders()
