"""Lopez-Pineda on the T3D and the J90: four tables, and NAS MG.

Latency is that of a message without bytes, bandwidth the slope over long ones. Barriers follow each
other in a loop; sums are carried out one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leadline.papers.catalogue import figure_of, paper_of
from leadline.papers.cray_mpt import KEY
from leadline.papers.cray_mpt.nas_mg import CLASSES
from leadline.papers.cray_mpt.printed import J90, PES, T3D
from leadline.papers.recipe import (
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
    Asked,
    Machines,
    Seconds,
    alone,
    halves,
    in_a_loop,
    least_ratio,
    only,
    per_second,
    ratio,
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


def _table_1() -> Iterator[Recipe]:
    for system, machine in MACHINES.items():
        for library in LIBRARIES:
            name, where = f"{KEY}.table1.{system}.{library}", (machine, library)
            empty, *lines = (in_a_loop(where, "pingpong", 2, size) for size in (0, *LINE_BYTES))
            yield Recipe(figure=f"{name}.latency", asked=(empty,), ours=only)
            yield Recipe(figure=f"{name}.bandwidth", asked=tuple(lines), ours=slope_rate)


def _barrier(system: str, pes: int) -> Asked:
    return in_a_loop((MACHINES[system], SHMEM), "barrier", pes, 0)


def _table_2() -> Iterator[Recipe]:
    for system in MACHINES:
        for pes in PES:
            name, asked = f"{KEY}.table2.{system}.{pes}", (_barrier(system, pes),)
            reason = LINE if system == "j90" else ""
            yield Recipe(figure=f"{name}.time", asked=asked, ours=only, reason=reason)
            yield Recipe(figure=f"{name}.rate", asked=asked, ours=per_second, reason=reason)


def _table_3() -> Iterator[Recipe]:
    for system, machine in MACHINES.items():
        for pes in PES:
            for name, pattern in SUMS.items():
                figure = f"{KEY}.table3.{system}.{pes}.{name}"
                asked = (alone((machine, SHMEM), pattern, pes, 0),)
                yield Recipe(figure=figure, asked=asked, ours=only, reason=MASTER)


def _vector_sum(system: str, pes: int) -> Asked:
    size = int(figure_of(f"{KEY}.table4.{system}.{pes}").bytes)
    return alone((MACHINES[system], SHMEM), "vector_sum_log2", pes, size)


def _table_4() -> Iterator[Recipe]:
    for system in MACHINES:
        for pes in PES:
            figure = f"{KEY}.table4.{system}.{pes}"
            reason = STAGES if system == "j90" else ""
            yield Recipe(figure=figure, asked=(_vector_sum(system, pes),), ours=only, reason=reason)


def solving(system: str, pes: int) -> Asked:
    """An iteration of NAS MG."""
    return in_a_loop((MACHINES[system], SHMEM), f"{MG}:{MG_CLASS}", pes, 0)


def solution(seconds: Seconds) -> float:
    """All iterations of NAS MG."""
    return CLASSES[MG_CLASS].iterations * only(seconds)


def _multigrid() -> Iterator[Recipe]:
    for system in MACHINES:
        figure = f"{KEY}.nas-mg.{system}.16"
        yield Recipe(
            figure=figure,
            asked=(solving(system, figure_of(figure).ranks),),
            ours=solution,
            reason=COMPUTING.format(MEMORY_ALONE[system]),
        )


# -- sentences -------------------------------------------------------------------------------------


def _growth(seconds: Seconds) -> float:
    """What the last doubling adds over what the first does: 1 where it is a logarithm."""
    first, second, third, fourth = seconds
    return (fourth - third) / (second - first)


def _sentences() -> Iterator[SentenceRecipe]:
    table = f"{KEY}.table2"
    yield SentenceRecipe(
        id=f"{KEY}.sentence.barrier-t3d",
        text="the T3D's barrier grows with the logarithm of the PEs",
        asked=tuple(_barrier("t3d", pes) for pes in PES),
        ours=_growth,
        least=0.8,
        most=1.25,
        rests_on=tuple(f"{table}.t3d.{pes}.time" for pes in PES),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.barrier-j90",
        text="the J90's grows about as their number: from 2 to 16, 8-fold within a factor of 1.5",
        asked=tuple(_barrier("j90", pes) for pes in (16, 2)),
        ours=ratio,
        least=8 / 1.5,
        most=8 * 1.5,
        over=(f"{table}.j90.16.time", f"{table}.j90.2.time"),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.long-packets",
        text="long packets allow for better results on the J90 than on the T3D, up to 8 PEs",
        asked=tuple(_vector_sum(system, pes) for system in MACHINES for pes in (2, 4, 8)),
        ours=least_ratio,
        least=1.0,
        over=(f"{KEY}.table4.t3d.8", f"{KEY}.table4.j90.8"),
        rests_on=tuple(f"{KEY}.table4.{system}.{pes}" for system in MACHINES for pes in (2, 4)),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.vector-sum-16",
        text="on 16 PEs the J90's vector sum is no faster than the T3D's, as printed",
        asked=tuple(_vector_sum(system, 16) for system in MACHINES),
        ours=ratio,
        most=1.0,
        over=(f"{KEY}.table4.t3d.16", f"{KEY}.table4.j90.16"),
        reason=STAGES,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.nas-mg",
        text="NAS MG takes less time on the J90 than on the T3D",
        asked=tuple(solving(system, 16) for system in ("j90", "t3d")),
        ours=ratio,
        most=1.0,
        over=(f"{KEY}.nas-mg.j90.16", f"{KEY}.nas-mg.t3d.16"),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.one-word-sums",
        text="sums of one word are faster on the T3D than on the J90",
        asked=tuple(
            alone((MACHINES[system], SHMEM), pattern, pes, 0)
            for system in ("j90", "t3d")
            for pattern in SUMS.values()
            for pes in PES
        ),
        ours=least_ratio,
        least=1.0,
    )
    yield from _of_table_1()
    yield from _of_barriers()
    yield from _of_sums()


def _latencies(library: str) -> tuple[str, str]:
    """Ids: the J90's, the T3D's."""
    j90, t3d = (f"{KEY}.table1.{system}.{library}.latency" for system in ("j90", "t3d"))
    return j90, t3d


def _messages(system: str, library: str, sizes: tuple[int, ...]) -> tuple[Asked, ...]:
    where = MACHINES[system], library
    return tuple(in_a_loop(where, "pingpong", 2, size) for size in sizes)


def _of_table_1() -> Iterator[SentenceRecipe]:
    table = f"{KEY}.table1"
    ids = {said: [f"{table}.{system}.{library}.{said}" for system in MACHINES
                  for library in LIBRARIES] for said in ("latency", "bandwidth")}  # fmt: skip
    yield SentenceRecipe(
        id=f"{KEY}.sentence.shmem-latency",
        text="SHMEM has a lower latency than PVM on both",
        asked=tuple(
            _messages(system, library, (0,))[0] for library in LIBRARIES for system in MACHINES
        ),
        ours=least_ratio,
        least=1.0,
        rests_on=tuple(ids["latency"]),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.shmem-bandwidth",
        text="SHMEM has a higher bandwidth than PVM on both",
        asked=tuple(
            one
            for library in reversed(LIBRARIES)
            for system in MACHINES
            for one in _messages(system, library, LINE_BYTES)
        ),
        ours=_least_lead_in_rate,
        least=1.0,
        rests_on=tuple(ids["bandwidth"]),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.j90-bandwidth",
        text="the J90's shared memory has more bandwidth than the T3D's network, by SHMEM",
        asked=tuple(
            one for system in ("j90", "t3d") for one in _messages(system, SHMEM, LINE_BYTES)
        ),
        ours=_least_lead_in_rate,
        least=1.0,
        over=(f"{table}.j90.shmem.bandwidth", f"{table}.t3d.shmem.bandwidth"),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.longer-packets",
        text="it takes longer packets to reach that bandwidth (half of it: J90's over T3D's)",
        asked=tuple(
            one for system in ("j90", "t3d") for one in _messages(system, SHMEM, (0, *LINE_BYTES))
        ),
        ours=_half_lengths,
        least=1.0,
        rests_on=tuple(name for kind in ids.values() for name in kind if SHMEM in name),
    )
    for library in LIBRARIES:
        yield SentenceRecipe(
            id=f"{KEY}.sentence.small-packets-{library}",
            text=f"small packets are faster on the T3D, by {library.upper()} (up to 1,024 B)",
            asked=tuple(
                one for system in ("j90", "t3d") for one in _messages(system, library, SMALL_BYTES)
            ),
            ours=least_ratio,
            least=1.0,
            over=_latencies(library),
            rests_on=tuple(name for name in ids["bandwidth"] if library in name),
        )


def _least_lead_in_rate(seconds: Seconds) -> float:
    """The least ratio of an asymptotic rate of the first half to its like of the second."""
    first, second = (
        [slope_rate(line) for line in zip(half[::2], half[1::2], strict=True)]
        for half in halves(seconds)
    )
    return min(one / other for one, other in zip(first, second, strict=True))


def _half_lengths(seconds: Seconds) -> float:
    """How many bytes have half of the asymptotic rate, latency times it: the first's over."""
    first, second = (latency * slope_rate(line) for latency, *line in halves(seconds))
    return first / second


