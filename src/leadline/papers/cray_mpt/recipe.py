"""Lopez-Pineda on the T3D and the J90: four tables, and NAS MG.

Latency is that of a message without bytes, bandwidth the slope over long ones. Barriers follow each
other in a loop; sums are carried out one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from leadline.papers.catalogue import figure_of, paper_of
from leadline.papers.cray_mpt import KEY
from leadline.papers.cray_mpt.nas_mg import CLASSES
from leadline.papers.cray_mpt.printed import J90, PES, T3D
from leadline.papers.recipe import (
    CellAt,
    DrawnCurve,
    DrawnPoint,
    FigureRecipe,
    PaperRecipes,
    Recipe,
    SentenceRecipe,
    rated,
    timed,
)
from leadline.papers.simulation import (
    LINE_BYTES,
    CellSpec,
    Machines,
    Seconds,
    alone,
    halves,
    in_a_loop,
    least_ratio,
    only,
    per_second,
    ratio,
    ratio_of,
    ratios,
    slope_rate,
)
from leadline.papers.units import Unit

MACHINES = {"t3d": "cray-t3d", "j90": "cray-j90"}
"""By their names in ids."""
LIBRARIES = ("pvm", "shmem")
SHMEM = "shmem"
SUMS = {"gsum": "gsum_master", "gmax": "gmax_master", "gland": "gland_master"}
"""Sums of one word, whatever size is asked for."""
SMALL_BYTES = (0, 8, 64, 256, 1024)
NOT_FAR = 3.0
"""How far "not far behind" is; the paper's sums take at most 2.9 times the T3D's."""
LINE = "a line through four times that no line goes through; the least squares of it"
MASTER = (
    "the simulation has a word's way and barriers of messages, the same for all three; how the "
    "master puts and gets isn't printed"
)
STAGES = (
    "the same work in each stage; the paper's times grow faster, of the memory that all share, for "
    "which the file sets no limit"
)
MG, MG_CLASS = "mg_puts", "A"
"""NAS MG by puts, as a port of the T3D's would have it; which class and way isn't printed."""
COMPUTING = (
    "mostly computing: a PE's rate was fitted to it, by class A with its four iterations, which "
    "aren't printed; by the rate of memory alone it would take {}"
)
MEMORY_ALONE = {"t3d": "7.6 s", "j90": "3.4 s"}
"""NAS MG where computing took but what table 4 says of memory."""


def _barrier(system: str, pes: int) -> CellSpec:
    return in_a_loop((MACHINES[system], SHMEM), "barrier", pes, 0)


def _word_sum(system: str, pes: int, name: str = "gsum") -> CellSpec:
    return alone((MACHINES[system], SHMEM), SUMS[name], pes, 0)


def _vector_sum(system: str, pes: int) -> CellSpec:
    size = int(figure_of(f"{KEY}.table4.{system}.{pes}").bytes)
    return alone((MACHINES[system], SHMEM), "vector_sum_log2", pes, size)


def solving(system: str, pes: int) -> CellSpec:
    """An iteration of NAS MG."""
    return in_a_loop((MACHINES[system], SHMEM), f"{MG}:{MG_CLASS}", pes, 0)


def solution(seconds: Seconds) -> float:
    """All iterations of NAS MG."""
    return CLASSES[MG_CLASS].iterations * only(seconds)


def _messages(system: str, library: str, *sizes: int) -> tuple[CellSpec, ...]:
    where = MACHINES[system], library
    return tuple(in_a_loop(where, "pingpong", 2, size) for size in sizes)


SPEEDS: dict[str, tuple[tuple[int, ...], Callable[[Seconds], float]]] = {
    "latency": ((0,), only),
    "bandwidth": (LINE_BYTES, slope_rate),
}
"""Table 1, by the last word of ids: which sizes it takes, and what is made of them."""

FIGURES = (
    *(
        Recipe(
            figure=f"{KEY}.table1.{system}.{library}.{quantity}",
            cells=_messages(system, library, *sizes),
            ours=ours,
        )
        for system in MACHINES
        for library in LIBRARIES
        for quantity, (sizes, ours) in SPEEDS.items()
    ),
    *(
        Recipe(
            figure=f"{KEY}.table2.{system}.{pes}.{quantity}",
            cells=(_barrier(system, pes),),
            ours=ours,
            reason=LINE if system == "j90" else "",
        )
        for system in MACHINES
        for pes in PES
        for quantity, ours in (("time", only), ("rate", per_second))
    ),
    *(
        Recipe(
            figure=f"{KEY}.table3.{system}.{pes}.{name}",
            cells=(_word_sum(system, pes, name),),
            ours=only,
            reason=MASTER,
        )
        for system in MACHINES
        for pes in PES
        for name in SUMS
    ),
    *(
        Recipe(
            figure=f"{KEY}.table4.{system}.{pes}",
            cells=(_vector_sum(system, pes),),
            ours=only,
            reason=STAGES if system == "j90" else "",
        )
        for system in MACHINES
        for pes in PES
    ),
    *(
        Recipe(
            figure=f"{KEY}.nas-mg.{system}.16",
            cells=(solving(system, figure_of(f"{KEY}.nas-mg.{system}.16").ranks),),
            ours=solution,
            reason=COMPUTING.format(MEMORY_ALONE[system]),
        )
        for system in MACHINES
    ),
)


# -- sentences -------------------------------------------------------------------------------------


def _least_lead_in_rate(seconds: Seconds) -> float:
    """The least ratio of an asymptotic rate of the first half to its like of the second.

    Two times a rate, of LINE_BYTES.
    """
    first, second = (
        [slope_rate(line) for line in zip(half[::2], half[1::2], strict=True)]
        for half in halves(seconds)
    )
    return min(rate / other for rate, other in zip(first, second, strict=True))


def _half_length(seconds: Seconds) -> float:
    """How many bytes have half of the asymptotic rate: the latency times it."""
    latency, *line = seconds
    return latency * slope_rate(line)


def _greatest_of_costs(seconds: Seconds) -> float:
    """Vectors over words, of the first half, over the same of the second."""
    first, second = map(ratios, halves(seconds))
    return max(cost / other for cost, other in zip(first, second, strict=True))


TABLE_1 = {
    speed: [
        f"{KEY}.table1.{system}.{library}.{speed}" for system in MACHINES for library in LIBRARIES
    ]
    for speed in SPEEDS
}
"""Ids of its figures, by their last word."""
BARRIERS = {system: tuple(_barrier(system, pes) for pes in PES) for system in MACHINES}
BARRIER_TIMES = {
    system: tuple(f"{KEY}.table2.{system}.{pes}.time" for pes in PES) for system in MACHINES
}
"""Ids of the figures of BARRIERS."""
WORDS = {system: [_word_sum(system, pes) for pes in PES] for system in MACHINES}
VECTORS = {system: [_vector_sum(system, pes) for pes in PES] for system in MACHINES}

SENTENCES = (
    SentenceRecipe(
        id=f"{KEY}.sentence.barrier-t3d",
        text="the T3D's barrier grows with the logarithm of the PEs",
        cells=BARRIERS["t3d"],
        # what the last doubling adds over what the first does: 1 where it is a logarithm
        ours=lambda seconds: (seconds[3] - seconds[2]) / (seconds[1] - seconds[0]),
        least=0.8,
        most=1.25,
        rests_on=BARRIER_TIMES["t3d"],
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.barrier-j90",
        text="the J90's grows about as their number: from 2 to 16, 8-fold within a factor of 1.5",
        cells=tuple(_barrier("j90", pes) for pes in (16, 2)),
        ours=ratio,
        least=8 / 1.5,
        most=8 * 1.5,
        over=(f"{KEY}.table2.j90.16.time", f"{KEY}.table2.j90.2.time"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.long-packets",
        text="long packets allow for better results on the J90 than on the T3D, up to 8 PEs",
        cells=tuple(_vector_sum(system, pes) for system in MACHINES for pes in (2, 4, 8)),
        ours=least_ratio,
        least=1.0,
        over=(f"{KEY}.table4.t3d.8", f"{KEY}.table4.j90.8"),
        rests_on=tuple(f"{KEY}.table4.{system}.{pes}" for system in MACHINES for pes in (2, 4)),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.vector-sum-16",
        text="on 16 PEs the J90's vector sum is no faster than the T3D's, as printed",
        cells=tuple(_vector_sum(system, 16) for system in MACHINES),
        ours=ratio,
        most=1.0,
        over=(f"{KEY}.table4.t3d.16", f"{KEY}.table4.j90.16"),
        reason=STAGES,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.nas-mg",
        text="NAS MG takes less time on the J90 than on the T3D",
        cells=tuple(solving(system, 16) for system in ("j90", "t3d")),
        ours=ratio,
        most=1.0,
        over=(f"{KEY}.nas-mg.j90.16", f"{KEY}.nas-mg.t3d.16"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.one-word-sums",
        text="sums of one word are faster on the T3D than on the J90",
        cells=tuple(
            _word_sum(system, pes, name)
            for system in ("j90", "t3d")
            for name in SUMS
            for pes in PES
        ),
        ours=least_ratio,
        least=1.0,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.shmem-latency",
        text="SHMEM has a lower latency than PVM on both",
        cells=tuple(
            spec
            for library in LIBRARIES
            for system in MACHINES
            for spec in _messages(system, library, 0)
        ),
        ours=least_ratio,
        least=1.0,
        rests_on=tuple(TABLE_1["latency"]),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.shmem-bandwidth",
        text="SHMEM has a higher bandwidth than PVM on both",
        cells=tuple(
            spec
            for library in reversed(LIBRARIES)
            for system in MACHINES
            for spec in _messages(system, library, *LINE_BYTES)
        ),
        ours=_least_lead_in_rate,
        least=1.0,
        rests_on=tuple(TABLE_1["bandwidth"]),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.j90-bandwidth",
        text="the J90's shared memory has more bandwidth than the T3D's network, by SHMEM",
        cells=tuple(
            spec for system in ("j90", "t3d") for spec in _messages(system, SHMEM, *LINE_BYTES)
        ),
        ours=_least_lead_in_rate,
        least=1.0,
        over=(f"{KEY}.table1.j90.shmem.bandwidth", f"{KEY}.table1.t3d.shmem.bandwidth"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.longer-packets",
        text="it takes longer packets to reach that bandwidth (half of it: J90's over T3D's)",
        cells=tuple(
            spec for system in ("j90", "t3d") for spec in _messages(system, SHMEM, 0, *LINE_BYTES)
        ),
        ours=ratio_of(_half_length),
        least=1.0,
        rests_on=tuple(name for kind in TABLE_1.values() for name in kind if SHMEM in name),
    ),
    *(
        SentenceRecipe(
            id=f"{KEY}.sentence.small-packets-{library}",
            text=f"small packets are faster on the T3D, by {library.upper()} (up to 1,024 B)",
            cells=tuple(
                spec
                for system in ("j90", "t3d")
                for spec in _messages(system, library, *SMALL_BYTES)
            ),
            ours=least_ratio,
            least=1.0,
            over=(f"{KEY}.table1.j90.{library}.latency", f"{KEY}.table1.t3d.{library}.latency"),
            rests_on=tuple(name for name in TABLE_1["bandwidth"] if library in name),
        )
        for library in LIBRARIES
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.barrier-grows",
        text="a barrier takes longer with more PEs on both (the least of doublings)",
        cells=(
            *(x for barrier in BARRIERS.values() for x in barrier[1:]),
            *(x for barrier in BARRIERS.values() for x in barrier[:-1]),
        ),
        ours=least_ratio,
        least=1.0,
        rests_on=tuple(name for time in BARRIER_TIMES.values() for name in time),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.barrier-hardware",
        text="the T3D's hardware barrier beats the J90's in software, on 2 to 16",
        cells=(*BARRIERS["j90"], *BARRIERS["t3d"]),
        ours=least_ratio,
        least=1.0,
        over=(BARRIER_TIMES["j90"][0], BARRIER_TIMES["t3d"][0]),
        rests_on=tuple(name for time in BARRIER_TIMES.values() for name in time),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.word-keeps-up",
        text="the J90's sums of one word aren't far behind the T3D's, within a factor of 3",
        cells=(*WORDS["j90"], *WORDS["t3d"]),
        ours=lambda seconds: max(ratios(seconds)),
        most=NOT_FAR,
        over=(f"{KEY}.table3.j90.16.gsum", f"{KEY}.table3.t3d.16.gsum"),
        reason=MASTER,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.vectors-suit",
        text="going from one word to 100,000 costs the J90 less than the T3D, on 2 to 8",
        cells=(*VECTORS["j90"][:3], *WORDS["j90"][:3], *VECTORS["t3d"][:3], *WORDS["t3d"][:3]),
        ours=_greatest_of_costs,
        most=1.0,
    ),
)


# -- drawings --------------------------------------------------------------------------------------


SYSTEMS = {"t3d": T3D, "j90": J90}
SIZES = tuple(1 << power for power in range(4, 25))
"""16 B to 16 MiB."""
SOLVING_PES = (1, 2, 4, 8, 16, 32)


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """Tables 1 to 4, and NAS MG."""
    yield FigureRecipe(
        id=f"{KEY}.table1",
        where="Table 1",
        title="Bandwidth against message size",
        quantity="bandwidth",
        unit=Unit.MEGABYTES_PER_SECOND,
        curves=tuple(
            DrawnCurve(
                f"{library.upper()}, {name}",
                library,
                MACHINES[system],
                rated(partial(in_a_loop, (MACHINES[system], library), "pingpong", 2), SIZES),
                ((SIZES[-1], f"{KEY}.table1.{system}.{library}.bandwidth"),),
            )
            for system, name in SYSTEMS.items()
            for library in LIBRARIES
        ),
        logarithmic=True,
        note="The asymptotic rates, of no size, are at the largest.",
    )
    yield _against_pes(
        "table2",
        "Barriers in a loop",
        Unit.MICROSECONDS,
        [
            _curve(system, "", partial(_barrier, system), f"table2.{system}.{{}}.time")
            for system in SYSTEMS
        ],
    )
    yield _against_pes(
        "table3",
        "Sums of one word",
        Unit.MICROSECONDS,
        [
            _curve(
                system,
                name.upper(),
                partial(_word_sum, system, name=name),
                f"table3.{system}.{{}}.{name}",
            )
            for system in SYSTEMS
            for name in SUMS
        ],
    )
    yield _against_pes(
        "table4",
        "Sums of vectors of 100,000 words",
        Unit.MILLISECONDS,
        [
            _curve(system, "", partial(_vector_sum, system), f"table4.{system}.{{}}")
            for system in SYSTEMS
        ],
    )
    yield FigureRecipe(
        id=f"{KEY}.nas-mg",
        where="Text after table 4",
        title=f"NAS MG, taken for class {MG_CLASS}, against PEs",
        quantity="time",
        unit=Unit.SECONDS,
        curves=tuple(
            DrawnCurve(
                name,
                system,
                MACHINES[system],
                tuple(DrawnPoint(pes, (solving(system, pes),), solution) for pes in SOLVING_PES),
                ((16, f"{KEY}.nas-mg.{system}.16"),),
            )
            for system, name in SYSTEMS.items()
        ),
        logarithmic=True,
        against_pes=True,
        note="How fast a PE computes was fitted to the point on 16; which class it is isn't "
        "printed.",
    )


def _against_pes(table: str, title: str, unit: Unit, curves: list[DrawnCurve]) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.{table}",
        where=f"Table {table[-1]}",
        title=f"{title} against PEs",
        quantity="time",
        unit=unit,
        curves=tuple(curves),
        logarithmic=True,
        against_pes=True,
    )


def _curve(system: str, library: str, cell_at: CellAt, figure: str) -> DrawnCurve:
    """On PES, each of which the paper has too: `figure` has a gap for them, "{}"."""
    name = f"{library}, {SYSTEMS[system]}" if library else SYSTEMS[system]
    printed = tuple((pes, f"{KEY}.{figure.format(pes)}") for pes in PES)
    return DrawnCurve(name, library or system, MACHINES[system], timed(cell_at, PES), printed)


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=FIGURES,
    sentences=SENTENCES,
    drawings=figures,
)