def _of_barriers() -> Iterator[SentenceRecipe]:
    table = f"{KEY}.table2"
    on = {system: tuple(_barrier(system, pes) for pes in PES) for system in MACHINES}
    times = {system: tuple(f"{table}.{system}.{pes}.time" for pes in PES) for system in MACHINES}
    yield SentenceRecipe(
        id=f"{KEY}.sentence.barrier-grows",
        text="a barrier takes longer with more PEs on both (the least of doublings)",
        asked=(*(x for one in on.values() for x in one[1:]),
               *(x for one in on.values() for x in one[:-1])),
        ours=least_ratio,
        least=1.0,
        rests_on=tuple(name for one in times.values() for name in one),
    )  # fmt: skip
    yield SentenceRecipe(
        id=f"{KEY}.sentence.barrier-hardware",
        text="the T3D's hardware barrier beats the J90's in software, on 2 to 16",
        asked=(*on["j90"], *on["t3d"]),
        ours=least_ratio,
        least=1.0,
        over=(times["j90"][0], times["t3d"][0]),
        rests_on=tuple(name for one in times.values() for name in one),
    )


def _of_sums() -> Iterator[SentenceRecipe]:
    word = {system: [alone((machine, SHMEM), SUMS["gsum"], pes, 0) for pes in PES]
            for system, machine in MACHINES.items()}  # fmt: skip
    vector = {system: [_vector_sum(system, pes) for pes in PES] for system in MACHINES}
    tables = f"{KEY}.table3", f"{KEY}.table4"
    yield SentenceRecipe(
        id=f"{KEY}.sentence.word-keeps-up",
        text="the J90's sums of one word aren't far behind the T3D's, within a factor of 3",
        asked=(*word["j90"], *word["t3d"]),
        ours=_greatest_ratio,
        most=NOT_FAR,
        over=(f"{tables[0]}.j90.16.gsum", f"{tables[0]}.t3d.16.gsum"),
        reason=MASTER,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.vectors-suit",
        text="going from one word to 100,000 costs the J90 less than the T3D, on 2 to 8",
        asked=(*vector["j90"][:3], *word["j90"][:3], *vector["t3d"][:3], *word["t3d"][:3]),
        ours=_greatest_of_costs,
        most=1.0,
    )


def _greatest_ratio(seconds: Seconds) -> float:
    return max(ratios(seconds))


def _greatest_of_costs(seconds: Seconds) -> float:
    """Vectors over words, of the first half, over the same of the second."""
    first, second = map(ratios, halves(seconds))
    return max(one / other for one, other in zip(first, second, strict=True))


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
        curves=tuple(_bandwidth(system, library) for system in SYSTEMS for library in LIBRARIES),
        logarithmic=True,
        note="The asymptotic rates, of no size, are at the largest.",
    )
    yield _against_pes(
        "table2", "Barriers in a loop", Unit.MICROSECONDS, [_barriers(one) for one in SYSTEMS]
    )
    yield _against_pes(
        "table3",
        "Sums of one word",
        Unit.MICROSECONDS,
        [_sums(system, name) for system in SYSTEMS for name in SUMS],
    )
    yield _against_pes(
        "table4",
        "Sums of vectors of 100,000 words",
        Unit.MILLISECONDS,
        [_vectors(one) for one in SYSTEMS],
    )
    yield FigureRecipe(
        id=f"{KEY}.nas-mg",
        where="Text after table 4",
        title=f"NAS MG, taken for class {MG_CLASS}, against PEs",
        quantity="time",
        unit=Unit.SECONDS,
        curves=tuple(map(_solutions, SYSTEMS)),
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


def _bandwidth(system: str, library: str) -> DrawnCurve:
    machine = MACHINES[system]

    def asked(size_bytes: int) -> Asked:
        return in_a_loop((machine, library), "pingpong", 2, size_bytes)

    printed = ((SIZES[-1], f"{KEY}.table1.{system}.{library}.bandwidth"),)
    name = f"{library.upper()}, {SYSTEMS[system]}"
    return DrawnCurve(name, library, machine, rated(asked, SIZES), printed)


def _curve(
    system: str, library: str, asked: Callable[[int], Asked], figure: Callable[[int], str]
) -> DrawnCurve:
    """On PES, each of which the paper has too."""
    name = f"{library}, {SYSTEMS[system]}" if library else SYSTEMS[system]
    printed = tuple((pes, figure(pes)) for pes in PES)
    return DrawnCurve(name, library or system, MACHINES[system], timed(asked, PES), printed)


def _barriers(system: str) -> DrawnCurve:
    where = MACHINES[system], SHMEM
    return _curve(
        system,
        "",
        lambda pes: in_a_loop(where, "barrier", pes, 0),
        lambda pes: f"{KEY}.table2.{system}.{pes}.time",
    )


def _sums(system: str, name: str) -> DrawnCurve:
    where = MACHINES[system], SHMEM
    return _curve(
        system,
        name.upper(),
        lambda pes: alone(where, SUMS[name], pes, 0),
        lambda pes: f"{KEY}.table3.{system}.{pes}.{name}",
    )


def _vectors(system: str) -> DrawnCurve:
    where = MACHINES[system], SHMEM
    size_bytes = int(figure_of(f"{KEY}.table4.{system}.2").bytes)
    return _curve(
        system,
        "",
        lambda pes: alone(where, "vector_sum_log2", pes, size_bytes),
        lambda pes: f"{KEY}.table4.{system}.{pes}",
    )


def _solutions(system: str) -> DrawnCurve:
    points = tuple(DrawnPoint(pes, (solving(system, pes),), solution) for pes in SOLVING_PES)
    printed = ((16, f"{KEY}.nas-mg.{system}.16"),)
    return DrawnCurve(SYSTEMS[system], system, MACHINES[system], points, printed)


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=(*_table_1(), *_table_2(), *_table_3(), *_table_4(), *_multigrid()),
    sentences=tuple(_sentences()),
    drawings=figures,
)
